"""Search over the parts catalogue of the warehouse."""
from dataclasses import dataclass

import asyncpg
from fastapi import APIRouter, Depends, Query, Request

router = APIRouter(prefix="/parts", tags=["parts"])


@dataclass
class PartFilter:
    term: str
    limit: int

    def conditions(self):
        parts = ["discontinued = false"]
        values = []
        if self.term:
            values.append(f"%{self.term}%")
            parts.append(f"name ILIKE ${len(values)}")
        return " AND ".join(parts), values


def read_filter(
    term: str = Query("", max_length=80),
    limit: int = Query(20, ge=1, le=100),
) -> PartFilter:
    return PartFilter(term.strip(), limit)


async def pool(request: Request) -> asyncpg.Pool:
    return request.app.state.pool


@router.get("/")
async def search(wanted: PartFilter = Depends(read_filter), db: asyncpg.Pool = Depends(pool)):
    where, values = wanted.conditions()
    statement = "SELECT sku, name, stock FROM parts WHERE " + where
    statement += " ORDER BY name LIMIT %d" % wanted.limit
    async with db.acquire() as connection:
        rows = await connection.fetch(statement, *values)
    return [dict(row) for row in rows]
