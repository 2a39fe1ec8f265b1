"""What Rust's types tell of values: which hold no text, and what a pattern's variables are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

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
    """The types that a file declares. `plain_fields` are the names of fields that only ever hold
    numbers, flags, dates or one of some names."""

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
        """Whether values of a type hold no text."""
        text = text.strip()
        if text.strip("& ") in self._enums or _PLAIN.fullmatch(text):
            return True
        around = _AROUND.fullmatch(text)
        if around is None or (around[1].strip() == "u8" and not _OPTIONAL.match(text)):
            return False  # many bytes are text
        first = around[1].strip()
        if first.startswith("(") and first.endswith(")"):
            return all(self.is_plain(each) for each in first[1:-1].split(","))
        if text.lstrip("&").partition("<")[0].endswith("Result"):
            first = first.partition(",")[0]
        return self.is_plain(first)

    def told(self, text: str) -> str:
        """A type as the interpreter wants to know it: all that hold no text are numbers."""
        return _NUMBER if self.is_plain(text) else text


def _carries(enum: SgNode) -> bool:
    return any(
        enum.find(kind=kind) is not None
        for kind in ("ordered_field_declaration_list", "field_declaration_list")
    )


def bindings(pattern: SgNode, type_: SgNode | None, types: Types) -> Iterator[tuple[SgNode, str]]:
    """The variables in a pattern, each with its type as far as the pattern's tells."""
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
    """The names of the functions that are given to a router."""
    text = root.text()
    return frozenset(_ROUTED.findall(text)) if _METHOD.search(text) else frozenset()
