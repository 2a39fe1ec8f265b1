"""Lower objects and arrays: construction, properties, assignment and destructuring."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths.lowering import (
    EMPTY,
    UNDEFINED,
    Lowering,
    string,
)
from codeintel.engine.equivalence.javascript_paths.source import (
    bare,
    elements,
    field,
    is_statement,
    parts,
    string as string_of,
    text,
)
from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    kind_of,
)

_OF_TEXT = {
    **dict.fromkeys(("toLowerCase", "toUpperCase", "trim", "trimStart", "trimEnd"), "string"),
    **dict.fromkeys(("slice", "substring", "padStart", "padEnd", "repeat"), "string"),
    **dict.fromkeys(("charAt", "concat"), "string"),
    **dict.fromkeys(("indexOf", "lastIndexOf", "charCodeAt", "search", "localeCompare"), "number"),
    **dict.fromkeys(("startsWith", "endsWith", "includes"), "boolean"),
}
_KNOWN = frozenset({"Object", "Array", "Math", "JSON", "Number", "String", "Boolean"})


def attribute(owner: Term, name: str, state: State, then: WithValue, low: Lowering) -> Tree:
    """Read a property."""
    kind = ""
    if name == "length" and kind_of(owner).partition("<")[0] in {"string", "array"}:
        kind = "number"
    if len(owner) == 2 and owner[0] == "g" and owner[1] in _KNOWN:
        return then(("g", f"{owner[1]}.{name}"), state)
    return low.machine.read("attr", (owner, string(name)), state, then, kind)


def item(owner: Term, index: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Read an item. `a["b"]` is `a.b`.

    An item of an array of strings may be missing, so its kind is not known.
    """
    _check_key(index)
    if kind_of(index) == "string" and index[0] == "c":
        return low.machine.read("attr", (owner, index), state, then)
    return low.machine.read("item", (owner, index), state, then)


def _check_key(index: Term) -> None:
    """Reject a key that reads like the name of a private field."""
    if index[:2] == ("c", "string") and str(index[2])[1:2] == "#":
        raise UnsupportedError("a key that looks private")


