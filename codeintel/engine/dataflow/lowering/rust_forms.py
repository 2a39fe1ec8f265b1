"""Forms of Rust alone: types, leaving by `Err` and `None`, and macros that take expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Argument,
    Branch,
    Call,
    Expr,
    Leave,
    Loop,
    Name,
    Return,
    Sequence,
    Stmt,
)
from codeintel.engine.dataflow.tree import Span, Tree, parse, span, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_NUMBER = "u32"
_PLAIN = re.compile(
    r"&?\s{0,2}(?:'\w+ )?(?:mut )?(?:\w+::)*(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char"
    r"|NonZero\w{1,8}|Uuid|Ulid|ObjectId|DateTime<[\w:]{1,30}>|Naive(?:Date|Time|DateTime)|Date"
    r"|OffsetDateTime|Duration|Ipv[46]Addr|IpAddr|SocketAddr|Decimal|BigDecimal|StatusCode|Method)"
)
_AROUND = re.compile(
    r"&?\s{0,2}(?:'\w+ )?(?:mut )?(?:\w+::)*"
    r"(?:Path|Query|Json|Form|Option|Result|Vec|HashSet|BTreeSet|Box|Arc|Some|Ok)<(.{1,200})>",
    re.DOTALL,
)
_OPTIONAL = re.compile(r"&?\s{0,2}(?:'\w+ )?(?:mut )?(?:\w+::)*(?:Option|Path|Some)<")
_ROUTED = re.compile(
    r"\b(?:get|post|put|delete|patch|any|to|handler|service|service_fn|handle|at|options|head"
    r"|and_then|fallback)"
    r"\(\s{0,20}&?(?:\w+::)*([a-z_]\w*)\s{0,20}\)"
)
_METHOD = re.compile(
    r"\bmethod_router|Router::new|\.route\(|web::|warp::|\.at\(|service_fn|\.push\("
)


class Types:
    """The types that a file declares.

    `plain_fields` are the names of fields that only hold numbers, flags, dates or enum values.
    """

    def __init__(self, root: SgNode) -> None:
        self._enums = frozenset(
            name.text()
            for node in root.find_all(kind="enum_item")
            if (name := node.field("name")) is not None and not _carries(node)
        )
        plain: dict[str, bool] = {}
        for node in root.find_all(kind="field_declaration"):
            field, type_ = node.field("name"), node.field("type")
            if field is not None and type_ is not None:
                known = plain.get(field.text(), True)
                plain[field.text()] = known and self.is_plain(type_.text())
        self.plain_fields = frozenset(name for name, known in plain.items() if known)

    def is_plain(self, text: str) -> bool:
        """Return whether values of a type hold no text."""
        text = text.strip()
        if text.strip("& ") in self._enums or _PLAIN.fullmatch(text):
            return True
        around = _AROUND.fullmatch(text)
        if around is None or (around[1].strip() == "u8" and not _OPTIONAL.match(text)):
            return False  # a sequence of bytes is text
        first = around[1].strip()
        if first.startswith("(") and first.endswith(")"):
            return all(self.is_plain(each) for each in first[1:-1].split(","))
        if text.lstrip("&").partition("<")[0].endswith("Result"):
            first = first.partition(",")[0]
        return self.is_plain(first)

    def told(self, text: str) -> str:
        """Return a type as the interpreter expects it: types without text count as numbers."""
        return _NUMBER if self.is_plain(text) else text


def _carries(enum: SgNode) -> bool:
    return any(
        enum.find(kind=kind) is not None
        for kind in ("ordered_field_declaration_list", "field_declaration_list")
    )


def bindings(pattern: SgNode, type_: SgNode | None, types: Types) -> Iterator[tuple[SgNode, str]]:
    """Yield the variables in a pattern, each with its type as far as the pattern's type tells."""
    kind = pattern.kind()
    text = types.told(type_.text()) if type_ is not None else ""
    if kind in ("identifier", "shorthand_field_identifier"):
        yield pattern, text
    elif kind == "tuple_struct_pattern":
        inner = _arguments(type_)
        for position, child in enumerate(pattern.named_children()[1:]):
            yield from bindings(child, inner[position] if position < len(inner) else None, types)
    elif kind == "tuple_pattern":
        children = pattern.named_children()
        parts = type_.named_children() if type_ is not None and type_.kind() == "tuple_type" else []
        for position, child in enumerate(children):
            known = parts[position] if len(parts) == len(children) else None
            yield from bindings(child, known, types)
    elif kind == "field_pattern":
        first, *rest = pattern.named_children()
        for name, found in bindings(rest[-1] if rest else first, None, types):
            yield name, _NUMBER if first.text() in types.plain_fields else found
    elif kind == "struct_pattern":
        for child in pattern.named_children()[1:]:
            yield from bindings(child, None, types)
    elif kind in ("mut_pattern", "ref_pattern", "reference_pattern", "captured_pattern"):
        for child in pattern.named_children():
            yield from bindings(child, type_, types)


def _arguments(type_: SgNode | None) -> list[SgNode]:
    if type_ is None or type_.kind() != "generic_type":
        return []
    arguments = type_.field("type_arguments")
    return arguments.named_children() if arguments is not None else []


def routed_functions(root: SgNode) -> frozenset[str]:
    """Return the names of the functions that are passed to a router."""
    text = root.text()
    return frozenset(_ROUTED.findall(text)) if _METHOD.search(text) else frozenset()


