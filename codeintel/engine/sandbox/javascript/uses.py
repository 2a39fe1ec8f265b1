"""Read what the code of a function does with its parameters and their parts."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.kinds import (
    ANSWER,
    ARRAY,
    EITHER,
    ELEMENT,
    KEYED,
    PRIMITIVE,
    STRING,
    THIS,
    VALUE,
    Facts,
    Kind,
    Path,
)
from codeintel.engine.sandbox.javascript.places import (
    constant,
    literal_kind,
    operator,
    parameters_of,
)
from codeintel.engine.sandbox.javascript.source import FUNCTIONS, Program, text_of, walk

_CALLBACKS = frozenset(
    [
        "every",
        "filter",
        "find",
        "findIndex",
        "findLast",
        "findLastIndex",
        "flatMap",
        "forEach",
        "map",
        "some",
        "sort",
    ]
)
_COPYING = frozenset(
    ["concat", "filter", "reverse", "slice", "sort", "toReversed", "toSorted", "trim"]
)
_NUMERIC = frozenset(("-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>", "~", "-="))
_ORDER = frozenset(("<", "<=", ">", ">="))
_EQUAL = frozenset(("===", "!==", "==", "!="))


class Uses:
    """The operations of a function on its parameters and their parts."""

    def __init__(self, program: Program, depth: int = 0) -> None:
        self._program = program
        self._depth = depth
        self._known = Facts()
        self._kept: list[tuple[Path, Path]] = []

    def parameters(self, function: Node) -> list[tuple[str, bool, Kind]]:
        """Return the name, whether it takes the rest, and the kind of each parameter."""
        roots = self._enter(function, "#")
        return [(name, rest, self._known.kind(root, name)) for name, rest, root in roots]

    def _enter(self, function: Node, prefix: str) -> list[tuple[str, bool, Path]]:
        """Bind the parameters, read the body, and return the paths of the parameters."""
        roots: list[tuple[str, bool, Path]] = []
        for number, node in enumerate(parameters_of(function)):
            root = (f"{prefix}{number}",)
            inner = node.named_children[0] if node.type == "rest_pattern" else node
            name = text_of(inner.child_by_field_name("left") or inner)
            roots.append((name, node.type == "rest_pattern", root))
            self._bind(inner, root)
        body = function.child_by_field_name("body")
        if body is not None:
            for node in walk(body):
                self._look(node)
        return roots

    def of_class(self, methods: Mapping[str, Node]) -> dict[str, list[tuple[str, bool, Kind]]]:
        """Return the parameters of methods, which may keep their arguments for each other."""
        self._known.variables["this"] = (THIS,)
        roots: dict[str, list[tuple[str, bool, Path]]] = {}
        for method, function in methods.items():
            self._known.variables = {"this": (THIS,)}
            roots[method] = self._enter(function, f"{method}#")
        for kept, path in self._kept:
            self._known.copy(kept, path)
        return {
            method: [(name, rest, self._known.kind(root, name)) for name, rest, root in given]
            for method, given in roots.items()
        }

    def _keep(self, place: Path | None, value: Node | None, *more: str) -> None:
        path = self._path(value)
        if place is not None and path is not None and place[0] == THIS and path[0] != THIS:
            self._kept.append(((*place, *more), path))

    def _on_assignment_expression(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self._keep(self._path(left), right)

    def _bind(self, pattern: Node, path: Path) -> None:
        """Give the names in a pattern their paths."""
        kind = pattern.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            self._known.variables[text_of(pattern)] = path
        elif kind in ("assignment_pattern", "object_assignment_pattern"):
            left, right = (pattern.child_by_field_name(each) for each in ("left", "right"))
            if left is not None and right is not None:
                if left.type == "shorthand_property_identifier_pattern":
                    path = (*path, text_of(left))
                self._bind(left, path)
                self._default(path, right)
        elif kind == "object_pattern":
            self._known.facts[path].add("object")
            for each in pattern.named_children:
                self._bind_member(each, path)
        elif kind == "array_pattern":
            self._known.facts[path].add("tuple")
            for each in pattern.named_children:
                self._bind(each, (*path, ELEMENT))

    def _bind_member(self, node: Node, path: Path) -> None:
        if node.type == "shorthand_property_identifier_pattern":
            self._known.facts[*path, text_of(node)].add("read")
            self._bind(node, (*path, text_of(node)))
        elif node.type == "pair_pattern":
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if key is not None and value is not None:
                self._known.facts[*path, text_of(key)].add("read")
                self._bind(value, (*path, text_of(key)))
        elif node.type == "object_assignment_pattern":
            self._bind(node, path)

    def _default(self, path: Path, value: Node) -> None:
        kind = literal_kind(value)
        if kind is not None:
            self._known.merged[path].append(kind)
            self._known.facts[path].add("optional")
        if value.type in ("number", "string"):
            self._known.constants[path].append(constant(value))

    def _path(self, node: Node | None) -> Path | None:
        """Return the path of an expression that reads a part of a parameter."""
        if node is None:
            return None
        if node.type in ("identifier", "shorthand_property_identifier", "this"):
            return self._known.variables.get(text_of(node))
        if node.type == "parenthesized_expression":
            return self._path(node.named_children[0]) if node.named_children else None
        if node.type == "call_expression":
            return self._called(node.child_by_field_name("function"))
        if node.type == "array" and len(node.named_children) == 1:
            spread = node.named_children[0]
            return self._path(spread.named_children[0]) if spread.type == "spread_element" else None
        if node.type == "await_expression":
            path = self._path(node.named_children[0])
            if path is not None:
                self._known.facts[path].add("await")
            return path
        if node.type == "binary_expression" and operator(node) in ("||", "??"):
            path = self._path(node.child_by_field_name("left"))
            right = node.child_by_field_name("right")
            if path is not None and right is not None:
                self._default(path, right)
            return path
        return self._member(node)

    def _called(self, function: Node | None) -> Path | None:
        """Return the path of the answer of a callback, or of `x` for `x.slice()`."""
        path = self._path(function)
        if function is None or path is None:
            return None
        if function.type == "member_expression" and path[-1] in _COPYING:
            return path[:-1]
        if function.type == "member_expression" and path[-1] == "get":
            return (*path[:-1], VALUE)
        return None if path[-1] in STRING | ARRAY | KEYED | EITHER else (*path, ANSWER)

    def _member(self, node: Node) -> Path | None:
        outer = self._path(node.child_by_field_name("object"))
        if outer is None:
            return None
        if node.type == "member_expression":
            return (*outer, text_of(node.child_by_field_name("property")))
        if node.type != "subscript_expression":
            return None
        index = node.child_by_field_name("index")
        if index is not None and index.type == "string":
            return (*outer, text_of(index)[1:-1])
        if index is not None and self._is_key(index):
            self._known.facts[outer].add("keyed")
            return (*outer, VALUE)
        self._known.facts[outer].add("indexed")
        return (*outer, ELEMENT)

    def _is_key(self, index: Node) -> bool:
        path = self._path(index)
        name = text_of(index)
        return index.type in ("identifier", "member_expression", "template_string") and (
            (path is not None and "number" not in self._known.facts[path]) or "key" in name.lower()
        )

    def _look(self, node: Node) -> None:
        look = getattr(self, f"_on_{node.type}", None)
        if look is not None:
            look(node)

    def _note(self, node: Node | None, fact: str) -> None:
        path = self._path(node)
        if path is not None:
            self._known.facts[path].add(fact)

    def _on_variable_declarator(self, node: Node) -> None:
        name, path = node.child_by_field_name("name"), self._path(node.child_by_field_name("value"))
        if name is not None and path is not None:
            self._known.facts[path].add("read")
            self._bind(name, path)

    def _on_for_in_statement(self, node: Node) -> None:
        left, right = (node.child_by_field_name(each) for each in ("left", "right"))
        path = self._path(right)
        if text_of(node.child_by_field_name("operator")) == "in":
            self._note(right, "record")
        elif path is not None and left is not None:
            self._known.facts[path].add("iterated")
            self._bind(left, (*path, ELEMENT))
        elif right is not None and left is not None:
            self._entries(right, left)

    def _entries(self, right: Node, left: Node) -> None:
        """Bind the names in `for (const [key, value] of Object.entries(x))` and similar loops."""
        arguments = right.child_by_field_name("arguments")
        called = text_of(right.child_by_field_name("function"))
        inner = arguments.named_children if arguments is not None else []
        path = self._path(inner[0]) if inner else None
        if path is not None and called in ("Object.entries", "Object.values"):
            names = left.named_children if left.type == "array_pattern" else [left]
            self._known.facts[path].add("record")
            self._bind(names[-1], (*path, VALUE))

    def _on_member_expression(self, node: Node) -> None:
        path = self._path(node)
        outer = node.parent
        if path is None or outer is None:
            return
        if outer.type == "call_expression" and outer.child_by_field_name("function") == node:
            self._known.facts[path[:-1]].add(f".{path[-1]}")
            self._call(outer, path[:-1], path[-1])
            self._store(outer, path[:-1], path[-1])
        else:
            self._known.facts[path].add("read")

    def _on_subscript_expression(self, node: Node) -> None:
        path = self._path(node)
        if path is not None:
            self._known.facts[path].add("read")
            index = node.child_by_field_name("index")
            if path[-1] == VALUE:
                self._note(index, "string")

    def _store(self, node: Node, path: Path, method: str) -> None:
        """Note which parameter a collection of the instance keeps."""
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        if method in ("push", "unshift", "add") and given:
            self._keep(path, given[0], ELEMENT)
        elif method == "set" and len(given) == 2:
            self._keep(path, given[1], VALUE)

    def _call(self, node: Node, path: Path, method: str) -> None:
        """Bind the parameters of a callback that gets the elements of an array."""
        arguments = node.child_by_field_name("arguments")
        callback = arguments.named_children[0] if arguments and arguments.named_children else None
        if callback is None or callback.type not in FUNCTIONS:
            return
        given = parameters_of(callback)
        wanted = {"reduce": [1], "reduceRight": [1], "sort": [0, 1], "toSorted": [0, 1]}
        for number in wanted.get(method, [0] if method in _CALLBACKS else []):
            if number < len(given):
                self._bind(given[number], (*path, ELEMENT))

    def _on_call_expression(self, node: Node) -> None:
        function, arguments = (node.child_by_field_name(e) for e in ("function", "arguments"))
        if function is None or arguments is None:
            return
        if function.type == "identifier":
            self._note(function, "called")
        name = text_of(function)
        for number, argument in enumerate(arguments.named_children):
            path = self._path(argument)
            if path is not None:
                self._argument(path, name, number)

    def _argument(self, path: Path, name: str, number: int) -> None:
        facts = self._known.facts[path]
        if name.startswith("Math.") or name in ("isNaN", "isFinite"):
            facts.add("number")
        elif name in ("Object.keys", "Object.values", "Object.entries", "Object.fromEntries"):
            facts.add("record" if name != "Object.fromEntries" else "iterated")
        elif name in ("Number", "parseInt", "parseFloat", "decodeURIComponent"):
            facts.add("text")
        elif name in ("Array.from", "Promise.all"):
            facts.add("iterated")
        elif self._depth < 3 and name in self._program.units:
            called = self._program.units[name].function
            if called is not None:
                given = Uses(self._program, self._depth + 1).parameters(called)
                if number < len(given) and not given[number][1]:
                    self._known.merged[path].append(given[number][2])

    def _on_new_expression(self, node: Node) -> None:
        made, arguments = (node.child_by_field_name(e) for e in ("constructor", "arguments"))
        inner = arguments.named_children if arguments is not None else []
        path = self._path(inner[0]) if inner else None
        if path is not None and text_of(made) in ("Set", "Map"):
            self._known.facts[path].add("iterated")
        elif path is not None and text_of(made) == "Date":
            self._known.merged[path].append(["either", ["number", "date", "string"]])

    def _on_spread_element(self, node: Node) -> None:
        outer = node.parent
        self._note(
            node.named_children[0], "spread" if outer and outer.type == "object" else "iterated"
        )

    def _on_binary_expression(self, node: Node) -> None:
        left, right = (node.child_by_field_name(each) for each in ("left", "right"))
        sign = operator(node)
        for one, other in ((left, right), (right, left)):
            path = self._path(one)
            if path is None or one is None or other is None:
                continue
            if sign in _NUMERIC:
                self._known.facts[path].add("number")
            elif sign in _ORDER:
                self._known.facts[path].add("number" if other.type == "number" else "ordered")
            elif sign == "+" and literal_kind(other) is not None:
                self._known.merged[path].append(
                    literal_kind(other) if other.type == "number" else PRIMITIVE
                )
            if sign in _EQUAL and other.type in ("number", "string"):
                self._known.facts[path].add("compared")
            if other.type in ("number", "string") and sign in _EQUAL | _ORDER:
                self._known.constants[path].append(constant(other))
        if sign == "in":
            self._note(right, "record")

    def _on_unary_expression(self, node: Node) -> None:
        if operator(node) in ("-", "+", "~"):
            self._note(node.child_by_field_name("argument"), "number")
        elif operator(node) == "typeof" and node.parent is not None:
            path = self._path(node.child_by_field_name("argument"))
            other = node.parent.child_by_field_name("right")
            if path is not None and other is not None and other.type == "string":
                self._known.merged[path].append(_TYPES.get(text_of(other)[1:-1], "any"))
                self._known.facts[path].add("any")

    def _on_update_expression(self, node: Node) -> None:
        self._note(node.child_by_field_name("argument"), "number")

    def _on_augmented_assignment_expression(self, node: Node) -> None:
        sign = text_of(node.child_by_field_name("operator"))
        if sign[:-1] in _NUMERIC:
            self._note(node.child_by_field_name("right"), "number")
            self._note(node.child_by_field_name("left"), "number")

    def _on_switch_statement(self, node: Node) -> None:
        path = self._path(node.child_by_field_name("value"))
        if path is not None:
            self._known.facts[path].add("compared")
            for each in walk(node):
                value = each.child_by_field_name("value") if each.type == "switch_case" else None
                if value is not None and value.type in ("number", "string"):
                    self._known.constants[path].append(constant(value))

    def _on_template_substitution(self, node: Node) -> None:
        self._note(node.named_children[0] if node.named_children else None, "shown")

    def _on_await_expression(self, node: Node) -> None:
        self._path(node)


_TYPES: Mapping[str, Kind] = {
    "string": "string",
    "number": "number",
    "function": "function",
    "boolean": "boolean",
    "object": ["object", {}],
}
