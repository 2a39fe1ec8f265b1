"""Effects of running code on an array that the code did not create."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import FUNCTIONS, Binding, Scope, Scopes
from codeintel_plugins.transformations.web.trees import child_of, listed, text, walk
from codeintel_plugins.transformations.web.type_inference import ARRAY, PRIMITIVE, ValueTypes

MEMBERS = frozenset({"member_expression", "subscript_expression"})
PLAIN_FUNCTIONS = (
    *("String", "Number", "Boolean", "BigInt", "Symbol", "parseInt", "parseFloat", "isNaN"),
    *("isFinite", "Array", "Error", "encodeURIComponent", "decodeURIComponent"),
)
CONSTRUCTORS = (
    *("Array", "Map", "Set", "WeakMap", "WeakSet", "Date", "RegExp", "Error", "TypeError"),
    *("RangeError", "SyntaxError", "Int32Array", "Uint8Array", "Float64Array"),
)
STATICS: Mapping[str, frozenset[str]] = {
    "Math": frozenset(),
    "console": frozenset(),
    "Number": listed("isInteger isNaN isFinite isSafeInteger parseInt parseFloat"),
    "String": listed("fromCharCode fromCodePoint"),
    "Array": listed("isArray from of"),
    "Object": listed("keys values entries fromEntries hasOwn is"),
    "Date": listed("now"),
}
HARMLESS = listed(
    """
    at charAt charCodeAt codePointAt concat endsWith entries every filter find findIndex findLast
    findLastIndex flat flatMap forEach get has includes indexOf join keys lastIndexOf
    localeCompare map match matchAll normalize padEnd padStart reduce reduceRight repeat replace
    replaceAll search slice some split startsWith substr substring test toExponential toFixed
    toLowerCase toPrecision toString toUpperCase trim trimEnd trimStart values getTime getDate
    getDay getFullYear getHours getMinutes getMonth getSeconds toISOString hasOwnProperty
    """
)
"""Methods that change nothing themselves."""
CHANGING = listed("push pop shift unshift splice sort reverse fill add delete set clear copyWithin")
"""Methods that change only their receiver."""
CALLING = listed(
    """
    every filter find findIndex findLast findLastIndex flatMap forEach from map reduce reduceRight
    replace replaceAll some sort
    """
)
"""Methods that call their arguments."""
_CONVERTING = frozenset({"toString", "valueOf", "toJSON", "[Symbol.toPrimitive]"})
_TRICKS = frozenset({"Proxy", "Reflect"})
_DEFINING = frozenset(
    {"defineProperty", "defineProperties", "__defineGetter__", "setPrototypeOf", "species"}
)
_MAKING = listed(
    "map filter slice split concat flat flatMap keys values entries from of fromEntries match"
)
_KEEPING = listed("sort reverse fill")
_CONSTRUCTORS = ("Array", "Map", "Set", "WeakMap", "WeakSet", "Date")
_MAX_DEPTH = 8


def defined(nodes: Mapping[str, list[Node]]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of accessors, and those of all methods and functions that are properties."""
    accessors: set[str] = set()
    methods: set[str] = set()
    for node in nodes.get("method_definition", ()):
        name = text(node.child_by_field_name("name"))
        (accessors if child_of(node, "get", "set") is not None else methods).add(name)
    for node in nodes.get("pair", ()):
        methods.add(text(node.child_by_field_name("key")).strip("'\""))
    for node in (*nodes.get("public_field_definition", ()), *nodes.get("field_definition", ())):
        methods.add(text(node.child_by_field_name("name") or node.child_by_field_name("property")))
    for node in nodes.get("assignment_expression", ()):
        left = node.child_by_field_name("left")
        if left is not None and left.type == "member_expression":
            methods.add(text(left.child_by_field_name("property")))
    return frozenset(accessors), frozenset(methods)


def is_tricky(nodes: Mapping[str, list[Node]], methods: frozenset[str]) -> bool:
    """Return whether plain reading or adding might run code of the program."""
    if _CONVERTING & methods:
        return True
    if any(text(node) in _TRICKS for node in nodes.get("identifier", ())):
        return True
    return any(text(node) in _DEFINING for node in nodes.get("property_identifier", ()))


