"""A model's claims are checked against the code."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.openai.engine import MAX_CLAIMS, MAX_PLACES, Quotes, findings
from hypothesis import given, strategies as st

from codeintel.contracts import Category, Confidence, Finding, Range, Severity
from codeintel.contracts.positions import LineTable

CODE = "def f(a):\n    return  a + 1\n\ndef g(a):\n    return a + 1\nx = f(1) + f(2)\n"


def one(**claim: Any) -> Finding:
    [found] = findings([{"message": "m", **claim}], CODE, "openai")
    return found


# quotation, claimed line, range
QUOTES: list[tuple[str, int, tuple[int, int, int, int] | None]] = [
    ("return a + 1", 5, (5, 5, 5, 17)),
    ("return a + 1", 2, (2, 5, 2, 18)),
    ("return a + 1", 0, (2, 5, 2, 18)),
    ("return a + 1", 99, (5, 5, 5, 17)),
    ("  return\n a   + 1 ", 5, (5, 5, 5, 17)),
    ("2| return a + 1", 2, (2, 5, 2, 18)),
    ("def g(a):\n    return a + 1", 4, (4, 1, 5, 17)),
    ("4| def g(a):\n5|     return a + 1", 4, (4, 1, 5, 17)),
    ("f(1)", 6, (6, 5, 6, 9)),
    ("f(1) + f(3)", 6, None),
    ("", 6, None),
    ("   ", 6, None),
    ("x" * 5_000, 6, None),
]


@pytest.mark.parametrize(("quote", "line", "place"), QUOTES)
def test_quotations(quote: str, line: int, place: tuple[int, int, int, int] | None) -> None:
    found = one(quote=quote, line=line)
    if place is None:
        assert (found.unverified, found.confidence) == (True, Confidence.LOW)
        assert found.range == Range(6, 1, 6, len("x = f(1) + f(2)") + 1)
    else:
        assert found.range == Range(*place)
        assert found.unverified is not True


# field, given, attribute, taken
FIELDS: list[tuple[str, Any, str, Any]] = [
    ("severity", "HIGH ", "severity", Severity.HIGH),
    ("severity", "catastrophic", "severity", Severity.MEDIUM),
    ("severity", 7, "severity", Severity.MEDIUM),
    ("confidence", "high", "confidence", Confidence.MEDIUM),
    ("confidence", "low", "confidence", Confidence.LOW),
    ("category", "performance", "category", Category.PERFORMANCE),
    ("category", None, "category", Category.CORRECTNESS),
    ("cwe", "CWE-89", "cwe", "CWE-89"),
    ("cwe", "cwe-089", "cwe", "CWE-89"),
    ("cwe", 89, "cwe", "CWE-89"),
    ("cwe", "CWE-0", "cwe", None),
    ("cwe", "SQL injection", "cwe", None),
    ("cwe", True, "cwe", None),
    ("message", "  two\n lines\x07 ", "message", "two lines"),
    ("message", "x" * 5_000, "message", "x" * 500),
    ("rule", "SQL Injection!", "rule_id", "model-sql-injection"),
    ("rule", ["x"], "rule_id", "model-62c66a7a"),
]


@pytest.mark.parametrize(("field", "given_", "attribute", "taken"), FIELDS)
def test_fields(field: str, given_: Any, attribute: str, taken: Any) -> None:
    claim = {"quote": "f(1)", "line": 6, field: given_}
    assert getattr(one(**claim), attribute) == taken


@pytest.mark.parametrize("claim", [None, 1, "x", [], {}, {"message": " "}, {"message": 5}])
def test_claims_that_say_nothing(claim: Any) -> None:
    assert list(findings([claim], CODE, "openai")) == []


def test_there_may_not_be_too_many() -> None:
    assert len(list(findings([{"message": "m"}] * 1_000, CODE, "openai"))) == MAX_CLAIMS


def test_a_quotation_that_stands_everywhere_is_not_looked_for_everywhere() -> None:
    quotes = Quotes("a\n" * 1_000)
    assert quotes.find("a", 50) == Range(50, 1, 50, 2)
    assert quotes.find("a", 900) == Range(MAX_PLACES, 1, MAX_PLACES, 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=10,
)
NAMES = ("message", "quote", "line", "severity", "confidence", "category", "cwe", "rule", "remedy")


@given(st.dictionaries(st.sampled_from(NAMES), JSON), st.text(max_size=60))
def test_whatever_it_is_the_finding_lies_within_the_code(claim: Any, code: str) -> None:
    for finding in findings([claim], code, "openai"):
        assert LineTable(code).contains(finding.range)


@given(st.text(alphabet="ab \n\r\t", min_size=1, max_size=40), st.data())
def test_what_stands_in_the_code_is_found(code: str, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(code)))
    end = data.draw(st.integers(begin, len(code)))
    quote = code[begin:end]
    if quote.split():
        found = Quotes(code).find(quote, 1)
        assert found is not None
        assert LineTable(code).contains(found)
