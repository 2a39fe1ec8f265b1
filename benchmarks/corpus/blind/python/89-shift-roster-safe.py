from fastapi import APIRouter, Depends, Query
from psycopg import Connection

from .database import connection

router = APIRouter(prefix="/shifts")

COLUMNS = {"start": "starts_at", "ward": "ward_name", "nurse": "nurse_name"}


def order_clause(sort: str) -> str:
    column = COLUMNS.get(sort, "starts_at")
    return f"ORDER BY {column}"


@router.get("/")
def list_shifts(
    ward: str = Query(..., max_length=40),
    sort: str = Query("start"),
    conn: Connection = Depends(connection),
):
    sql = "SELECT id, ward_name, nurse_name, starts_at FROM shifts WHERE ward_name = %s "
    sql += order_clause(sort)
    with conn.cursor() as cur:
        cur.execute(sql, (ward,))
        rows = cur.fetchall()
    return [
        {"id": r[0], "ward": r[1], "nurse": r[2], "start": r[3].isoformat()}
        for r in rows
    ]