def refusing(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Turn returns of `Err(...)` and `None` in a function's body into leaving.

    If one path of the last branch refuses, the body continues with the other.
    """
    made: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Return) and _refuses(statement.value):
            made.append(Leave(statement.span, statement.value))
        elif isinstance(statement, Sequence | Loop):
            made.append(statement._replace(body=refusing(statement.body)))
        elif isinstance(statement, Branch):
            made += _one_way(
                statement._replace(
                    then=refusing(statement.then), otherwise=refusing(statement.otherwise)
                )
            )
        else:
            made.append(statement)
    return tuple(made)


def _one_way(branch: Branch) -> tuple[Stmt, ...]:
    if _left(branch.then) and branch.otherwise:
        return (branch._replace(otherwise=()), *branch.otherwise)
    if _left(branch.otherwise) and branch.then:
        return (branch._replace(then=()), *branch.then)
    return (branch,)


def _left(body: tuple[Stmt, ...]) -> bool:
    last = body[-1] if body else None
    if isinstance(last, Sequence):
        return _left(last.body)
    return isinstance(last, Leave) and last.value is not None


def _refuses(value: Expr | None) -> bool:
    if isinstance(value, Name):
        return value.id == "None"
    return isinstance(value, Call) and isinstance(value.callee, Name) and value.callee.id == "Err"


def may_leave(body: tuple[Stmt, ...]) -> bool:
    """Return whether a branch of a loop's body returns."""
    return any(
        (isinstance(each, Branch) and _may_return((*each.then, *each.otherwise)))
        or (isinstance(each, Sequence) and may_leave(each.body))
        for each in body
    )


def _may_return(body: tuple[Stmt, ...]) -> bool:
    return any(
        isinstance(each, Return)
        or (isinstance(each, Sequence) and _may_return(each.body))
        or (isinstance(each, Branch) and _may_return((*each.then, *each.otherwise)))
        for each in body
    )


MARK = "ǃ"
"""U+01C3, a letter that looks like an exclamation mark."""
INLINE = re.compile(r"\{([A-Za-z_]\w*)[:}]")
"""A variable that a format names within its text."""
_LOGGING = frozenset(["info", "warn", "error", "debug", "trace", "event", "log", "span"])
_TAKING = _LOGGING | frozenset(
    [
        "format",
        "format_args",
        "print",
        "println",
        "eprint",
        "eprintln",
        "write",
        "writeln",
        "dbg",
        "panic",
        "todo",
        "unimplemented",
        "unreachable",
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "vec",
        "matches",
        "bail",
        "ensure",
        "anyhow",
        "eyre",
        "format_err",
        "query",
        "query_as",
        "query_scalar",
        "query_unchecked",
        "params",
        "named_params",
        "join",
        "try_join",
        "concat",
        "err_context",
        "with_context",
        "try",
        "ready",
        "pin",
    ]
)
# `%name` and `?name` say how a value is logged.
_SIGIL = re.compile(r"(?<=[(,=])(\s{0,40})[%?](?=[\w&*(])")
_OPENING = {"(": ")", "[": "]"}


def expose_macros(tree: Tree) -> Tree:
    """Return the tree of the same text with macros as calls."""
    from ast_grep_py import SgRoot

    text = list(text_of(tree))
    found = False
    for arguments in tree.root.find_all(kind="token_tree"):
        found = _expose(arguments, text) or found
    return Tree(SgRoot("".join(text), "rust").root(), tree.offset, "rust") if found else tree


@lru_cache(maxsize=2)
def with_macros_as_calls(text: str) -> SgNode | None:
    """Return the tree of a text with its macros as calls, or None if no macro is read so."""
    tree = parse(text, "rust")
    exposed = expose_macros(tree)
    return exposed.root if exposed is not tree else None


def find_in_macros(text: str, config: dict[str, Any]) -> list[SgNode]:
    """Return what an ast-grep rule finds when macros are calls."""
    exposed = with_macros_as_calls(text)
    if exposed is None:
        return []
    return list(exposed.find_all(config))  # type: ignore[call-overload]


def _expose(arguments: SgNode, text: list[str]) -> bool:
    mark = arguments.prev()
    name = mark.prev() if mark is not None and mark.text() == "!" else None
    if mark is None or name is None:
        return False
    word, place = name.text().rpartition("::")[2], span(arguments)
    if word not in _TAKING or text[place.start] not in _OPENING:
        return False
    inner = "".join(text[place.start : place.end])
    if word in _LOGGING:
        if "target:" in inner:
            return False
        inner = _SIGIL.sub(r"\1&", inner)
    text[place.start : place.end] = inner
    text[span(mark).start] = MARK
    _bracket(arguments, place, text)
    return True


def _bracket(arguments: SgNode, place: Span, text: list[str]) -> None:
    """Replace the brackets of `vec![...]` by parentheses, and its semicolon by a comma."""
    if text[place.start] == "[":
        text[place.start], text[place.end - 1] = "(", ")"
        for child in arguments.children():
            if child.text() == ";":
                text[span(child).start] = ","


def macro_arguments(tree: SgNode | None) -> Iterator[Argument]:
    """Yield the names in a Rust macro's tokens, including `{name}` within the text."""
    if tree is None:
        return
    for child in tree.named_children():
        kind = child.kind()
        if kind in kinds.IDENTIFIERS:
            yield Argument(Name(span(child), child.text()), None)
        elif kind == "token_tree":
            yield from macro_arguments(child)
        elif kind in kinds.STRINGS:
            for match in INLINE.finditer(child.text()):
                yield Argument(Name(span(child), match[1]), None)
