"""Reject programs that an engine rejects, or that throw where they assign to a constant.

Such programs do not do what their code says, so that following the code proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths.source import (
    FUNCTIONS,
    Names,
    bare,
    field,
    parts,
    pattern_names,
    text,
    walk,
)
from codeintel.engine.equivalence.path_trees import UnsupportedError

_FIXED = frozenset({"const", "class", "import"})
_LEXICAL = _FIXED | {"let"}
_ASSIGNING = frozenset({"assignment_expression", "augmented_assignment_expression"})
_SINGLE = _LEXICAL | {"param", "function", "generator"}
"""Kinds of declarations next to which this comparison allows no other of the same name."""


def check(root: Node, names: Names) -> None:
    """Check the declarations, assignments and suspensions of a program.

    :raises UnsupportedError: if the program cannot run, or may not.
    """
    imports = [(root, each, "import") for each in _imports(root)]
    kinds = _declared([*names.declarations, *imports], root)
    imported = {text(name) for _scope, name, _kind in imports}
    for node in walk(root):
        for target in _targets(node):
            _check_target(target, names, kinds, imported)
        if node.type == "await_expression" or (
            node.type == "await" and node.parent is not None and node.parent.type.startswith("for")
        ):
            _check_suspension(node, "async")
        elif node.type == "yield_expression":
            _check_suspension(node, "*")


def _imports(root: Node) -> Iterator[Node]:
    """Yield the names that a module imports, as this module calls them."""
    for node in walk(root):
        if node.type == "import_clause":
            yield from (each for each in parts(node) if each.type == "identifier")
        elif node.type in {"import_specifier", "namespace_import"}:
            yield from parts(node)[-1:]


def _declared(declarations: Sequence[tuple[Node, Node, str]], root: Node) -> dict[str, str]:
    """Return how each variable is declared, and reject those that are declared twice."""
    found: dict[tuple[int, str], set[str]] = {}
    kinds: dict[str, str] = {}
    for scope, name, kind in declarations:
        key = (_whole(scope).id, text(name))
        known = found.setdefault(key, set())
        if known and (kind in _SINGLE or known & _SINGLE):
            raise UnsupportedError("a variable that is declared twice")
        known.add(kind)
        kinds[f"{text(name)}@{scope.start_byte}.{scope.end_byte}"] = kind
    for _scope, name, kind in declarations:
        if kind == "var":
            _check_hoisted(name, root, found)
    return kinds


def _whole(scope: Node) -> Node:
    """Return the function or handler whose body a block is, or the scope itself."""
    outer = scope.parent
    is_body = outer is not None and (outer.type in FUNCTIONS or outer.type == "catch_clause")
    return outer if outer is not None and scope.type == "statement_block" and is_body else scope


def _check_hoisted(name: Node, root: Node, found: dict[tuple[int, str], set[str]]) -> None:
    """Reject a `var` in a block that declares the variable with `let` or `const`."""
    scope: Node | None = name.parent
    while scope is not None:
        if found.get((scope.id, text(name)), set()) & _LEXICAL:
            raise UnsupportedError("a variable that is declared twice")
        if scope.type in FUNCTIONS or scope == root:
            return
        scope = scope.parent


def _targets(node: Node) -> Iterator[Node]:
    """Yield the parts of a pattern or expression that a node assigns to."""
    if node.type in _ASSIGNING:
        yield from _leaves(field(node, "left"))
    elif node.type == "update_expression":
        yield from _leaves(field(node, "argument"))
    elif node.type == "for_in_statement" and node.child_by_field_name("kind") is None:
        yield from _leaves(field(node, "left"))


def _leaves(node: Node) -> Iterator[Node]:
    node = bare(node)
    if node.type in {"member_expression", "subscript_expression"}:
        yield node
    elif node.type in {"array", "object"} or node.type.endswith("_pattern"):
        yield from pattern_names(node)
        for each in parts(node):
            yield from _leaves(each)
    else:
        yield from pattern_names(node)


def _check_target(target: Node, names: Names, kinds: dict[str, str], imported: set[str]) -> None:
    if target.type in {"member_expression", "subscript_expression"}:
        owner: Node | None = target
        while owner is not None:
            if any(each.type == "optional_chain" for each in owner.children):
                raise UnsupportedError("an assignment to an optional chain")
            owner = owner.child_by_field_name("object") or owner.child_by_field_name("function")
        return
    variable = names.of(target)
    if kinds.get(variable) in _FIXED or (not variable and text(target) in imported):
        raise UnsupportedError("an assignment to a constant")


def _check_suspension(node: Node, mark: str) -> None:
    """Reject `await` and `yield` where the function around them is of another kind."""
    inner, outer = node, node.parent
    while outer is not None and outer.type not in FUNCTIONS:
        if outer.type == "class_body":
            raise UnsupportedError("a suspension in a class")
        inner, outer = outer, outer.parent
    if outer is None:
        if mark == "*":
            raise UnsupportedError("`yield` outside of a function")
        return
    is_marked = any(each.type == mark for each in outer.children)
    is_generator = mark == "*" and "generator" in outer.type
    if not (is_marked or is_generator) or inner != outer.child_by_field_name("body"):
        raise UnsupportedError("a suspension of a function that runs through")
