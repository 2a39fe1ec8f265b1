"""Read syntax trees of JavaScript and TypeScript: literals, scopes, and the declarations of
names."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel.engine.equivalence.path_trees import Term, UnsupportedError
from codeintel.engine.syntax import source_of

FUNCTIONS = frozenset(
    {
        *("function_declaration", "function_expression", "arrow_function", "method_definition"),
        *("generator_function", "generator_function_declaration", "function"),
    }
)
TYPES = frozenset(
    {
        *("type_annotation", "type_parameters", "type_arguments", "accessibility_modifier"),
        *("override_modifier", "readonly", "type_alias_declaration", "interface_declaration"),
        *("comment", "asserts_annotation", "type_predicate_annotation"),
    }
)
"""Node types that do not exist when the program runs."""
_SCOPES = FUNCTIONS | {
    *("statement_block", "for_statement", "for_in_statement", "switch_body", "program"),
    *("catch_clause", "class_body"),
}
_TRANSPARENT = frozenset(
    {"parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"}
)
_MOST_DEPTH = 400
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def read(code: str, language: str) -> Node | None:
    """Parse a program. Return None if it has syntax errors."""
    root = source_of(code).root(language)
    return None if root.has_error else root


def text(node: Node) -> str:
    """Return the source text of a node."""
    return (node.text or b"").decode()


def parts(node: Node) -> list[Node]:
    """Return the named children, without comments and types."""
    return [each for each in node.named_children if each.type not in TYPES]


def elements(node: Node) -> list[Node]:
    """Return the elements of an array or array pattern.

    :raises UnsupportedError: if one is missing, as in `[a, , b]`.
    """
    is_missing = True
    for each in node.children:
        if each.type == "," and is_missing:
            raise UnsupportedError("an array with holes")
        if each.type not in TYPES:
            is_missing = each.type in {"[", ","}
    return parts(node)


def is_statement(node: Node) -> bool:
    """Return whether an expression is a statement or the step of a loop, so that nothing uses its
    value."""
    outer = node.parent
    if outer is not None and outer.type == "for_statement":
        return outer.child_by_field_name("increment") == node
    if outer is None or outer.type != "expression_statement":
        return False
    loop = outer.parent
    return loop is None or loop.child_by_field_name("condition") != outer


def statements_in(body: Node) -> list[Node]:
    """Return the statements of a body, which may lack braces."""
    return parts(body) if body.type == "statement_block" else [body]


def field(node: Node, name: str) -> Node:
    """Return the child in a field of a node.

    :raises UnsupportedError: if the field is missing.
    """
    found = node.child_by_field_name(name)
    if found is None:
        raise UnsupportedError(f"{node.type} without {name}")
    return found


def bare(node: Node) -> Node:
    """Strip parentheses and types around an expression."""
    while node.type in _TRANSPARENT:
        node = parts(node)[0]
    return node


def string(node: Node) -> str:
    """Return the value of a string.

    :raises UnsupportedError: for rare escapes.
    """
    return unescaped(text(node)[1:-1])


def fixed(raw: bytes) -> str:
    """Return the value of a fixed part of a template, in which each line end is a line feed."""
    return unescaped(raw.decode().replace("\r\n", "\n").replace("\r", "\n"))


def unescaped(raw: str) -> str:
    """Replace the escapes in a string."""
    if "\\" not in raw:
        return raw
    pieces: list[str] = []
    place = 0
    while place < len(raw):
        char = raw[place]
        if char != "\\":
            pieces.append(char)
            place += 1
            continue
        code = raw[place + 1 : place + 2]
        if code in {"u", "x"}:
            size = 4 if code == "u" else 2
            digits = raw[place + 2 : place + 2 + size]
            if len(digits) != size or not all(c in "0123456789abcdefABCDEF" for c in digits):
                raise UnsupportedError("an escape")
            pieces.append(chr(int(digits, 16)))
            place += 2 + size
            continue
        if code.isdigit() and (code != "0" or raw[place + 2 : place + 3].isdigit()):
            raise UnsupportedError("an escape")
        if code in {"\n", "\r"}:
            raise UnsupportedError("a continued line")
        pieces.append(_ESCAPES.get(code, code))
        place += 2
    return "".join(pieces)


def number(node: Node) -> Term:
    """Return a number constant.

    :raises UnsupportedError: if the number cannot be read.
    """
    written = text(node).replace("_", "").lower()
    try:
        if written.endswith("n"):
            return ("c", "bigint", str(int(written[:-1], 0)))
        value = float(int(written, 0)) if written[:2] in {"0x", "0b", "0o"} else float(written)
    except (ValueError, OverflowError):
        raise UnsupportedError("a number") from None
    if written.isdigit() and len(written) > 1 and written.startswith("0"):
        raise UnsupportedError("a number")
    return ("c", "number", repr(value))


def walk(node: Node, *, into_functions: bool = True) -> Iterator[Node]:
    """Yield a node and its descendants, without types."""
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        for child in reversed(each.children):
            if child.type in TYPES:
                continue
            if into_functions or child.type not in FUNCTIONS:
                stack.append(child)


def _parents(root: Node) -> dict[int, Node]:
    """Return the parent of each node, by id.

    Asking the tree takes time in proportion to the node's depth.

    :raises UnsupportedError: for code that is nested too deeply.
    """
    found: dict[int, Node] = {}
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _MOST_DEPTH:
            raise UnsupportedError("code that is nested too deeply")
        for child in node.children:
            found[child.id] = node
            stack.append((child, depth + 1))
    return found


class Names:
    """The declarations that the names of a program refer to."""

    def __init__(self, root: Node) -> None:
        self._around = _parents(root)
        self._declared: dict[int, dict[str, str]] = {}
        self.kinds: dict[str, str] = {}
        """How each variable was declared: `const`, `let`, `var`, `param`, `function`, `class`."""
        self.assigned: set[str] = set()
        """The variables that are assigned after their declaration."""
        self.declarations: list[tuple[Node, Node, str]] = []
        """The scope, name and kind of each declaration."""
        self._found: dict[int, str] = {}
        for node in walk(root):
            self._declare(node)
        for node in walk(root):
            self._note(node)

    def of(self, node: Node) -> str:
        """Return the variable that a name refers to, or an empty string if it has no
        declaration."""
        known = self._found.get(node.id)
        if known is None:
            known = self._found[node.id] = self._look(node, text(node))
        return known

    def _look(self, node: Node, name: str) -> str:
        scope: Node | None = node
        while scope is not None:
            declared = self._declared.get(scope.id)
            if declared is not None and name in declared:
                return declared[name]
            scope = self._around.get(scope.id)
        return ""

    def top(self, root: Node) -> dict[str, str]:
        """Return the variables declared at the top level, by name."""
        return self._declared.get(root.id, {})

    def _add(self, scope: Node, name: Node, kind: str) -> None:
        declared = self._declared.setdefault(scope.id, {})
        key = f"{text(name)}@{scope.start_byte}.{scope.end_byte}"
        if text(name) in declared:
            self.assigned.add(key)
        declared[text(name)] = key
        self.kinds[key] = kind
        self.declarations.append((scope, name, kind))

    def _declare(self, node: Node) -> None:
        match node.type:
            case "lexical_declaration":
                kind = text(node.children[0])
                for each in parts(node):
                    for name in pattern_names(field(each, "name")):
                        self._add(_scope(node), name, kind)
            case "variable_declaration":
                for each in parts(node):
                    for name in pattern_names(field(each, "name")):
                        self._add(_function(node), name, "var")
            case "for_in_statement":
                how = node.child_by_field_name("kind")
                left = node.child_by_field_name("left")
                if how is not None and left is not None:
                    scope = _function(node) if text(how) == "var" else node
                    for name in pattern_names(left):
                        self._add(scope, name, "var" if text(how) == "var" else "each")
                        self.declarations[-1] = (scope, name, text(how))
            case "catch_clause":
                given = node.child_by_field_name("parameter")
                for name in pattern_names(given) if given is not None else ():
                    self._add(node, name, "param")
            case "function_declaration" | "generator_function_declaration" | "class_declaration":
                self._add(_scope(node), field(node, "name"), node.type.partition("_")[0])
        if node.type in FUNCTIONS:
            for given in parameters(node):
                for one in pattern_names(given):
                    self._add(node, one, "param")

    def _note(self, node: Node) -> None:
        target = None
        if node.type in {"assignment_expression", "augmented_assignment_expression"}:
            target = node.child_by_field_name("left")
        elif node.type == "update_expression":
            target = node.child_by_field_name("argument")
        elif node.type == "for_in_statement" and node.child_by_field_name("kind") is None:
            target = node.child_by_field_name("left")
        if target is not None:
            for name in walk(target):
                if name.type in {"identifier", "shorthand_property_identifier_pattern"}:
                    self.assigned.add(self.of(name))


def _scope(node: Node) -> Node:
    """Return the block that contains a declaration."""
    scope = node.parent
    while scope is not None and scope.type not in _SCOPES:
        scope = scope.parent
    return scope or node


def _function(node: Node) -> Node:
    """Return the function that contains a declaration, or the program."""
    scope = node.parent
    while scope is not None and scope.type not in FUNCTIONS and scope.type != "program":
        scope = scope.parent
    return scope or node


def pattern_names(node: Node) -> Iterator[Node]:
    """Yield the names that a pattern binds."""
    match node.type:
        case "identifier" | "shorthand_property_identifier_pattern":
            yield node
        case "assignment_pattern" | "object_assignment_pattern":
            yield from pattern_names(field(node, "left"))
        case "pair_pattern":
            yield from pattern_names(field(node, "value"))
        case "required_parameter" | "optional_parameter":
            found = node.child_by_field_name("pattern")
            if found is not None:
                yield from pattern_names(found)
        case "object_pattern" | "array_pattern" | "rest_pattern":
            for each in parts(node):
                yield from pattern_names(each)


_ACTING = frozenset(
    {
        *("assignment_expression", "augmented_assignment_expression", "update_expression"),
        *("await_expression", "call_expression", "new_expression", "throw_statement"),
        *("yield_expression", "unary_expression"),
    }
)


def accessors(root: Node) -> Iterator[str]:
    """Yield the names of the getters and setters that do more than read."""
    for node in walk(root):
        is_accessor = any(each.type in {"get", "set"} for each in node.children)
        if node.type == "method_definition" and is_accessor:
            yield from (text(field(node, "name")) for e in walk(node) if e.type in _ACTING)


def parameters(node: Node) -> list[Node]:
    """Return the parameters of a function."""
    only = node.child_by_field_name("parameter")
    if only is not None:
        return [only]
    given = node.child_by_field_name("parameters")
    return [] if given is None else [e for e in parts(given) if e.type != "this_type"]
