"""Compare two programs, and list the functions that are not shown to do the same."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths import (
    closures,
    expressions,
    legal,
    operators,
    source,
    statements,
)
from codeintel.engine.equivalence.javascript_paths.lowering import Lowering, Program
from codeintel.engine.equivalence.javascript_paths.source import FUNCTIONS, bare, parts, text, walk
from codeintel.engine.equivalence.javascript_paths.tokens import MAKING_FIELDS, tokens
from codeintel.engine.equivalence.local_edits.line_ends import are_uncertain
from codeintel.engine.equivalence.path_trees import State, UnsupportedError
from codeintel.engine.equivalence.path_trees.text import text_of

_DEPTH = 30_000
MODULE = "the module's own statements"
_DYNAMIC = re.compile(
    r"\b(?:eval|with|Proxy|__proto__|__defineGetter__|caller|callee)\b|new Function"
)
_LITERALS = frozenset({"string", "number", "true", "false", "null"})
_DECLARING = frozenset({"function_declaration", "generator_function_declaration"})


@dataclass(slots=True)
class Unit:
    """A function of the module or of a class.

    :param head: everything about it except the body: how it is declared, and its name.
    """

    node: Node
    head: str


@dataclass(slots=True)
class Units:
    """A program, split into its functions and the rest."""

    root: Node
    program: Program
    is_module: bool
    is_strict: bool
    functions: dict[str, Unit] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    accessors: frozenset[str] = frozenset()
    rest: dict[str, str] = field(default_factory=dict)


def differences(before: str, after: str, language: str) -> list[str] | None:
    """Return the names of the parts that are not shown to do the same, or None if the code
    cannot be followed."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, _DEPTH))
        old, new = _units(before, language), _units(after, language)
        if old is None or new is None:
            return None
        return list(_different(old, new))
    finally:
        sys.setrecursionlimit(limit)


def _units(code: str, language: str) -> Units | None:
    root = source.read(code, language)
    if root is None or _DYNAMIC.search(code) or are_uncertain(code, language):
        return None
    try:
        names = source.Names(root)
        legal.check(root, names)
        return _read(root, names, code)
    except UnsupportedError:
        return None


def _read(root: Node, names: source.Names, code: str) -> Units | None:
    top = names.top(root)
    words = {text(e) for e in source.walk(root) if e.child_count == 0 and e.is_named}
    exported = any(each.type in {"export_statement", "import_statement"} for each in root.children)
    units = Units(
        root,
        Program(names, top=frozenset(top.values())),
        exported or "module.exports" in code,
        exported or next(closures.directives(root), None) is not None,
        words=words,
        accessors=frozenset(source.accessors(root)),
    )
    parts_of = list(_top(root, ""))
    for name, unit, rest in parts_of:
        if name in units.rest:
            return None
        units.rest[name] = rest
        if unit is not None:
            units.functions[name] = unit
    units.program.helpers = dict(_helpers(units))
    units.program.constants = dict(_constants(units))
    return units


def _top(root: Node, path: str) -> Iterator[tuple[str, Unit | None, str]]:
    """Yield the top-level functions, and the text of everything else in order."""
    beginning = list(closures.directives(root))
    for place, node in enumerate(parts(root)):
        inner, head = node, ""
        if node.type == "export_statement":
            declared = node.child_by_field_name("declaration")
            inner, head = declared or node, "export default" if _has(node, "default") else "export"
        if inner.type in _DECLARING:
            name = path + text(source.field(inner, "name"))
            yield name, Unit(inner, f"{head} {closures.marks(inner)}"), head
        elif inner.type == "lexical_declaration" and len(parts(inner)) == 1:
            declared = parts(inner)[0]
            value = declared.child_by_field_name("value")
            name = path + text(source.field(declared, "name"))
            if value is not None and bare(value).type in FUNCTIONS:
                function = bare(value)
                yield name, Unit(function, f"{head} {closures.marks(function)}"), head
            else:
                yield name, None, f"{head} {tokens(inner)}"
        elif inner.type == "class_declaration":
            yield from _class(inner, head)
        else:
            yield f"#{place}", None, f"{'directive ' * (node in beginning)}{tokens(node)}"


