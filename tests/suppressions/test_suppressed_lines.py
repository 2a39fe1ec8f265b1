"""Which lines the comments concern that ask tools to be silent."""

from __future__ import annotations

import pytest
from codeintel_plugins.suppressions.keywords import TABLE, keywords
from suppression_marks import asked, finding, lines_asked
from suppression_samples import BEYOND_A_LINE, IN_LONG_STRINGS, ON_A_LINE


@pytest.mark.parametrize(("language", "line", "rule_id", "keyword"), ON_A_LINE)
def test_comments_about_their_own_line(
    language: str | None, line: str, rule_id: str, keyword: str | None
) -> None:
    code = f"a\n{line}\nb\n"
    expected = None if keyword is None else (keyword, 2)
    assert asked(code, language, finding(rule_id, 2)) == expected
    assert asked(code, language, finding(rule_id, 1)) is None
    assert asked(code, language, finding(rule_id, 3)) is None


@pytest.mark.parametrize(("language", "code", "rule_id", "lines"), BEYOND_A_LINE)
def test_comments_about_other_lines(
    language: str, code: str, rule_id: str, lines: list[int]
) -> None:
    assert lines_asked(code, language, rule_id) == lines
    assert lines_asked(code.replace("\n", "\r\n"), language, rule_id) == lines


@pytest.mark.parametrize(("language", "code", "lines"), IN_LONG_STRINGS)
def test_what_stands_in_a_string_over_lines_is_no_comment(
    language: str, code: str, lines: list[int]
) -> None:
    assert lines_asked(code, language) == lines


def test_every_keyword_has_an_example() -> None:
    """Check that each keyword has an example in each of its forms."""
    used = {
        (row.pattern, match.groupdict().get("act") or "")
        for language, code, *_ in (*ON_A_LINE, *BEYOND_A_LINE)
        for row, pattern in keywords(language)
        for match in pattern.finditer(code)
    }
    assert {(row.pattern, act) for row in TABLE for act in row.scopes} <= used
