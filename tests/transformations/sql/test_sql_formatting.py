"""`refactor` for SQL: only the layout changes."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.sql.formatting import FORMAT, SqlRefactor
from hypothesis import given, settings, strategies as st
from sql_samples import assert_good, compared, rewritten

from codeintel.contracts import CheckStatus, Unsupported

WAY = SqlRefactor()
SCRIPT = """-- a script
select a.Date, count(*) as n /* how many */, "Foo", x::int, ifnull(b,2) -- trailing
,  case when a=1 then 'x' else e'y\\n' end
from Tab a inner join u on a.id=u.id
-- on its own line
where a.x != 3 and y in (1,2) and exists (select 1 from q where q.id=a.id);
insert into foo(id,b) values (1,'a'),(2,'b') on conflict do nothing;
-- the end
"""


def test_layout() -> None:
    result = assert_good(WAY, SCRIPT, "postgres")
    assert "  COUNT(*) AS n /* how many */,\n" in result.code
    assert "\n-- on its own line\nWHERE\n  a.x != 3\n" in result.code
    assert {change.rule for change in result.changes} == {FORMAT}
    assert [change.range.start_line for change in result.changes if change.range] == [2, 7]


@pytest.mark.parametrize(
    "kept",
    [
        '"Foo"',
        "x::INT",
        "ifnull(b, 2)",
        "-- trailing",
        "a.Date",
        "Tab a",
        "!=",
        "e'y\\n'",
        "-- the end",
    ],
)
def test_what_stays_as_it_is_spelled(kept: str) -> None:
    assert kept in rewritten(WAY, SCRIPT, "postgres").code


@pytest.mark.parametrize(
    "statement",
    [
        "vacuum  full foo",
        "show   tables",
        "selec  broken frm",
        "do $$ begin  x := 1; end $$",
        "grant   frobnicate on x",
    ],
)
def test_what_is_not_understood_stays(statement: str) -> None:
    code = f"select  1;\n{statement};\nselect   2;\n"
    result = rewritten(WAY, code, "postgres")
    assert f"\n{statement};\n" in result.code
    assert result.code.startswith("SELECT\n  1;")
    assert result.code.endswith("SELECT\n  2;\n")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("select  1", "SELECT\n  1"),
        ("select  1;\n", "SELECT\n  1;\n"),
        ("\ufeffselect  1;\n", "\ufeffSELECT\n  1;\n"),
        ("select  1,\r\n2;\r\n", "SELECT\r\n  1,\r\n  2;\r\n"),
        ("SELECT\n  1;\n", "SELECT\n  1;\n"),
        ("-- only\n", "-- only\n"),
        ("", ""),
        ("select 'a  b\n c'", "SELECT\n  'a  b\n c'"),
    ],
)
def test_ends_and_marks(code: str, expected: str) -> None:
    assert rewritten(WAY, code, "postgres").code == expected


def test_a_rule_can_be_left_out() -> None:
    assert rewritten(WAY, SCRIPT, "postgres", without=(FORMAT,)).code == SCRIPT


def test_no_end_of_a_string() -> None:
    with pytest.raises(Unsupported, match="line 1"):
        rewritten(WAY, "select 'abc", "postgres")


_NAMES = st.sampled_from(
    ["a", "B", '"C d"', "t.x", "count(*)", "sum(a)", "1", "'s'", "NULL", "x::int"]
)
_COMMENTS = st.sampled_from(["", "", " -- c\n", " /* d */ ", "\n", "\n-- e\n", "  "])


@st.composite
def _queries(draw: st.DrawFn) -> str:
    parts = ["select"]
    for index in range(draw(st.integers(1, 4))):
        parts += [*([","] if index else []), draw(_NAMES)]
    parts += ["from", "T", "as", "t"]
    if draw(st.booleans()):
        parts += ["left", "join", "u", "on", "t.a", "=", "u.b"]
    if draw(st.booleans()):
        parts += [
            "where",
            "a",
            draw(st.sampled_from(["<>", "!=", ">="])),
            "3",
            "and",
            "b",
            "is",
            "null",
        ]
    if draw(st.booleans()):
        parts += ["order", "by", "1"]
    return "".join(f"{part} {draw(_COMMENTS)}" for part in parts)


@settings(max_examples=120, deadline=None)
@given(_queries(), st.sampled_from(["postgres", "mysql", "duckdb", "snowflake", "sql", "tsql"]))
def test_equal_and_stable(code: str, language: str) -> None:
    result = rewritten(WAY, code, language)
    assert compared(code, result.code, language).status is CheckStatus.PASSED
    assert rewritten(WAY, result.code, language).code == result.code
