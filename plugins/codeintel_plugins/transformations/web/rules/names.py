"""`var` that can be `let` or `const`, and `let` that can be `const`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule
from codeintel_plugins.transformations.web.scopes import FUNCTIONS, LOOPS, Binding, Use, leaves
from codeintel_plugins.transformations.web.trees import text

_PLACES = frozenset({"program", "statement_block", "export_statement"})
_OF_COMMONJS = frozenset({"require", "module", "exports"})
_HOISTED = frozenset({"function_declaration", "generator_function_declaration"})


def _no_var(context: Context) -> Iterator[list[Piece]]:
    if context.scopes.is_dynamic:
        return
    is_module = context.is_module() or _is_commonjs(context)
    for node in context.each("variable_declaration"):
        names = [leaf for each in _declarators(node) for leaf in leaves(each.children[0])]
        bindings = [context.scopes.binding(leaf) for leaf in names]
        if node.parent is None or not names or node.parent.type not in _PLACES | {"for_statement"}:
            continue
        if all(
            binding is not None and _is_local(binding, is_module) and _fits(binding, node, leaf)
            for binding, leaf in zip(bindings, names, strict=True)
        ):
            word = "const" if _is_constant(node, context) else "let"
            yield [Piece(node.start_byte, node.children[0].end_byte, word)]
    for node in context.each("for_in_statement"):
        kind, left = node.child_by_field_name("kind"), node.child_by_field_name("left")
        if kind is None or left is None or text(kind) != "var":
            continue
        bindings = [context.scopes.binding(leaf) for leaf in leaves(left)]
        if not all(
            binding is not None and _is_local(binding, is_module) and _fits(binding, node, left)
            for binding in bindings
        ):
            continue
        written = any(binding is None or binding.writes for binding in bindings)
        yield [Piece(kind.start_byte, kind.end_byte, "let" if written else "const")]


def _prefer_const(context: Context) -> Iterator[list[Piece]]:
    if context.scopes.is_dynamic:
        return
    is_module = context.is_module() or _is_commonjs(context)
    for node in context.each("lexical_declaration"):
        ambient = node.parent is not None and node.parent.type == "ambient_declaration"
        if text(node.children[0]) != "let" or ambient or not _is_constant(node, context):
            continue
        names = [leaf for each in _declarators(node) for leaf in leaves(each.children[0])]
        bindings = [context.scopes.binding(leaf) for leaf in names]
        # Another script may write the names that a script declares for all.
        if all(binding is not None and _is_local(binding, is_module) for binding in bindings):
            yield [Piece(node.start_byte, node.children[0].end_byte, "const")]
    for node in context.each("for_in_statement"):
        kind, left = node.child_by_field_name("kind"), node.child_by_field_name("left")
        if kind is None or left is None or text(kind) != "let":
            continue
        bindings = [context.scopes.binding(leaf) for leaf in leaves(left)]
        if all(each is not None and not each.writes for each in bindings):
            yield [Piece(kind.start_byte, kind.end_byte, "const")]


def _declarators(node: Node) -> list[Node]:
    return [each for each in node.named_children if each.type == "variable_declarator"]


def _is_commonjs(context: Context) -> bool:
    """Return whether Node.js would wrap the file into a function."""
    asked = {
        text(node.child_by_field_name("argument"))
        for node in context.each("unary_expression")
        if text(node.children[0]) == "typeof"
    }
    if asked & _OF_COMMONJS:
        return False  # it wants to run elsewhere, too
    declared = context.scopes.root.names
    return any(
        name in context.scopes.free or (name in declared and _is_ambient(declared[name]))
        for name in _OF_COMMONJS
    )


def _is_ambient(binding: Binding) -> bool:
    """Return whether a name is an ambient declaration of TypeScript."""
    node: Node | None = binding.declared[0]
    while node is not None and node.type != "ambient_declaration":
        node = node.parent
    return node is not None


def _is_local(binding: Binding, is_module: bool) -> bool:
    return is_module or binding.scope.outer is not None


def _fits(binding: Binding, node: Node, leaf: Node) -> bool:
    """Return whether limiting a name to its block, after this position, makes no difference."""
    if (
        len(binding.declared) != 1
        or binding.is_hidden
        or binding.name in ("let", "undefined", "arguments")
    ):
        return False
    block = _block(node)
    declarator = leaf
    while declarator.parent is not None and declarator.parent.id != node.id:
        declarator = declarator.parent
    begin = declarator.end_byte if node.type != "for_in_statement" else node.start_byte
    if node.type == "for_in_statement" and _uses_in_source(binding, node):
        return False
    if any(
        use.node.start_byte < begin or use.node.end_byte > block.end_byte for use in binding.uses
    ):
        return False
    loops = _is_in_loop(node, binding)
    if loops and any(use.scope.function is not binding.scope for use in binding.uses):
        return False  # each iteration would have its own variable
    if loops and node.type == "variable_declaration" and node.parent is not None:
        turns = node.parent if node.parent.type == "for_statement" else node
        has_value = declarator.child_by_field_name("value") is not None
        if not has_value and _is_in_loop(turns, binding):
            return False  # it keeps its value from turn to turn
    return not _called_before(binding, node)


def _uses_in_source(binding: Binding, node: Node) -> bool:
    right = node.child_by_field_name("right")
    return right is not None and any(
        right.start_byte <= use.node.start_byte < right.end_byte for use in binding.uses
    )


def _block(node: Node) -> Node:
    """Return the node in which a name that `let` declares is visible."""
    if node.type == "for_in_statement" or node.parent is None:
        return node
    if node.parent.type == "export_statement" and node.parent.parent is not None:
        return node.parent.parent
    return node.parent


def _is_in_loop(node: Node, binding: Binding) -> bool:
    if node.type == "for_in_statement":
        return True
    outer = node.parent
    while outer is not None and outer.id != binding.scope.node.id:
        if outer.type in LOOPS or outer.type == "labeled_statement":
            return True
        outer = outer.parent
    return False


def _called_before(binding: Binding, node: Node) -> bool:
    """Return whether a function that uses the name might run before its declaration does.

    Functions are visible from the beginning of their block.
    """
    waiting = [owner for use in binding.uses for owner in _hoisted_around(use, binding)]
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if function.id in seen:
            continue
        seen.add(function.id)
        name = function.child_by_field_name("name")
        known = binding.scope.lookup(text(name))
        if known is None or known.kind != "function":
            return True
        for use in known.uses:
            around = list(_hoisted_around(use, binding))
            waiting.extend(around)
            if not around and use.node.start_byte < node.end_byte:
                return True
    return False


def _hoisted_around(use: Use, binding: Binding) -> Iterator[Node]:
    """Yield the outermost function between a use and the name's own scope, if it is known early."""
    outermost = None
    scope = use.scope
    while scope is not binding.scope and scope.outer is not None:
        if scope.node.type in FUNCTIONS:
            outermost = scope.node
        scope = scope.outer
    if outermost is not None and outermost.type in _HOISTED:
        yield outermost


def _is_constant(node: Node, context: Context) -> bool:
    """Return whether all of the declaration's names are assigned once, here."""
    if node.parent is not None and node.parent.type == "for_statement":
        return False
    for declarator in _declarators(node):
        if declarator.child_by_field_name("value") is None:
            return False
        for leaf in leaves(declarator.children[0]):
            binding = context.scopes.binding(leaf)
            if binding is None or binding.writes or len(binding.declared) != 1:
                return False
    return True


NO_VAR = Rule("no-var", "Replace `var` with `let` or `const`.", _no_var)
PREFER_CONST = Rule("prefer-const", "Use `const` for a name assigned once.", _prefer_const)