class Ownership:
    """Determines which values are newly created."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes

    def is_new(self, node: Node | None, depth: int = 0) -> bool:
        """Return whether an expression creates a new array or object, or an immutable value."""
        if node is None or depth > _MAX_DEPTH:
            return False
        kind = node.type
        if kind in ("array", "object", "string", "number", "null", "undefined", "template_string"):
            return True
        if kind in ("parenthesized_expression", "as_expression", "satisfies_expression"):
            return self.is_new(node.named_children[0], depth + 1)
        if kind == "non_null_expression":
            return self.is_new(node.named_children[0], depth + 1)
        if kind == "new_expression":
            constructor = node.child_by_field_name("constructor")
            return constructor is not None and self._scopes.is_global(constructor, *_CONSTRUCTORS)
        if kind != "call_expression":
            return False
        function = node.child_by_field_name("function")
        if function is None or function.type != "member_expression":
            return function is not None and self._scopes.is_global(function, "Array")
        name = text(function.child_by_field_name("property"))
        if name in _KEEPING:
            return self.is_new(function.child_by_field_name("object"), depth + 1)
        return name in _MAKING

    def is_own(self, binding: Binding | None) -> bool:
        """Return whether all values of a name are created for it."""
        if binding is None or binding.kind not in ("const", "let", "var"):
            return False
        if len(binding.declared) != 1 or self._scopes.is_dynamic:
            return False
        declarator = binding.declared[0].parent
        if declarator is None or declarator.child_by_field_name("name") != binding.declared[0]:
            return False
        value = declarator.child_by_field_name("value")
        if value is not None and not self.is_new(value):
            return False
        for use in binding.writes:
            outer = use.node.parent
            if outer is None or outer.type != "assignment_expression":
                return False
            if outer.child_by_field_name("left") != use.node:
                return False
            if not self.is_new(outer.child_by_field_name("right")):
                return False
        return True

    def is_apart(self, own: Binding, other: Binding | None, around: Scope | None) -> bool:
        """Return whether the value of an own name cannot be the value of another one.

        Without another name, return whether the value is created in a function.
        """
        if other is None:
            return around is not None and _function(own) is around
        if own is other:
            return False
        if self.is_own(other):
            return True
        if _function(own) is not _function(other):
            return False
        if other.kind == "parameter":
            return not other.writes
        later = own.declared[0].start_byte > other.declared[0].start_byte
        return later and not other.writes and not _is_repeated(own)


def _function(binding: Binding) -> Scope:
    return binding.scope.function


def _is_repeated(binding: Binding) -> bool:
    """Return whether the name is declared in a loop, so that a value of an earlier iteration may
    still exist."""
    node = binding.declared[0].parent
    while node is not None and node.id != binding.scope.function.node.id:
        if node.type in ("for_statement", "for_in_statement", "while_statement", "do_statement"):
            return True
        node = node.parent
    return False


class Effects:
    """Looks for what could change an array: everything that is not known to leave it alone."""

    def __init__(self, scopes: Scopes, types: ValueTypes, nodes: Mapping[str, list[Node]]) -> None:
        self._scopes = scopes
        self._types = types
        self._ownership = Ownership(scopes)
        self._accessors, self._methods = defined(nodes)
        self._is_tricky = scopes.is_dynamic or is_tricky(nodes, self._methods)
        self._functions: dict[int, bool] = {}

    def keep(self, nodes: Iterable[Node], array: Binding, index: Node | None = None) -> bool:
        """Return whether running the nodes does not change the array of a name.

        :param index: the declaration of a variable that is always a valid index of the array;
            those elements may be changed.
        """
        if self._is_tricky:
            return False
        return all(
            self._is_at(each, array, index) or self._keeps(each, array, None)
            for node in nodes
            for each in walk(node)
        )

    def _is_at(self, node: Node, array: Binding, index: Node | None) -> bool:
        """Return whether the node assigns to an existing element."""
        place = "argument" if node.type == "update_expression" else "left"
        if index is None or not node.type.endswith(("assignment_expression", "update_expression")):
            return False
        left = node.child_by_field_name(place)
        if left is None or left.type != "subscript_expression":
            return False
        object_, at = left.child_by_field_name("object"), left.child_by_field_name("index")
        if object_ is None or at is None or at.type != "identifier":
            return False
        of_index = self._scopes.binding(index)
        return self._scopes.binding(object_) is array and self._scopes.binding(at) is of_index

    def is_own(self, binding: Binding | None) -> bool:
        """Return whether all values of a name are created for it."""
        return self._ownership.is_own(binding)

    def _keeps(self, node: Node, array: Binding | None, around: Scope | None) -> bool:
        kind = node.type
        if kind == "call_expression":
            return self._call(node, array, around)
        if kind == "new_expression":
            constructor = node.child_by_field_name("constructor")
            return constructor is not None and self._scopes.is_global(constructor, *CONSTRUCTORS)
        if kind in ("assignment_expression", "augmented_assignment_expression"):
            return self._target(node.child_by_field_name("left"), array, around)
        if kind == "update_expression":
            return self._target(node.child_by_field_name("argument"), array, around)
        if kind == "for_in_statement":
            left = node.child_by_field_name("left")
            return (
                left is not None
                and left.type in (*("identifier", "array_pattern", "object_pattern"),)
                and not any(each.type in MEMBERS for each in walk(left))
            )
        if kind == "unary_expression":
            return text(node.children[0]) != "delete"
        if kind == "member_expression":
            return text(node.child_by_field_name("property")) not in self._accessors
        return kind not in ("await_expression", "yield_expression", "with_statement")

    def _target(self, left: Node | None, array: Binding | None, around: Scope | None) -> bool:
        """Return whether assigning to this does not change the array."""
        while left is not None and left.type in ("non_null_expression", "parenthesized_expression"):
            left = left.named_children[0]
        if left is None or left.type == "identifier":
            return left is not None
        if left.type in ("array_pattern", "object_pattern"):
            return all(
                self._target(each, array, around) for each in walk(left) if each.type in MEMBERS
            )
        if left.type not in MEMBERS:
            return False
        object_ = left.child_by_field_name("object")
        if object_ is not None and object_.type == "this" and left.type == "member_expression":
            return text(left.child_by_field_name("property")) != "length"
        return self._is_own(object_, array, around)

    def _is_own(self, object_: Node | None, array: Binding | None, around: Scope | None) -> bool:
        if object_ is None or object_.type != "identifier":
            return False
        binding = self._scopes.binding(object_)
        return (
            binding is not None
            and self._ownership.is_own(binding)
            and self._ownership.is_apart(binding, array, around)
        )

    def _call(self, call: Node, array: Binding | None, around: Scope | None) -> bool:
        function, given = (
            call.child_by_field_name("function"),
            call.child_by_field_name("arguments"),
        )
        if function is None or given is None or given.type != "arguments":
            return False
        if function.type == "identifier":
            if self._scopes.is_global(function, *PLAIN_FUNCTIONS):
                return True
            return self._is_harmless(function)
        if function.type != "member_expression":
            return False
        object_ = function.child_by_field_name("object")
        name = text(function.child_by_field_name("property"))
        if object_ is None or not self._callbacks(given, name):
            return False
        if self._scopes.is_global(object_, *STATICS):
            return name in STATICS[text(object_)] or text(object_) in ("Math", "console")
        of = self._types.of(object_)
        if of is not None and of <= PRIMITIVE | {"regexp"}:
            return True
        if of is not None and of <= {"map", "set"}:
            return True
        if name in HARMLESS:
            return of == ARRAY or name not in self._methods
        if name not in CHANGING or name in self._methods:
            return False
        return self._is_own(object_, array, around) or (
            object_.type != "identifier" and self._ownership.is_new(object_)
        )

    def _callbacks(self, given: Node, name: str) -> bool:
        """Return whether passed functions are harmless. Inline functions are checked in any
        case."""
        if name not in CALLING:
            return True
        for each in given.named_children:
            if each.type in FUNCTIONS or each.type == "comment":
                continue
            if each.type == "identifier" and (
                self._scopes.is_global(each, *PLAIN_FUNCTIONS) or self._is_harmless(each)
            ):
                continue
            of = self._types.of(each)
            if of is None or "function" in of:
                return False
        return True

    def _is_harmless(self, name: Node) -> bool:
        """Return whether a function of the code only changes arrays that it creates itself."""
        function = self._scopes.function_of(name)
        if function is None:
            return False
        if function.id not in self._functions:
            before = dict(self._functions)
            # During the check, in case the function calls itself.
            self._functions[function.id] = True
            body = function.child_by_field_name("body")
            around = self._scopes.of_functions.get(function.id)
            if (
                body is None
                or around is None
                or not all(self._keeps(each, None, around) for each in walk(body))
            ):
                self._functions = {**before, function.id: False}  # others relied on it
        return self._functions[function.id]
