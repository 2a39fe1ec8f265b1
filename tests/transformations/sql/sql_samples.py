"""Helpers that the tests of SQL share."""

from __future__ import annotations

from codeintel.contracts import CheckStatus, Rewrite, RewriteRequest, Transformation
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.sql import compare


def rewritten(
    way: Transformation,
    code: str,
    language: str,
    target: str = "",
    *,
    without: tuple[str, ...] = (),
    strict: bool = False,
) -> Rewrite:
    """Return the result of a transformation."""
    return way.rewrite(
        RewriteRequest(
            code=code,
            language=language,
            target=target or language,
            options={"strict": strict},
            without=without,
        )
    )


def compared(before: str, after: str, language: str, target: str = "") -> Evidence:
    """Return the check's evidence about two pieces of code."""
    return compare(
        Comparison(before=before, after=after, language=language, target=target or language)
    )


def assert_good(way: Transformation, code: str, language: str) -> Rewrite:
    """Return the result, which must differ, pass the check, and stay the same on a second run."""
    result = rewritten(way, code, language)
    assert result.code != code
    evidence = compared(code, result.code, language)
    assert evidence.status is CheckStatus.PASSED, evidence.text
    assert rewritten(way, result.code, language).code == result.code
    return result
