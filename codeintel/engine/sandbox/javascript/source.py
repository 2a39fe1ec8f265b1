"""Read a JavaScript program: its text without types, its functions and their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from codeintel.engine.equivalence.local_edits.line_ends import are_uncertain
from codeintel.engine.equivalence.type_removal import (
    MoreThanTypesError,
    erased,
    typescript_tree,
    without_tag_types,
)
from codeintel.engine.syntax import source_of

FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    }
)
_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration"})
_MAX_DEPTH = 120
_COMMENTS = frozenset({"comment", "html_comment"})
_MODULE = ""


class UnreadableError(Exception):
    """The program cannot be prepared. The message says why, as the end of a sentence."""


@dataclass
class Unit:
    """A function, a method, a class without its methods, or a variable of the module.

    :param name: `f`, `C.m`, or an empty string for the other statements of a module.
    :param nodes: the definition, or several statements.
    :param words: the tokens.
    :param shape: the tokens and the constructs that they form, to compare it with the other
        program's. Semicolons only count as empty statements.
    :param names: the names that it reads.
    """

    name: str
    sort: str
    nodes: list[Node]
    words: list[bytes] = field(default_factory=list)
    shape: list[bytes] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    @property
    def function(self) -> Node | None:
        """Return the function, if the unit is one."""
        return self.nodes[0] if self.nodes and self.nodes[0].type in FUNCTIONS else None


@dataclass
class Program:
    """A program that can run as a script.

    :param text: the program without types and without `export`, with the same lines.
    :param units: what it defines, by name.
    :param public: the names that it exports, or None if it exports nothing.
    :param is_module: whether it uses the syntax of modules, which is always strict.
    """

    text: str
    root: Node
    units: dict[str, Unit]
    public: set[str] | None
    is_module: bool


def read(code: str, language: str) -> Program:
    """Return the program.

    :raises UnreadableError: if it is not JavaScript or has more than types.
    """
    data = code.removeprefix("\ufeff").encode()
    if language == "typescript":
        data = without_types(data)
    root = source_of(data).root("javascript")
    if root.has_error:
        raise UnreadableError("it cannot be read as JavaScript")
    bare, public, is_module = _without_exports(data, root)
    root = source_of(bare).root("javascript")
    if root.has_error:
        raise UnreadableError("its exports cannot be read")
    if are_uncertain(bare, "javascript"):
        raise UnreadableError("it has line ends that may end a statement")
    _check_depth(root)
    units = _units(root)
    return Program(bare.decode(), root, units, public or _assigned(root), is_module)


def without_types(data: bytes) -> bytes:
    """Return TypeScript with its types replaced by spaces.

    :raises UnreadableError: if it has constructs other than types that JavaScript lacks.
    """
    readable, _ = without_tag_types(data)
    root = typescript_tree(readable)
    if root.has_error:
        raise UnreadableError("it cannot be read as TypeScript")
    bare = bytearray(readable)
    try:
        for node in walk(root):
            for start, end in erased(node):
                _blank(bare, start, end)
            if node.type in ("<", ">") and node.parent and node.parent.type == "type_assertion":
                raise MoreThanTypesError
            if node.type == "this" and _is_typed_receiver(node):
                _blank(bare, node.start_byte, _after_comma(bare, node.end_byte))
            if node.type == "accessibility_modifier" and _is_parameter(node):
                raise MoreThanTypesError
    except MoreThanTypesError:
        raise UnreadableError("it has more than types that JavaScript lacks") from None
    return bytes(bare)


def _is_typed_receiver(node: Node) -> bool:
    outer = node.parent
    return outer is not None and outer.type == "required_parameter"


def _is_parameter(node: Node) -> bool:
    outer = node.parent
    return outer is not None and outer.type.endswith("_parameter")


def _after_comma(data: bytearray, at: int) -> int:
    while at < len(data) and data[at : at + 1].isspace():
        at += 1
    return at + 1 if data[at : at + 1] == b"," else at


def _blank(data: bytearray, start: int, end: int) -> None:
    data[start:end] = bytes(each if each in b"\r\n" else 32 for each in data[start:end])


def _without_exports(data: bytes, root: Node) -> tuple[bytes, set[str], bool]:
    """Blank out `export`, and return the exported names and whether there is syntax of modules.

    :raises UnreadableError: for imports, and for `export` without a definition.
    """
    bare = bytearray(data)
    public: set[str] = set()
    is_module = False
    for node in root.children:
        if node.type == "import_statement":
            raise UnreadableError("it imports modules")
        if node.type != "export_statement":
            continue
        is_module = True
        inner = node.child_by_field_name("declaration")
        if inner is not None and node.child_by_field_name("decorator") is None:
            names = set(_declared(inner))
            if not names:
                raise UnreadableError("it exports something without a name")
            public |= names
            _blank(bare, node.start_byte, inner.start_byte)
        else:
            public |= _listed(node)
            _blank(bare, node.start_byte, node.end_byte)
    return bytes(bare), public, is_module


def _listed(node: Node) -> set[str]:
    """Return the names in `export { a, b }` or `export default a`.

    :raises UnreadableError: for other forms.
    """
    value = node.child_by_field_name("value")
    if value is not None and value.type == "identifier":
        return {text_of(value)}
    clause = next((each for each in node.children if each.type == "export_clause"), None)
    if clause is None or node.child_by_field_name("source") is not None:
        raise UnreadableError("it exports something that it does not define")
    specifiers = [each for each in clause.children if each.type == "export_specifier"]
    if any(each.child_by_field_name("alias") is not None for each in specifiers):
        raise UnreadableError("it renames what it exports")
    return {text_of(each) for each in specifiers}


def _declared(node: Node) -> Iterator[str]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield text_of(name)
    for each in node.named_children:
        if each.type == "variable_declarator":
            yield from _declared(each)


def _assigned(root: Node) -> set[str] | None:
    """Return the names in `module.exports = { a, b }`, or None."""
    for statement in root.children:
        node = statement.named_children[0] if statement.type == "expression_statement" else None
        if node is None or node.type != "assignment_expression":
            continue
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or text_of(left) != "module.exports":
            continue
        if right.type == "identifier":
            return {text_of(right)}
        if right.type == "object":
            return {
                text_of(each)
                for each in right.named_children
                if each.type == "shorthand_property_identifier"
            }
    return None


def _check_depth(root: Node) -> None:
    """Reject trees that are nested too deeply, because the probes are added recursively."""
    level = [root]
    for _ in range(_MAX_DEPTH):
        level = [child for node in level for child in node.children]
        if not level:
            return
    raise UnreadableError("it is nested too deeply")


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything in it, in the order of the text."""
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        stack.extend(reversed(each.children))


