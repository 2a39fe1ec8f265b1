"""Any code is searched for comments, in linear time."""

from __future__ import annotations

import random
import time

import pytest
from codeintel_plugins.suppressions import mark_suppressed
from codeintel_plugins.suppressions.comments import comments
from hypothesis import given, strategies as st
from suppression_marks import LANGUAGES, finding

MAX_CHARACTERS = 100_000


@given(
    st.text(st.sampled_from("#/*'\"`\\ \n\r<!->{}()=:,ab"), max_size=60), st.sampled_from(LANGUAGES)
)
def test_comments_are_parts_of_the_code_in_order(code: str, language: str | None) -> None:
    end = 0
    for comment in comments(code, language):
        assert code[comment.start : comment.start + len(comment.text)] == comment.text
        assert comment.text
        assert comment.start >= end
        end = comment.start + len(comment.text)
        before = code[: comment.start].replace("\r", "\n").rpartition("\n")[2]
        assert comment.alone is not before.strip()


PIECES = [
    *("# noqa: E1\n", "// eslint-disable a\n", "/* eslint-enable b */\n", "#nosec ", "noqa ", "\n"),
    *("# pylint: disable=a\n ", "# shellcheck disable=SC1\nif x\n", "'\\'", '"\\', "/*", "*/", "`"),
    *("<<A ", "A\n", "<<~'A'\n", "<<<A\n", "%q(", "%w[", ")", "=begin\n", "=end\n", 'R"x(', ')x"'),
    *('r#"', '"#', "%q|", "__END__ "),
    *("// NOLINTBEGIN(a*)\n", "# shellcheck disable=SC1\na \\\n", "<!--", "-->", "'''", "  ", "#"),
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.sampled_from(LANGUAGES),
    st.lists(st.tuples(st.sampled_from(["E1", "a", "SC1", "X"]), st.integers(1, 40)), max_size=5),
)
def test_any_code_is_answered(
    code: str, language: str | None, places: list[tuple[str, int]]
) -> None:
    found = [finding(*place) for place in places]
    marked = mark_suppressed(found, code, language)
    assert [(each.rule_id, each.range) for each in marked] == [
        (each.rule_id, each.range) for each in found
    ]
    last = len(code.splitlines()) + 1
    assert all(1 <= each.suppression.line <= last for each in marked if each.suppression)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_code_takes_linear_time(language: str | None) -> None:
    chosen = random.Random(1)
    mixture = "".join(chosen.choices(PIECES, k=MAX_CHARACTERS // 8))
    repeated = (piece * (MAX_CHARACTERS // len(piece)) for piece in PIECES)
    nested = "".join(f"{' ' * (n % 400)}# pylint: disable=a{n}\n" for n in range(500))
    found = [finding(f"rule-{n}", 1 + n) for n in range(2_000)]
    begin = time.process_time()
    codes = [*repeated, mixture, nested]
    for code in codes:
        mark_suppressed(found, code[:MAX_CHARACTERS] + "\n# noqa // nosemgrep", language)
    assert (time.process_time() - begin) / len(codes) < 2
