"""Analytic queries of DuckDB for SQLite: if they pass, they return the same rows on other
tables, too. Features that SQLite lacks do not pass."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from codeintel_plugins.transformations.sql.converting import SqlConvert
from sql_samples import compared, rewritten

from codeintel.contracts import CheckStatus, Unsupported
from codeintel.engine.equivalence.sql.databases import DuckDB, SQLite
from codeintel.engine.equivalence.sql.runs import normal

WAY = SqlConvert()
QUERIES = [
    (
        "SELECT date_trunc('month', ordered_at) AS month, SUM(amount) AS total FROM "
        "orders GROUP BY ALL ORDER BY month"
    ),
    (
        "SELECT customer_id, amount FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY "
        "customer_id ORDER BY amount DESC, id) = 1"
    ),
    (
        "SELECT customer_id, COUNT(*) FILTER (WHERE amount > 10) AS big, COUNT(*) AS n "
        "FROM orders GROUP BY customer_id"
    ),
    "SELECT * EXCLUDE (amount) FROM orders",
    "SELECT region, string_agg(name, ', ' ORDER BY name) AS names FROM customers GROUP BY region",
    "SELECT id, amount::INTEGER AS whole, amount::VARCHAR AS txt FROM orders",
    (
        "SELECT id, SUM(amount) OVER (PARTITION BY customer_id ORDER BY id ROWS BETWEEN 2 "
        "PRECEDING AND CURRENT ROW) AS moving FROM orders"
    ),
    (
        "SELECT id, LAG(amount) OVER (ORDER BY id) AS previous, amount - LAG(amount) OVER "
        "(ORDER BY id) AS delta FROM orders"
    ),
    (
        "SELECT o.id, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id "
        "WHERE c.region = 'north' OR c.id IS NULL"
    ),
    "SELECT list_transform(tags, x -> upper(x)) FROM items",
    "SELECT len(tags), list_contains(tags, 'a') FROM items",
    "PIVOT sales ON region USING SUM(amount) GROUP BY product",
    "SELECT region, MEDIAN(amount) FROM sales GROUP BY region",
    "SELECT strftime(ordered_at, '%Y-%m') AS ym, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1",
    "SELECT year(ordered_at) AS y, month(ordered_at) AS m, COUNT(*) AS n FROM orders GROUP BY 1, 2",
    "SELECT region, arg_max(name, score) FROM players GROUP BY region",
    (
        "WITH ranked AS (SELECT name, score, DENSE_RANK() OVER (ORDER BY score DESC) AS r "
        "FROM players) SELECT name, r FROM ranked WHERE r <= 3 ORDER BY r, name"
    ),
    (
        "SELECT a.id, b.price FROM trades a ASOF JOIN quotes b ON a.symbol = b.symbol AND "
        "a.traded_at >= b.quoted_at"
    ),
    (
        "SELECT id, x.n FROM orders o, LATERAL (SELECT COUNT(*) AS n FROM customers c "
        "WHERE c.id = o.customer_id) x"
    ),
    "SELECT {'a': id, 'b': name}.a AS one FROM customers",
    "SELECT date_diff('day', ordered_at, shipped_at) AS days FROM orders",
    "SELECT name ILIKE '%an%' AS hit, coalesce(region, 'none') AS region FROM customers",
    "SELECT amount // 2 AS half, amount % 3 AS rest, id / 2 AS ratio FROM orders",
    "SELECT ordered_at + INTERVAL 7 DAY AS due FROM orders WHERE ordered_at >= DATE '2024-01-01'",
    (
        "SELECT DISTINCT ON (customer_id) customer_id, amount FROM orders ORDER BY "
        "customer_id, amount DESC, id"
    ),
    "SELECT date_trunc('week', seen_at) AS w, COUNT(*) AS n, MAX(score) FROM players GROUP BY ALL",
    (
        "SELECT extract(year FROM seen_at) AS y, bool_or(score > 1) AS any_hit, "
        "count(DISTINCT name) FROM players GROUP BY 1"
    ),
]
LEAST_VERIFIED = 14
TABLES = {
    "orders": {
        "id": "integer",
        "customer_id": "integer",
        "amount": "double",
        "ordered_at": "timestamp",
        "shipped_at": "timestamp",
    },
    "customers": {"id": "integer", "name": "text", "region": "text"},
    "players": {"name": "text", "region": "text", "score": "double", "seen_at": "timestamp"},
}


@pytest.fixture(name="engines")
def _engines() -> tuple[DuckDB, SQLite]:
    """Return both engines with the same rows, which the check does not know."""
    days = ["2023-12-31 23:05:00", "2024-02-29 08:00:00", "2024-03-04 00:00:00", None]
    data: dict[str, list[tuple[Any, ...]]] = {
        "orders": [
            (each, each % 5 or None, each * 7.5 - 20, days[each % 4], days[(each + 1) % 4])
            for each in range(1, 40)
        ],
        "customers": [
            (1, "Ann", "north"),
            (2, "Dan", None),
            (3, None, "south"),
            (4, "Ed", "north"),
        ],
        "players": [
            (f"p{each}", "ab"[each % 2], float(each * 37 % 101), days[each % 4])
            for each in range(20)
        ],
    }
    both = DuckDB(), SQLite()
    for engine in both:
        engine.create(TABLES)
        engine.fill(data)
    return both


def _verified(code: str) -> str | None:
    """Return the query for SQLite, if it passes."""
    try:
        result = rewritten(WAY, code, "duckdb", "sqlite").code
    except Unsupported:
        return None
    passed = compared(code, result, "duckdb", "sqlite").status is CheckStatus.PASSED
    return result if passed else None


def test_what_passes_gives_the_same(engines: tuple[DuckDB, SQLite]) -> None:
    first, second = engines
    verified = {code: result for code in QUERIES if (result := _verified(code)) is not None}
    assert len(verified) >= LEAST_VERIFIED
    for code, result in verified.items():
        assert Counter(normal(first.rows(code))) == Counter(normal(second.rows(result))), code


@pytest.mark.parametrize(
    "code",
    [
        code
        for code in QUERIES
        if any(
            word in code
            for word in (
                "list_",
                "ASOF",
                "PIVOT",
                "arg_max",
                "LATERAL",
                "{'a'",
                "EXCLUDE",
                "MEDIAN",
            )
        )
    ],
)
def test_what_sqlite_cannot_do_does_not_pass(code: str) -> None:
    assert _verified(code) is None