def text_of(node: Node | None) -> str:
    """Return the text of a node, or an empty string."""
    return (node.text or b"").decode() if node is not None else ""


def _units(root: Node) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for statement in root.named_children:
        for unit in _of_statement(statement):
            if unit.name in units:
                units[unit.name].nodes += unit.nodes
            else:
                units[unit.name] = unit
    for unit in units.values():
        _describe(unit)
    return units


def _of_statement(node: Node) -> Iterator[Unit]:
    if node.type in _DECLARATIONS:
        yield Unit(text_of(node.child_by_field_name("name")), "function", [node])
    elif node.type == "class_declaration":
        yield from _of_class(text_of(node.child_by_field_name("name")), node)
    elif node.type in ("lexical_declaration", "variable_declaration"):
        for each in node.named_children:
            yield from _of_variable(each)
    elif node.type == "expression_statement":
        yield _of_expression(node)
    elif node.type not in ("comment", "empty_statement"):
        yield Unit(_MODULE, "module", [node])


def _of_variable(node: Node) -> Iterator[Unit]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or name.type != "identifier":
        if node.type != "comment":
            yield Unit(_MODULE, "module", [node])
    elif value is not None and value.type in FUNCTIONS:
        yield Unit(text_of(name), "function", [value])
    elif value is not None and value.type == "class":
        yield from _of_class(text_of(name), value)
    else:
        yield Unit(text_of(name), "variable", [node])