def _has(node: Node, kind: str) -> bool:
    return any(each.type == kind for each in node.children)


def _class(node: Node, head: str) -> Iterator[tuple[str, Unit | None, str]]:
    name = text(source.field(node, "name"))
    body = source.field(node, "body")
    before = " ".join(tokens(each) for each in node.children if each != body)
    yield name, None, f"{head} {before}"
    for place, member in enumerate(parts(body)):
        if member.type == "method_definition":
            key = tokens(source.field(member, "name"))
            words = [
                each.type
                for each in member.children
                if each.type in {"static", "async", "get", "set", "*", "static get"}
            ]
            named = f"{name}.{' '.join(words)} {key}"
            decorated = [tokens(e) for e in member.children if e.type == "decorator"]
            yield named, Unit(member, " ".join([*words, *decorated])), ""
        else:
            yield f"{name}.{place}", None, tokens(member)


def _helpers(units: Units) -> Iterator[tuple[str, Node]]:
    """Yield the functions that no other code can call and that exist before any call."""
    names = units.program.names
    top = names.top(units.root)
    for node in parts(units.root):
        inner = node
        if node.type == "lexical_declaration" and len(parts(node)) == 1:
            declared = parts(node)[0]
            value = declared.child_by_field_name("value")
            if value is None or bare(value).type not in FUNCTIONS:
                if value is not None and not _is_literal(value):
                    return
                continue
            name, inner = text(source.field(declared, "name")), bare(value)
        elif node.type in _DECLARING:
            name = text(source.field(node, "name"))
        elif node.type in {"import_statement", "export_statement", "class_declaration"}:
            continue
        else:
            return
        variable = top.get(name, "")
        is_private = units.is_module or name.startswith("_")
        if variable and variable not in names.assigned and is_private:
            yield variable, inner


def _is_literal(node: Node) -> bool:
    return all(
        each.type in _LITERALS | {"array", "object", "pair", "property_identifier"}
        or not each.is_named
        or each.type in {"string_fragment", "escape_sequence"}
        for each in source.walk(bare(node))
    )


def _constants(units: Units) -> Iterator[tuple[str, Node]]:
    names = units.program.names
    top = names.top(units.root)
    for node in parts(units.root):
        if node.type in {"import_statement", "export_statement", *_DECLARING}:
            continue
        if node.type != "lexical_declaration":
            return  # later code can run before its constants exist
        if text(node.children[0]) != "const":
            continue
        for declared in parts(node):
            value = declared.child_by_field_name("value")
            name = text(source.field(declared, "name"))
            variable = top.get(name, "")
            if value is None or not variable:
                continue
            if bare(value).type in _LITERALS or _is_only_asked(variable, bare(value), units):
                yield variable, bare(value)


def _is_only_asked(variable: str, value: Node, units: Units) -> bool:
    """Return whether the program only calls `includes` on an array of constants."""
    if value.type != "array" or any(e.type not in _LITERALS for e in parts(value)):
        return False
    for each in source.walk(units.root):
        if each.type != "identifier" or units.program.names.of(each) != variable:
            continue
        owner = each.parent
        if owner is None or owner.type == "variable_declarator":
            continue
        used = owner.type == "member_expression" and text(source.field(owner, "property"))
        if used != "includes":
            return False
    return True


def _different(old: Units, new: Units) -> Iterator[str]:
    dropped_old, dropped_new = _droppable(old, new), _droppable(new, old)
    for name in old.functions:
        if name not in new.functions:
            if name not in dropped_old:
                yield name
        elif not _same(name, old, new):
            yield name
    for name in new.functions:
        if name not in old.functions and name not in dropped_new:
            yield name
    kept_old = [(n, r) for n, r in old.rest.items() if n not in dropped_old]
    kept_new = [(n, r) for n, r in new.rest.items() if n not in dropped_new]
    if [_placed(each) for each in kept_old] != [_placed(each) for each in kept_new]:
        yield MODULE


