"""`refactor` for SQL: each statement in the usual lines, with not a token changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from typing import ClassVar

from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.contracts.positions import LineTable
from codeintel_plugins.transformations.sql import DIALECTS
from codeintel_plugins.transformations.sql.statements import (
    Statement,
    UnreadableScriptError,
    comments_of,
    dialect_of,
    line_end,
    parsed,
    pieces,
    statements,
    without_mark,
)

_REACH = 24
"""How many tokens apart the two forms may be before they meet again."""
_NEAR = 3
"""How near a single equal word is enough for that."""
_CLOSING = frozenset({",", ")", "]"})
FORMAT = "sql-format"
Edit = Callable[[Statement], tuple[str, tuple[tuple[str, str], ...]] | None]
"""New text for a statement, and the rules with messages that made it; None for no change."""


def laid_out(statement: Statement, tree: exp.Expr, dialect: Dialect) -> str | None:
    """Return the statement in lines; None if that cannot be done without a doubt."""
    try:
        pretty = tree.sql(dialect, pretty=True, comments=False)
        (form,) = statements(pretty, dialect)
    except (SqlglotError, UnreadableScriptError, RecursionError, ValueError):
        return None
    keys, form_keys = _keys(statement), _keys(form)
    may_respell, respelled = _respeller(tree, dialect)
    spots = aligned(keys, form_keys)
    written = _Writer()
    for index, (spot, space) in enumerate(_spaces(spots, keys, form)):
        spelled = statement.slice(index)
        if spot is not None and may_respell(spelled, keys[index]):
            spelled = respelled(keys[index], " ".join(form.slice(spot).split()))
        gap = statement.gap(index) if index else ""
        if "\n" not in space and (spot is None or not index or spots[index - 1] != spot - 1):
            space = " " if gap else ""
        written.add(gap if gap.strip() else "", space if index else "", spelled)
    return _checked(written.text, statement, keys, dialect)


def _keys(statement: Statement) -> list[str]:
    return [" ".join(statement.slice(i).upper().split()) for i in range(len(statement.tokens))]


def _respeller(
    tree: exp.Expr, dialect: Dialect
) -> tuple[Callable[[str, str], bool], Callable[[str, str], str]]:
    """Return two functions: whether a word may be spelled in the case of the pretty form,
    because it is not a name, and its spelling."""
    keywords = dialect.tokenizer_class.KEYWORDS
    # Names of functions tell upper from lower case there.
    is_strict = DIALECTS["clickhouse"] == type(dialect).__name__.lower()
    names = {
        node.name.lower()
        for node in tree.find_all(exp.Identifier, exp.Var, exp.Anonymous, exp.Literal)
    }

    def may(spelled: str, key: str) -> bool:
        if key in keywords:
            return True
        return spelled.isidentifier() and spelled.lower() not in names and not is_strict

    def spelled_so(key: str, form: str) -> str:
        return key if key in keywords and key.lower() not in names else form

    return may, spelled_so


def aligned(keys: Sequence[str], form: Sequence[str]) -> list[int | None]:
    """Return the index of each token's counterpart in the pretty form, if any."""
    spots: list[int | None] = []
    at = 0
    for index in range(len(keys)):
        skipped = _meeting(keys, index, form, at)
        spots.append(None if skipped is None else at + skipped)
        at += 0 if skipped is None else skipped + 1
    return spots


def _meeting(keys: Sequence[str], index: int, form: Sequence[str], at: int) -> int | None:
    """Return the number of tokens of the pretty form before this token's counterpart."""
    if form[at : at + 1] == [keys[index]]:
        return 0
    pair = list(keys[index : index + 2])
    for skipped in range(1, min(_REACH, len(form) - at)):
        if form[at + skipped] == keys[index]:
            is_word = skipped <= _NEAR and keys[index].isidentifier()
            if is_word or form[at + skipped : at + skipped + 2] == pair:
                return skipped
    return None


def _spaces(
    spots: Sequence[int | None], keys: Sequence[str], form: Statement
) -> Iterator[tuple[int | None, str]]:
    """Yield each token's index in the pretty form, and the white space before it.

    A line break before words that only the pretty form has is moved before their counterpart.
    """
    at = 0
    is_replaced = False
    for index, spot in enumerate(spots):
        if spot is None and keys[index] in _CLOSING:
            yield None, ""
        elif spot is None:
            following = next((each for each in spots[index:] if each is not None), len(form.tokens))
            breaks = [] if is_replaced else _breaks(form, at, following)
            is_replaced = True
            yield None, breaks[0] if breaks else " "
        else:
            breaks = [] if is_replaced else _breaks(form, at, spot)
            own = form.gap(spot) if spot else ""
            yield spot, breaks[0] if breaks else own
            at, is_replaced = spot + 1, False