def _of_expression(node: Node) -> Unit:
    """Return `C.prototype.m = function ...` as a method, and other expressions as statements."""
    inner = node.named_children[0] if node.named_children else node
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if inner.type == "assignment_expression" and left is not None and right is not None:
        parts = text_of(left).split(".")
        if len(parts) == 3 and parts[1] == "prototype" and right.type in FUNCTIONS:
            return Unit(f"{parts[0]}.{parts[2]}", "method", [right])
    return Unit(_MODULE, "module", [node])


def _of_class(name: str, node: Node) -> Iterator[Unit]:
    body = node.child_by_field_name("body")
    rest = Unit(name, "class", [each for each in node.children if each != body])
    yield rest
    for member in body.named_children if body is not None else ():
        key = member.child_by_field_name("name")
        if member.type == "method_definition" and key is not None:
            kind = next((text_of(c) for c in member.children if c.type in ("get", "set")), "")
            yield Unit(f"{name}.{kind and kind + ' '}{text_of(key)}", "method", [member])
        elif member.type != "comment":
            rest.nodes.append(member)


def _describe(unit: Unit) -> None:
    """Collect the tokens, the shape and the names of a unit."""
    for node in unit.nodes:
        unit.shape.extend(_shape(node))
        for each in walk(node):
            if each.type in _COMMENTS or (each.parent and each.parent.type in _COMMENTS):
                continue
            if not each.children and each.type != ";":
                unit.words.append(each.text or b"")
            if each.type.endswith("identifier") or each.type.endswith("identifier_pattern"):
                unit.names.add(text_of(each))


def _shape(node: Node) -> Iterator[bytes]:
    """Yield the type of each construct, its parts, and its end."""
    if node.type in _COMMENTS:
        return
    if node.type in ("string", "regex") or not node.children:
        if node.type != ";":
            yield node.text or b""
        return
    yield node.type.encode()
    for each in node.children:
        yield from _shape(each)
    yield b""


def changed(before: Program, after: Program) -> set[str]:
    """Return the names of the units that differ or that only one program has."""
    names = before.units.keys() | after.units.keys()
    return {
        name
        for name in names
        if (one := before.units.get(name)) is None
        or (other := after.units.get(name)) is None
        or one.shape != other.shape
        or one.sort != other.sort
    }


def affected(programs: tuple[Program, Program], changed_names: set[str]) -> set[str]:
    """Return the units that are changed or use changed ones, directly or not."""
    found = set(changed_names)
    while more := _users(programs, found) - found:
        found |= more
    return found


def _users(programs: tuple[Program, Program], names: set[str]) -> set[str]:
    """Return the units that refer to some units. All depend on the statements of the module."""
    words = {part for name in names for part in _spoken(name)}
    return {
        name
        for program in programs
        for name, unit in program.units.items()
        if not unit.names.isdisjoint(words) or _MODULE in names
    }


def readers(programs: tuple[Program, Program], changed_names: set[str]) -> set[str]:
    """Return the units that use changed variables, classes or statements of the module.

    Calls show such a change only through the functions that use it.
    """
    found: set[str] = set()
    left = set(changed_names)
    while left := {each for each in left if not _is_function(each, programs)}:
        classes = {
            name for program in programs for name in program.units if name.partition(".")[0] in left
        }
        left = (_users(programs, left) | classes) - found
        found |= left
    return found


def _is_function(name: str, programs: tuple[Program, Program]) -> bool:
    units = [each.units[name] for each in programs if name in each.units]
    return all(each.function is not None for each in units)


def _spoken(name: str) -> set[str]:
    """Return the words by which code refers to a unit."""
    owner, _, member = name.partition(".")
    return {owner, member.rpartition(" ")[2]} - {""} if member else {owner}