def _placed(pair: tuple[str, str]) -> tuple[str, str]:
    name, rest = pair
    return ("#" if name.startswith("#") else name, rest)


def _droppable(units: Units, other: Units) -> set[str]:
    """Return the names that only one program has and only its own functions use."""
    top = units.program.names.top(units.root)
    return {
        name
        for name, variable in top.items()
        if name not in other.words
        and (units.is_module or name.startswith("_") or name.isupper())
        and not units.rest.get(name, "export").startswith("export")
        and (variable in units.program.helpers or variable in units.program.constants)
        and _is_only_called(variable, units)
    }


def _is_only_called(variable: str, units: Units) -> bool:
    if variable in units.program.constants:
        return True
    for each in source.walk(units.root):
        if each.type not in {"identifier", "shorthand_property_identifier"}:
            continue
        if units.program.names.of(each) != variable:
            continue
        owner = each.parent
        called = (
            owner is not None
            and owner.type == "call_expression"
            and owner.child_by_field_name("function") == each
        )
        declared = (
            owner is not None
            and owner.type in {"variable_declarator", *_DECLARING}
            and owner.child_by_field_name("name") == each
        )
        if not called and not declared:
            return False
    return True


def _same(name: str, old: Units, new: Units) -> bool:
    one, two = old.functions[name], new.functions[name]
    if tokens(one.node) == tokens(two.node) and one.head == two.head:
        return True
    if one.head != two.head or not _may_be_other(name, one.node, two.node, old, new):
        return False
    acting = old.accessors | new.accessors
    if any(text(each) in acting for unit in (one, two) for each in walk(unit.node)):
        return False
    try:
        return _text(one, old) == _text(two, new)
    except UnsupportedError:
        return False


def _may_be_other(name: str, one: Node, two: Node, old: Units, new: Units) -> bool:
    """Return whether two functions may be declared differently.

    Nothing may construct objects with them or run before they exist.
    """
    if one.type == two.type:
        return True
    if closures.is_constructor(one) != closures.is_constructor(two) and not all(
        _is_private(name, units) for units in (old, new)
    ):
        return False
    for units in (old, new):
        code = text(units.root)
        if re.search(rf"\bnew\s+{re.escape(name)}\b|\b{re.escape(name)}\s*\.", code):
            return False
        quiet = {"import_statement", "export_statement", "class_declaration", *_DECLARING}
        for node in parts(units.root):
            if node.type == "lexical_declaration":
                values = [each.child_by_field_name("value") for each in parts(node)]
                if any(v is None or bare(v).type not in FUNCTIONS | _LITERALS for v in values):
                    return False
            elif node.type not in quiet and not _is_quiet(text(node)):
                return False
    return True


def _is_private(name: str, units: Units) -> bool:
    """Return whether a program does not export a function of the module and only calls it."""
    variable = units.program.names.top(units.root).get(name, "")
    is_exported = units.rest.get(name, "export").startswith("export")
    return bool(variable) and not is_exported and _is_only_called(variable, units)


def _is_quiet(code: str) -> bool:
    return not code.strip("; ") or code.startswith("module.exports")


def _text(unit: Unit, units: Units) -> str:
    if closures.has_directives(unit.node):
        raise UnsupportedError("a function with directives")
    program = units.program
    if unit.node.type == "method_definition" and not units.is_strict:
        program = replace(program, helpers={})  # only the method is strict
    low = Lowering(program, expressions.evaluate, operators.ask, statements.block)
    tree = closures.whole(unit.node, State({}), low)
    given = source.parameters(unit.node)
    if any(each.type in MAKING_FIELDS for one in given for each in one.children):
        raise UnsupportedError("parameters that are fields")
    if any(each.type == "identifier" and text(each) == "arguments" for each in walk(unit.node)):
        raise UnsupportedError("a use of `arguments`")
    return f"{unit.head} {closures.required(unit.node)} {len(given)} {text_of(tree)}"