def method(
    owner: Term, name: str, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Call a method."""
    operands = (owner, string(name), *given)
    plain = all(kind_of(each) in {"string", "number"} for each in given)
    if kind_of(owner) == "string" and name in _OF_TEXT and plain:
        return low.machine.read("method", operands, state, then, _OF_TEXT[name])
    if kind_of(owner) == "string" and name == "split":
        return low.machine.make("method", operands, state, then, "array<string>")
    if owner == ("g", "console"):
        return low.machine.make("~call method", operands, state, then)
    if len(owner) == 2 and owner[0] == "g" and owner[1] in _KNOWN:
        looks = _LOOKS.get(f"{owner[1]}.{name}")
        if looks is not None:
            return low.machine.make("call method", operands, state, then, looks)
    return low.machine.effect("call method", operands, state, then)


_LOOKS = {
    **dict.fromkeys(("Object.keys",), "array<string>"),
    **dict.fromkeys(("Object.values", "Object.entries"), "array"),
    **dict.fromkeys(
        ("Math.max", "Math.min", "Math.abs", "Math.floor", "Math.round", "Math.ceil"), "number"
    ),
    **dict.fromkeys(("Number.isInteger", "Number.isNaN", "Array.isArray"), "boolean"),
}


def arguments(
    nodes: Sequence[Node],
    state: State,
    then: Callable[[tuple[Term, ...], State], Tree],
    low: Lowering,
) -> Tree:
    """Lower the arguments of a call."""
    inner = [parts(each)[0] if each.type == "spread_element" else each for each in nodes]

    def marked(values: tuple[Term, ...], s: State) -> Tree:
        pairs = zip(nodes, values, strict=True)
        given = tuple(("star", v) if n.type == "spread_element" else v for n, v in pairs)
        return then(given, s)

    return low.values(inner, state, marked)


def array(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `[a, b]`."""

    def go(left: list[Node], held: Built, now: State) -> Tree:
        if not left:
            return then(held, now)
        first, *rest = left
        if first.type == "spread_element":
            return low.value(
                parts(first)[0],
                now,
                lambda v, s: low.machine.make(
                    "spread",
                    (v,),
                    s,
                    lambda e, s2: go(rest, Built("array", ("and", held.term, e)), s2),
                ),
            )
        return low.value(first, now, lambda v, s: go(rest, added(held, v), s))

    return go(elements(node), Built("array", EMPTY), state)


def added(held: Built, value: Term) -> Built:
    """Return an array or set with one more element."""
    return Built(held.kind, ("with", held.term, value))


def displayed(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `{a: b, ...c}`."""

    def go(left: list[Node], held: Built, now: State) -> Tree:
        if not left:
            return then(held, now)
        first, *rest = left
        match first.type:
            case "shorthand_property_identifier":
                return low.value(
                    first, now, lambda v, s: go(rest, put(held, string(text(first)), v), s)
                )
            case "pair":
                key = field(first, "key")
                return _key(
                    key,
                    now,
                    lambda k, s: low.value(
                        field(first, "value"), s, lambda v, s2: go(rest, put(held, k, v), s2)
                    ),
                    low,
                )
            case "spread_element":
                return low.value(
                    parts(first)[0],
                    now,
                    lambda v, s: spread(held, v, s, lambda b, s2: go(rest, b, s2), low),
                )
        raise UnsupportedError("a method of an object")

    return go(parts(node), Built("object", EMPTY), state)


def spread(
    held: Built, value: Term, state: State, then: Callable[[Built, State], Tree], low: Lowering
) -> Tree:
    """Return an object with all properties of another one added."""
    return low.machine.make(
        "spread object",
        (value,),
        state,
        lambda e, s: then(Built("object", ("and", held.term, e)), s),
    )


def _key(node: Node, state: State, then: Callable[[Term, State], Tree], low: Lowering) -> Tree:
    if node.type in {"property_identifier", "identifier"}:
        return then(string(text(node)), state)
    if node.type == "string":
        return then(string(string_of(node)), state)
    if node.type == "computed_property_name":
        return low.value(parts(node)[0], state, lambda v, s: _as_key(v, s, then))
    raise UnsupportedError("a key")


def _as_key(value: Term, state: State, then: Callable[[Term, State], Tree]) -> Tree:
    if kind_of(value) != "string":
        raise UnsupportedError("a key that is converted to text")
    return then(value, state)


def put(held: Built, key: Term, value: Term) -> Built:
    """Return an object with one more property."""
    if key == string("__proto__"):
        raise UnsupportedError("a prototype")
    return Built(held.kind, ("with", held.term, key, value))


def assigned(target: Node, right: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `a = b`."""
    if target.type in {"member_expression", "subscript_expression"}:
        held = low.held(bare(field(target, "object")), state)
        if held is not None and held[1].kind == "object":
            return _put_in(target, held[0], right, state, then, low)
        return _place(
            target,
            state,
            lambda place, s: low.value(
                right,
                s,
                lambda v, s2: low.machine.effect("set", (*place, v), s2, lambda _, s3: then(v, s3)),
            ),
            low,
        )

    def bound(value: Value, s: State) -> Tree:
        if isinstance(value, Built):
            return low.machine.keep(value, s, lambda v, s2: bind(target, v, s2, low, then_none))
        return bind(target, value, s, low, lambda s2: then(value, s2))

    def then_none(s: State) -> Tree:
        return then(UNDEFINED, s)

    is_unused = target.parent is not None and is_statement(target.parent)
    if target.type == "identifier" and is_unused:
        # The value of the assignment is not used.
        return low.any(right, state, lambda v, s: bind(target, v, s, low, then_none))
    if is_unused:
        return low.value(right, state, lambda v, s: bind(target, v, s, low, then_none))
    return low.value(right, state, bound)


def _put_in(
    target: Node, name: str, right: Node, state: State, then: WithValue, low: Lowering
) -> Tree:
    def put_in(key: Term, s: State) -> Tree:
        def done(value: Term, s2: State) -> Tree:
            now = s2.names.get(name)
            if not isinstance(now, Built):
                raise UnsupportedError("an object that is passed on while it changes")
            return then(value, s2.bind(name, put(now, key, value)))

        return low.value(right, s, done)

    if target.type == "member_expression":
        return put_in(string(text(field(target, "property"))), state)
    return low.value(field(target, "index"), state, lambda k, s: _as_key(k, s, put_in))


def _place(
    target: Node, state: State, then: Callable[[tuple[Term, ...], State], Tree], low: Lowering
) -> Tree:
    """Lower the target of a property assignment to its owner and key."""
    owner = field(target, "object")
    if target.type == "member_expression":
        name = string(text(field(target, "property")))
        return low.value(owner, state, lambda v, s: then((v, name), s))

    def placed(found: tuple[Term, ...], s: State) -> Tree:
        _check_key(found[1])
        return then(found, s)

    return low.values([owner, field(target, "index")], state, placed)


def changed(
    target: Node,
    state: State,
    change: Callable[[Term, State, Callable[[Value, State], Tree]], Tree],
    then: WithValue,
    low: Lowering,
) -> Tree:
    """Lower `a += b` and similar assignments."""
    if target.type == "identifier":
        name = low.names.of(target)
        if name not in state.names:
            raise UnsupportedError("an outer variable")

        def write(value: Value, s: State) -> Tree:
            return then(value, s.bind(name, value))

        return low.read_name(name, state, lambda old, s: change(old, s, write))

    def at(place: tuple[Term, ...], s: State) -> Tree:
        def put_back(value: Value, s2: State) -> Tree:
            return low.machine.effect("set", (*place, value), s2, lambda _, s3: then(value, s3))

        read = attribute if target.type == "member_expression" else item
        if read is attribute:
            return low.machine.read("attr", place, s, lambda old, s2: change(old, s2, put_back))
        return item(place[0], place[1], s, lambda old, s2: change(old, s2, put_back), low)  # type: ignore[arg-type]

    if target.type in {"member_expression", "subscript_expression"}:
        return _place(target, state, at, low)
    raise UnsupportedError("a target")


def bind(target: Node, value: Value, state: State, low: Lowering, then: Then) -> Tree:
    """Bind a value to a variable, or destructure it into several."""
    target = bare(target)
    match target.type:
        case "identifier" | "shorthand_property_identifier_pattern":
            name = low.names.of(target)
            if not name or name in low.program.top:
                raise UnsupportedError("an outer variable")
            return then(state.bind(name, value))
        case "required_parameter" | "optional_parameter":
            default = target.child_by_field_name("value")
            return _defaulted(field(target, "pattern"), default, value, state, low, then)
        case "assignment_pattern" | "object_assignment_pattern":
            return _defaulted(
                field(target, "left"), field(target, "right"), value, state, low, then
            )
        case "object_pattern" | "object":
            return low.machine.keep(
                value, state, lambda v, s: _properties(parts(target), v, s, low, then)
            )
        case "array_pattern":
            return low.machine.keep(
                value, state, lambda v, s: _elements(elements(target), v, s, low, then)
            )
    raise UnsupportedError(target.type)


def _defaulted(
    target: Node, default: Node | None, value: Value, state: State, low: Lowering, then: Then
) -> Tree:
    if default is None or isinstance(value, Built):
        return bind(target, value, state, low, then)
    return low.same(
        value,
        UNDEFINED,
        state,
        lambda s: low.any(default, s, lambda v, s2: bind(target, v, s2, low, then)),
        lambda s: bind(target, value, s, low, then),
    )


def _properties(left: list[Node], value: Term, state: State, low: Lowering, then: Then) -> Tree:
    if not left:
        return then(state)
    first, *rest = left
    match first.type:
        case "shorthand_property_identifier_pattern":
            name, target = text(first), first
        case "object_assignment_pattern":
            name, target = text(field(first, "left")), first
        case "pair_pattern":
            key = field(first, "key")
            if key.type != "property_identifier":
                raise UnsupportedError("a key in a pattern")
            name, target = text(key), field(first, "value")
        case _:
            raise UnsupportedError(first.type)
    return attribute(
        value,
        name,
        state,
        lambda v, s: bind(target, v, s, low, lambda s2: _properties(rest, value, s2, low, then)),
        low,
    )


def _elements(left: list[Node], value: Term, state: State, low: Lowering, then: Then) -> Tree:
    """Destructure the elements of any iterable in order."""
    if value[0] == "tuple" and len(value) - 1 >= len(left):

        def known(place: int, s: State) -> Tree:
            if place == len(left):
                return then(s)
            return bind(left[place], value[1 + place], s, low, lambda s2: known(place + 1, s2))

        return known(0, state)
    if any(each.type == "rest_pattern" for each in left):
        raise UnsupportedError("the rest of an array")

    def go(whole: Term, place: int, s: State) -> Tree:
        if place == len(left):
            return then(s)
        part: Term = ("part", whole, place)
        return bind(left[place], part, s, low, lambda s2: go(whole, place + 1, s2))

    return low.machine.make("unpack", (value, len(left)), state, lambda v, s: go(v, 0, s))
