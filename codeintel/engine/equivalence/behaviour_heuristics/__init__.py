"""V2 checks for models' results: the same constants, no new calls or imports, harmless comments."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from codeintel.base.wording import counted
from codeintel.engine.equivalence import python_trees
from codeintel.engine.equivalence.behaviour_heuristics.changes import (
    changed_constants,
    changed_operations,
)
from codeintel.engine.equivalence.behaviour_heuristics.markup import changed_markup, is_markup
from codeintel.engine.equivalence.behaviour_heuristics.observable import are_observable
from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    Program,
    emptied,
    missing_definitions,
    not_converted,
)
from codeintel.engine.equivalence.behaviour_heuristics.python_operations import python_operations
from codeintel.engine.equivalence.behaviour_heuristics.python_vocabulary import python_vocabulary
from codeintel.engine.equivalence.behaviour_heuristics.reach import (
    new_imports,
    new_reach,
    reaches_outside,
)
from codeintel.engine.equivalence.behaviour_heuristics.tree_operations import tree_operations
from codeintel.engine.equivalence.behaviour_heuristics.tree_vocabulary import (
    can_read,
    tree_vocabulary,
)
from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import (
    Vocabulary,
    changed_numbers,
    changed_texts,
)
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.local_edits.line_ends import UNCERTAIN, are_uncertain
from codeintel.engine.equivalence.local_edits.runs import Token, tokens_of

LANGUAGES = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "go", "html", "java", "javascript", "kotlin", "lua"),
        *("php", "python", "ruby", "rust", "scala", "swift", "typescript", "tsx", "xml"),
    }
)
"""Languages whose comments can be distinguished from code."""

_SPACED = frozenset(
    {
        *("bash", "c", "cpp", "css", "html", "kotlin", "php", "ruby", "scala", "swift", "xml"),
    }
)
"""Languages in which whitespace between tokens can change the meaning, sometimes unseen by the
grammar."""

# Comments that a compiler, a loader or a linter reads.
_DIRECTIVE = re.compile(
    r"^(?:#!|//go:|//\s*\+build|//export |//line |//#|/\*\*?\s*@jsx|<!--\s*\[if|<!\[|#cgo"
    r"|#\s*(?:-\*-|(?:frozen_string_literal|encoding|coding|warn_indent|shareable_constant_value"
    r"|typed|shellcheck)\b)|//\s*swift-tools|[/*#<!\s-]*(?:@ts-|eslint|prettier-|biome-|oxlint"
    r"|tslint|istanbul|c8 ignore|webpack|@vite|@flow|@preserve|@license|@cc_on|NOLINT|NOSONAR"
    r"|clang-format|nolint|noinspection|phpcs|phpstan|rubocop|:nodoc:|noqa|type: ?ignore|ktlint"
    r"|swiftlint|scalastyle|scalafmt|fall ?through|FALLTHROUGH|language=|[@#]__))",
    re.IGNORECASE,
)
# Text that ends a comment for a compiler or a browser, but not for a grammar.
_ENDS = {
    "java": re.compile(rb"\\u+[0-9a-fA-F]{4}"),
    "html": re.compile(rb"<!---?>|--!>"),
}
_ANNOTATION = re.compile(rb"@[A-Z]")
"""PHP annotations in comments, which libraries read."""
_CGO = re.compile(rb'^\s*import\s+"C"', re.MULTILINE)


def comments_only(comparison: Comparison) -> Evidence:
    """Compare all tokens except comments.

    Comments may be added, changed and removed unless a tool reads them. A Python docstring counts
    as a comment if the original had none there.
    """
    language = comparison.language
    if language != comparison.target:
        return not_applicable("Tokens of different languages cannot be compared.")
    if language == "python":
        return python_trees.compare(comparison)
    if language not in LANGUAGES:
        return not_applicable(f"Comments in {language} cannot be distinguished from code.")
    texts = [text.encode(errors="surrogatepass") for text in (comparison.before, comparison.after)]
    (before, old), (after, new) = (tokens_of(text, language) for text in texts)
    for one, other in zip(before, after, strict=False):
        if (one.text, one.joint) != (other.text, other.joint):
            lines = _line(texts[0], one), _line(texts[1], other)
            return failed(
                "More than comments changed: the tokens differ"
                f" (line {lines[0]}, now line {lines[1]})."
            )
    if len(before) != len(after):
        what = "missing" if len(before) > len(after) else "new"
        side, text = (before, texts[0]) if len(before) > len(after) else (after, texts[1])
        line = _line(text, side[min(len(before), len(after))])
        return failed(f"More than comments changed: a token is {what} (line {line}).")
    acting = acting_comment(comparison)
    if acting:
        return failed(acting)
    if _read(old, texts[0], language) != _read(new, texts[1], language):
        return failed("A comment that a tool reads was added, changed or removed.")
    said = f"{len(before)} tokens are equal, only comments differ"
    uncertain = [are_uncertain(text, language) for text in texts]
    if uncertain == [False, True]:
        return failed(UNCERTAIN)
    may_matter = language in _SPACED and _spaces(before, texts[0]) != _spaces(after, texts[1])
    if may_matter or uncertain[0]:
        return passed(f"{said}, and whitespace that may matter.")
    return passed(f"{said}.", conclusive=True)


def acting_comment(comparison: Comparison) -> str:
    """Describe a new comment that changes how the code around it is read.

    Return an empty string if no comment does. Such a comment ends earlier than it seems to, or
    declares another encoding.
    """
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
    """Return the comments that a tool reads.

    With cgo, the comments above `import "C"` can be C code, so all of them count.
    """
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
    """Classify the whitespace between each two tokens. Comments count as whitespace."""
    found = []
    for one, other in itertools.pairwise(tokens):
        between = code[one.end : other.start]
        found.append("line end" if b"\n" in between else "space" if between else "")
    return found


def _line(code: bytes, token: Token) -> int:
    return code.count(b"\n", 0, token.start) + 1


__all__ = ["comments_only", "compare"]
_MAX_SAID = 3


def compare(comparison: Comparison) -> Evidence:
    """Compare constants, operations, imports and calls that reach outside the program.

    The failure is tentative if only operations differ and the program reaches nothing outside:
    running the code can then settle the doubt.
    """
    if not comparison.by_model:
        return not_applicable("Changes by rules are compared in other ways.")
    source, target = comparison.language, comparison.target
    acting = acting_comment(comparison)
    if acting:
        return failed(acting)
    if source == target and is_markup(source):
        return _markup(comparison)
    if not (_can_read(source) and _can_read(target)):
        return not_applicable("The constants of these languages cannot be read.")
    was = _program(comparison.before, source)
    before = _vocabulary(comparison.before, source) if was is not None else None
    if before is None or was is None:
        return not_applicable("The constants of the original could not be read.")
    now = _program(comparison.after, target)
    after = _vocabulary(comparison.after, target) if now is not None else None
    if after is None or now is None:
        return not_applicable("The constants of the result could not be read.")
    same_language = source == target
    numbers = list(changed_numbers(before, after, same_language))
    shows = bool(numbers) and source == target == "python" and _show(comparison)
    faults = [
        *(() if shows else numbers),
        *changed_texts(before, after),
        *new_reach(before, after, same_language, target),
        *emptied(was, now),
        *(_changed(before, after, was, now, target) if same_language else ()),
        *(not_converted(was, now, source, target) if not same_language else ()),
    ]
    doubts = [*(numbers if shows else ()), *(changed_operations(was, now) if same_language else ())]
    if faults or doubts:
        can_settle = not (faults or reaches_outside(before) or reaches_outside(after))
        said = " ".join(dict.fromkeys([*faults, *doubts][:_MAX_SAID]))
        return failed(said, tentative=can_settle)
    imports = " and imports" if same_language else ""
    does = ""
    if same_language and len(was.units) > 1:
        does = f" {counted(len(was.units) - 1, 'function')} compared by kinds of operations."
    constants = f"{counted(len(before.numbers), 'number')} and"
    constants += f" {counted(len(before.texts), 'string')} compared"
    return passed(
        f"{constants}: the result has the same and no others."
        f" Its calls{imports} reach nothing new outside.{does}"
    )


def _show(comparison: Comparison) -> bool:
    """Return whether running both programs reveals the numbers that differ."""
    try:
        return are_observable(comparison.before, comparison.after)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _changed(
    before: Vocabulary, after: Vocabulary, was: Program, now: Program, language: str
) -> Iterator[str]:
    """Yield the faults that can only be found if both sides use the same language."""
    yield from new_imports(before, after, language)
    yield from missing_definitions(was, now)
    yield from changed_constants(was, now)


def _markup(comparison: Comparison) -> Evidence:
    faults = changed_markup(comparison.before, comparison.after, comparison.language)
    if faults is None:
        return not_applicable("The content of the original or the result could not be read.")
    if faults:
        return failed(" ".join(faults[:_MAX_SAID]))
    return passed("The result has the same text and values as the original, and no others.")


def _can_read(language: str) -> bool:
    return language == "python" or can_read(language)


def _vocabulary(code: str, language: str) -> Vocabulary | None:
    if language == "python":
        return python_vocabulary(code)
    return tree_vocabulary(code, language)


def _program(code: str, language: str) -> Program | None:
    if language == "python":
        return python_operations(code)
    return tree_operations(code, language)
