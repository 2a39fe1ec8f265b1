"""V2 for comments that a model wrote: all else is as it was, token by token."""

from __future__ import annotations

import itertools
import re

from codeintel.engine.equivalence import python_trees
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.local_edits.tokens import Token, tokens_of

LANGUAGES = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "go", "html", "java", "javascript", "kotlin", "lua"),
        *("php", "python", "ruby", "rust", "scala", "swift", "typescript", "tsx", "xml"),
    }
)
"""Languages whose comments can be told from the rest."""

_SPACED = frozenset(
    {
        *("bash", "c", "cpp", "css", "html", "kotlin", "php", "ruby", "scala", "swift", "xml"),
    }
)
"""Languages in which space between two tokens may make something else of them, and the grammar
does not always tell."""

# Comments that a compiler, a loader or a checker reads.
_DIRECTIVE = re.compile(
    r"^(?:#!|//go:|//\s*\+build|//export |//line |//#|/\*\*?\s*@jsx|<!--\s*\[if|<!\[|#cgo"
    r"|#\s*(?:-\*-|(?:frozen_string_literal|encoding|coding|warn_indent|shareable_constant_value"
    r"|typed|shellcheck)\b)|//\s*swift-tools|[/*#<!\s-]*(?:@ts-|eslint|prettier-|biome-|oxlint"
    r"|tslint|istanbul|c8 ignore|webpack|@vite|@flow|@preserve|@license|@cc_on|NOLINT|NOSONAR"
    r"|clang-format|nolint|noinspection|phpcs|phpstan|rubocop|:nodoc:|noqa|type: ?ignore|ktlint"
    r"|swiftlint|scalastyle|scalafmt|fall ?through|FALLTHROUGH|language=|[@#]__))",
    re.IGNORECASE,
)
# What a compiler or a browser takes for the end of a comment, and a grammar does not.
_ENDS = {
    "java": re.compile(rb"\\u+[0-9a-fA-F]{4}"),
    "html": re.compile(rb"<!---?>|--!>"),
}
_ANNOTATION = re.compile(rb"@[A-Z]")
"""In comments of PHP, which libraries read."""
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
    acting = acting_comment(comparison)
    if acting:
        return failed(acting)
    if _read(old, texts[0], language) != _read(new, texts[1], language):
        return failed("A comment that a tool reads has changed, or is new, or missing.")
    said = f"{len(before)} tokens were compared one by one: they are equal, only comments differ"
    if language in _SPACED and _spaces(before, texts[0]) != _spaces(after, texts[1]):
        return passed(f"{said}, and space where it may mean something.")
    return passed(f"{said}.", conclusive=True)


def acting_comment(comparison: Comparison) -> str:
    """What to say of a new comment that changes what the code around it does; empty if there is
    none. It may end before the place where it seems to end, or change how the file is read."""
    if comparison.target == "python" and python_trees.has_other_encoding(comparison):
        return "A new comment declares another encoding of the file."
    end = _ENDS.get(comparison.target)
    if end is None or not end.search(comparison.after.encode(errors="surrogatepass")):
        return ""
    before, after = (
        {each.text for each in tokens_of(text.encode(errors="surrogatepass"), comparison.target)[1]}
        for text in (comparison.before, comparison.after)
    )
    hides = any(end.search(text) for text in after - before)
    return "A new comment may end before the place where it seems to end." if hides else ""


def _read(comments: list[Token], code: bytes, language: str) -> list[bytes]:
    """The comments that mean something. With cgo they may be C, above what imports it."""
    all_count = _CGO.search(code) is not None
    return [
        each.text
        for each in comments
        if all_count
        or (language == "php" and _ANNOTATION.search(each.text))
        or (
            _DIRECTIVE.match(each.text.decode(errors="replace"))
            and (not each.text.startswith(b"#!") or each.start == 0)
        )
    ]


def _spaces(tokens: list[Token], code: bytes) -> list[str]:
    """What kind of space stands between each two tokens; a comment counts as space."""
    found = []
    for one, other in itertools.pairwise(tokens):
        between = code[one.end : other.start]
        found.append("line end" if b"\n" in between else "space" if between else "")
    return found


def _line(code: bytes, token: Token) -> int:
    return code.count(b"\n", 0, token.start) + 1
