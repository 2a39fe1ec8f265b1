"""V2 for comments that a model wrote: all else is as it was, token by token."""

from __future__ import annotations

import re

from codeintel.verification import python_trees
from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.local_edits.tokens import Token, tokens_of

LANGUAGES = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "go", "html", "java", "javascript", "kotlin", "lua"),
        *("php", "python", "ruby", "rust", "scala", "swift", "typescript", "tsx", "xml"),
    }
)
"""Languages whose comments can be told from the rest."""

# Comments that a compiler, a loader or a checker reads.
_DIRECTIVE = re.compile(
    r"^(?:#!|//go:|//\s*\+build|//export |//line |//#|/\*\*?\s*@jsx|<!--\s*\[if|<!\[|#cgo"
    r"|#\s*(?:-\*-|(?:frozen_string_literal|encoding|coding|warn_indent|shareable_constant_value"
    r"|typed|shellcheck)\b)|//\s*swift-tools|[/*#<!\s-]*(?:@ts-|eslint|prettier-|biome-|oxlint"
    r"|tslint|istanbul|c8 ignore|webpack|@vite|@flow|@preserve|@license|@cc_on|NOLINT|NOSONAR"
    r"|clang-format|nolint|noinspection|phpcs|phpstan|rubocop|:nodoc:|noqa|type: ?ignore|ktlint"
    r"|swiftlint|scalastyle|scalafmt|fall ?through|FALLTHROUGH|language=))",
    re.IGNORECASE,
)
_CGO = re.compile(rb'^\s*import\s+"C"', re.MULTILINE)


def comments_only(comparison: Comparison) -> Evidence:
    """Compare all but comments, which may be added, changed and left out unless a tool reads them.
    Python's docstrings are comments here where there was none."""
    language = comparison.language
    if language != comparison.target:
        return not_applicable("Tokens of two languages are not compared.")
    if language == "python":
        return python_trees.compare(comparison)
    if language not in LANGUAGES:
        return not_applicable(f"Comments in {language} are not told from the rest.")
    texts = [text.encode(errors="surrogatepass") for text in (comparison.before, comparison.after)]
    (before, old), (after, new) = (tokens_of(text, language) for text in texts)
    for one, other in zip(before, after, strict=False):
        if (one.text, one.joint) != (other.text, other.joint):
            lines = _line(texts[0], one), _line(texts[1], other)
            return failed(
                "More than comments has changed: the tokens differ"
                f" (line {lines[0]}, now line {lines[1]})."
            )
    if len(before) != len(after):
        what = "missing" if len(before) > len(after) else "new"
        side, text = (before, texts[0]) if len(before) > len(after) else (after, texts[1])
        line = _line(text, side[min(len(before), len(after))])
        return failed(f"More than comments has changed: a token is {what} (line {line}).")
    if _read(old, texts[0]) != _read(new, texts[1]):
        return failed("A comment that a tool reads has changed, or is new, or missing.")
    return passed(
        f"{len(before)} tokens were compared one by one: they are equal, only comments differ."
    )


def _read(comments: list[Token], code: bytes) -> list[bytes]:
    """The comments that mean something. With cgo they may be C, above what imports it."""
    all_count = _CGO.search(code) is not None
    return [
        each.text
        for each in comments
        if all_count
        or (
            _DIRECTIVE.match(each.text.decode(errors="replace"))
            and (not each.text.startswith(b"#!") or each.start == 0)
        )
    ]


def _line(code: bytes, token: Token) -> int:
    return code.count(b"\n", 0, token.start) + 1
