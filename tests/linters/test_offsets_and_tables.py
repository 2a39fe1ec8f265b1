from __future__ import annotations

import pytest
from codeintel_plugins.toolkit.positions import ByteOffsets, ToolSource
from codeintel_plugins.toolkit.rule_table import listing, read_table
from hypothesis import given, strategies as st

from codeintel.contracts import Category, Confidence, Model, Range, Severity

TEXT = st.text(alphabet="aé𝄞\n\r\ufeff", max_size=20)


@given(TEXT, st.lists(st.integers(0, 80), max_size=8))
def test_bytes_become_code_points(code: str, places: list[int]) -> None:
    source = ToolSource(code)
    offsets = ByteOffsets(source)
    text = source.for_tools
    mark = len(source.text) - len(text)
    begins = [len(text[:index].encode()) for index in range(len(text) + 1)]
    for byte in places:  # in any order
        expected = max(index for index, begin in enumerate(begins) if begin <= byte)
        assert offsets.offset(byte) == expected + mark


@given(TEXT)
def test_spans_lie_in_the_code(code: str) -> None:
    source = ToolSource(code)
    assert source.contains(ByteOffsets(source).span(0, 1_000))


TABLE = """
f one-rule high low CWE-89 security What it is about.
p other medium high - unused Something else.
"""


def test_a_table() -> None:
    rules = read_table(TABLE)
    assert list(rules) == ["one-rule", "other"]
    one, other = rules.values()
    assert (one.severity, one.confidence, one.cwe) == (Severity.HIGH, Confidence.LOW, "CWE-89")
    assert (one.category, other.category) == (Category.SECURITY, Category.UNUSED)
    assert (one.models, other.models) == (frozenset(Model), frozenset({Model.PRO}))
    assert other.cwe is None
    found = one.finding("tool", "Here.", Range(1, 1, 1, 2))
    assert (found.rule_id, found.engine, found.message) == ("one-rule", "tool", "Here.")
    listed = listing(rules.values(), {"other": ("sql",)})
    assert [(rule.id, rule.summary, rule.languages) for rule in listed] == [
        ("one-rule", "What it is about.", None),
        ("other", "Something else.", ("sql",)),
    ]


@pytest.mark.parametrize(
    "line", ["f a high", "x a high low - security b", "f one-rule high low - unused b"]
)
def test_what_is_no_rule(line: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        read_table(f"{TABLE}{line}\n")