def _breaks(form: Statement, first: int, last: int) -> list[str]:
    gaps = (form.gap(each) for each in range(max(first, 1), last))
    return [gap for gap in gaps if "\n" in gap]


class _Writer:
    """Puts tokens, white space and comments together."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line = ""

    @property
    def text(self) -> str:
        """What was written so far."""
        return "".join(self._parts)

    def add(self, comments: str, space: str, spelled: str) -> None:
        """Add a token, after white space and the comments before it."""
        if comments:
            space = self._comments(comments, space)
            space = "" if space == " " and spelled in _CLOSING else space
        self._put(space)
        self._put(spelled)

    def _comments(self, gap: str, space: str) -> str:
        """Write the comments, and return the white space after them."""
        deeper = space if "\n" in space else f"\n{self._indent()}  "
        is_own_line = must_break = False
        for piece in pieces(gap):
            if piece.isspace():
                is_own_line = is_own_line or "\n" in piece or "\r" in piece
                continue
            self._put(deeper if is_own_line or must_break else " ")
            self._put(piece)
            must_break = not piece.startswith("/*") or is_own_line
            is_own_line = False
        return deeper if must_break or is_own_line or "\n" in space else " "

    def _indent(self) -> str:
        return self._line[: len(self._line) - len(self._line.lstrip())]

    def _put(self, part: str) -> None:
        self._parts.append(part)
        _, end, after = part.rpartition("\n")
        self._line = after if end else self._line + part


def _checked(text: str, statement: Statement, keys: list[str], dialect: Dialect) -> str | None:
    """Return the text, if it has the tokens and comments of the statement."""
    try:
        (again,) = statements(text, dialect)
    except (UnreadableScriptError, ValueError):
        return None
    same_tokens = again.start == 0 and again.end == len(text) and _keys(again) == keys
    return text if same_tokens and comments_of(again) == comments_of(statement) else None


class SqlRefactor(Transformation):
    """The layout of each statement. One that sqlglot does not understand stays as it is."""

    name: ClassVar[str] = "sqlglot-format"
    kind: ClassVar[str] = "refactor"
    languages: ClassVar[frozenset[str]] = frozenset(DIALECTS)
    equivalence: ClassVar[Equivalence | None] = Equivalence.QUERY_PLAN
    timeout: float = 25.0

    def __init__(self) -> None:
        self.version = version("sqlglot")

    def preload(self) -> None:
        dialect_of("postgres").tokenize("SELECT 1")

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        if FORMAT in request.without:
            return Rewrite(code=request.code)
        dialect = dialect_of(request.language)

        def layout(statement: Statement) -> tuple[str, tuple[tuple[str, str], ...]] | None:
            return _layout(statement, dialect)

        return edited(request, dialect, layout)


def _layout(
    statement: Statement, dialect: Dialect
) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    tree = parsed(statement, dialect)
    text = laid_out(statement, tree, dialect) if tree is not None else None
    if text is None:
        return None
    return text, ((FORMAT, "Laid the statement out in lines; keywords are in upper case"),)


def edited(request: RewriteRequest, dialect: Dialect, edit: Edit) -> Rewrite:
    """Apply `edit` to each statement of the script.

    :raises Unsupported: if the script cannot be split into tokens.
    """
    mark, text = without_mark(request.code)
    try:
        found = statements(text, dialect)
    except UnreadableScriptError:
        raise Unsupported(
            "line 1: a string or comment is not closed, or the script is too long"
        ) from None
    parts, changes, at = [mark], [], 0
    lines, end = LineTable(request.code), line_end(text)
    for statement in found:
        outcome = edit(statement)
        parts.append(text[at : statement.start])
        new = statement.source if outcome is None else with_ends(outcome[0], statement.source, end)
        parts.append(new)
        at = statement.end
        if outcome is not None and new != statement.source:
            place = lines.span(statement.start + len(mark), statement.end + len(mark))
            changes += [Change(rule=rule, message=said, range=place) for rule, said in outcome[1]]
    parts.append(text[at:])
    return Rewrite(code="".join(parts), changes=tuple(changes))


def with_ends(new: str, old: str, end: str) -> str:
    """Give new lines the line ends of the old ones. If the old ones are mixed, as in strings,
    nothing is changed."""
    if end == "\n" or re.search(r"(?<!\r)\n", old):
        return new
    return re.sub(r"(?<!\r)\n", end, new)
