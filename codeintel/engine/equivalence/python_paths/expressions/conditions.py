"""Lower conditions to both ways that continue from them."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees import (
    MAYBE,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import bounds, operations, texts
from codeintel.engine.equivalence.python_paths.expressions import gathered, library
from codeintel.engine.equivalence.python_paths.kinds import (
    UNCHANGING,
    base_of,
    element_kind,
    is_steady,
    is_steady_kind,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering

_TOTAL = frozenset({"int", "str"})
_NUMBERS = frozenset({"int", "str", "float"})
_FRACTIONS = frozenset({"int", "float", "number"})
NONE = constant(None)
_MADE = frozenset({"op", "tuple", "fn", "part", "slice"})
"""Terms of values that each evaluation creates again."""


def test(node: ast.expr, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """Branch on whether an expression is true."""
    low.machine.step()
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return test(operand, state, no, yes, low)
        case ast.BoolOp(op=ast.And(), values=[first, *rest]):
            if not rest:
                return test(first, state, yes, no, low)
            return test(
                first, state, lambda s: test(ast.BoolOp(ast.And(), rest), s, yes, no, low), no, low
            )
        case ast.BoolOp(op=ast.Or(), values=[first, *rest]):
            if not rest:
                return test(first, state, yes, no, low)
            return test(
                first, state, yes, lambda s: test(ast.BoolOp(ast.Or(), rest), s, yes, no, low), low
            )
        case ast.IfExp():
            return test(
                node.test,
                state,
                lambda s: test(node.body, s, yes, no, low),
                lambda s: test(node.orelse, s, yes, no, low),
                low,
            )
        case ast.Compare():
            return _chain(node, state, yes, no, low)
        case ast.Call():
            searched = gathered.searched(node, state, yes, no, low)
            if searched is not None:
                return searched
        case ast.Name():
            held = low.held(node, state)
            if held is not None:
                return low.truth(held, state, yes, no)
    return low.any(node, state, lambda v, s: low.truth(v, s, yes, no))


def _chain(node: ast.Compare, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    among = _contained(node, state, yes, no, low)
    if among is not None:
        return among
    if len(node.ops) == 1:
        held = low.held(node.comparators[0], state)
        if held is not None and isinstance(node.ops[0], ast.In | ast.NotIn):
            if isinstance(node.ops[0], ast.NotIn):
                yes, no = no, yes
            return low.value(
                node.left, state, lambda a, s: _in_held(a, node.comparators[0], s, yes, no, low)
            )

    def go(left: Term, place: int, s: State) -> Tree:
        operator, right = node.ops[place], low.resolved(node.comparators[place])
        on = (lambda b, s2: go(b, place + 1, s2)) if place + 1 < len(node.ops) else None

        def asked(b: Term, s2: State) -> Tree:
            if on is None:
                return _compared(operator, left, b, s2, yes, no, low)
            return _compared(operator, left, b, s2, lambda s3: on(b, s3), no, low)

        if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.List | ast.Set):
            elements = right.elts
            if all(isinstance(each, ast.Constant) for each in elements):
                tag = "tuple" if isinstance(right, ast.List) else "set of"
                return asked((tag, *(constant(e.value) for e in elements)), s)  # type: ignore[attr-defined]
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Dict):
            named = right.keys
            if all(isinstance(each, ast.Constant) for each in named):
                # The values do not matter, because only the keys are tested.
                tag_of = ("set of", *(constant(e.value) for e in named))  # type: ignore[union-attr]
                return low.values(right.values, s, lambda _, s2: asked(tag_of, s2))
        return low.value(right, s, asked)

    return low.value(node.left, state, lambda a, s: go(a, 0, s))


def _in_held(key: Term, name: ast.expr, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    held = low.held(name, state)
    if held is None:
        raise UnsupportedError("a collection that changes while it is tested")
    if (
        held.kind in {"list", "set", "deque"}
        and is_steady(key)
        and is_steady_kind(held.inside or "")
    ):
        match held.term:
            case ("all", source, version):
                return low.truth(("op", "in", key, source, version, "bool"), state, yes, no)
        return low.truth(("op", "in", key, "of", held.term, "bool"), state, yes, no)
    return library.asked(held, key, state, yes, no, low)


def _compared(
    operator: ast.cmpop, a: Term, b: Term, state: State, yes: Then, no: Then, low: Lowering
) -> Tree:
    """Lower one comparison."""
    kinds = {kind_of(a), kind_of(b)}
    machine = low.machine

    def decided(asked: Term) -> Tree:
        known = bounds.implied(asked, state)
        if known is not None:
            return yes(state) if known else no(state)
        return machine.branch(asked, state, yes, no, is_fixed=True)

    def event(name: str, one: Term, two: Term) -> Tree:
        kind = "bool" if low.plain or kinds <= UNCHANGING else ""
        return machine.read(name, (one, two), state, lambda v, s: low.truth(v, s, yes, no), kind)

    known = _constants(operator, a, b)
    if known is not None:
        return yes(state) if known else no(state)
    match operator:
        case ast.Is() if NONE in (a, b) and _is_some(b if a == NONE else a):
            return no(state)
        case ast.Is() if NONE not in (a, b) and (a[0] in _MADE or b[0] in _MADE):
            raise UnsupportedError("the identity of two values")
        case ast.Is() if a == b and a[0] == "e":
            raise UnsupportedError("the identity of a value that is read twice")
        case ast.Is():
            return decided(_ordered("is", a, b))
        case ast.IsNot():
            return _compared(ast.Is(), a, b, state, no, yes, low)
        case ast.NotIn():
            return _compared(ast.In(), a, b, state, no, yes, low)
        case ast.In():
            found = _member(a, b, state, yes, no, low)
            return found or library.has(b, a, state, yes, no, low)
        case ast.NotEq() if low.plain or (kinds <= UNCHANGING and "" not in kinds):
            return _compared(ast.Eq(), a, b, state, no, yes, low)
        case ast.Eq() if _is_solid(a) or _is_solid(b) or kinds <= UNCHANGING:
            if low.plain or (kinds <= UNCHANGING and "" not in kinds):
                if a[0] == b[0] == "c" and a[1] == b[1]:
                    return yes(state) if a == b else no(state)
                for one, other in ((a, b), (b, a)):
                    if other in _EMPTY and kind_of(one) == kind_of(other):
                        return low.truth(one, state, no, yes)
                return decided(_equal(a, b, state))
    is_known = (kinds <= _NUMBERS and len(kinds) == 1) or kinds <= _FRACTIONS
    if isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and (low.plain or is_known):
        if isinstance(operator, ast.Gt | ast.GtE):
            a, b = b, a
        strict = isinstance(operator, ast.Lt | ast.Gt)
        if _is_size(b) and a == constant(0 if strict else 1):
            return low.truth(b, state, yes, no)
        if _is_size(a) and b == constant(1 if strict else 0):
            return low.truth(a, state, no, yes)
        if not strict and len(kinds) == 1 and kinds <= _TOTAL:
            yes, no, a, b, strict = no, yes, b, a, True
        if is_known:
            return decided(("<" if strict else "<=", a, b))
        return event("<" if strict else "<=", a, b)
    return event(type(operator).__name__, a, b)


def _constants(operator: ast.cmpop, a: Term, b: Term) -> bool | None:
    """Return the answer if both sides are constants, or None."""
    if a == b == NONE and isinstance(operator, ast.Is):
        return True
    if a[:2] == b[:2] == ("c", "int"):
        one, other = int(a[2]), int(b[2])
        answers: dict[type[ast.cmpop], bool] = {
            ast.Lt: one < other,
            ast.LtE: one <= other,
            ast.Gt: one > other,
            ast.GtE: one >= other,
            ast.Eq: one == other,
            ast.NotEq: one != other,
        }
        return answers.get(type(operator))
    return None


def _is_some(term: Term) -> bool:
    """Return whether a value is never None."""
    kind = kind_of(term)
    if term[0] == "g" and operations.is_operator(term[1]):
        return True
    return term[0] in {"tuple", "fn"} or (kind not in {"", MAYBE, "NoneType"})


_EMPTY = (constant(""), constant(0))
"""Strings and integers are false only if they equal these."""


def _is_size(term: Term) -> bool:
    return term[:2] == ("op", "len")


def _equal(a: Term, b: Term, state: State) -> Term:
    """Return the term for equality. Mutable values may compare differently later."""
    asked = _ordered("==", a, b)
    steady = kind_of(a) in UNCHANGING and kind_of(b) in UNCHANGING
    return asked if steady else (*asked, state.version)


def _ordered(name: str, a: Term, b: Term) -> Term:
    """Return a symmetric question with a constant in last place."""
    return (name, b, a) if a[0] == "c" and b[0] != "c" else (name, a, b)


def _is_solid(term: Term) -> bool:
    """Return whether a term is a constant that equals itself."""
    return term[0] == "c" and term[1] in {"str", "int", "bool", "bytes", "NoneType"}


def _member(a: Term, b: Term, state: State, yes: Then, no: Then, low: Lowering) -> Tree | None:
    """Lower `x in (1, 2)` as `x == 1 or x == 2`. For a set, x must be known to be hashable."""
    if kind_of(a) == kind_of(b) == "str":
        return texts.contains(b, a, state, yes, no, low)
    if b[0] not in {"tuple", "set of"} or not all(_is_solid(each) for each in b[1:]):
        return None
    if not low.plain and kind_of(a) not in UNCHANGING:
        return None
    if b[0] == "set of" and kind_of(a) not in UNCHANGING:
        return None

    def go(left: tuple[Term, ...], s: State) -> Tree:
        if not left:
            return no(s)
        return _compared(ast.Eq(), a, left[0], s, yes, lambda s2: go(left[1:], s2), low)

    return go(b[1:], state)


def _contained(node: ast.Compare, state: State, yes: Then, no: Then, low: Lowering) -> Tree | None:
    """Lower `{a, b} <= d.keys()` as `a in d and b in d` if neither can raise, or return None."""
    match node:
        case ast.Compare(
            left=ast.Set(elts=elements),
            ops=[ast.LtE()],
            comparators=[
                ast.Call(func=ast.Attribute(value=owner, attr="keys"), args=[], keywords=[])
            ],
        ) if not any(isinstance(each, ast.Starred) for each in elements):
            pass
        case _:
            return None
    if low.held(owner, state) is not None:
        return None

    def asked(values: tuple[Term, ...], s: State) -> Tree:
        *members, table = values
        kind = kind_of(table)
        known = base_of(kind) == "dict" and is_steady_kind(element_kind(kind))
        if not known or not all(is_steady(each) for each in members):
            raise _NotKeysError
        return go(members, table, s)

    def go(left: list[Term], table: Term, s: State) -> Tree:
        if not left:
            return yes(s)
        term: Term = ("op", "in", left[0], table, s.version, "bool")
        return low.truth(term, s, lambda s2: go(left[1:], table, s2), no)

    try:
        return low.values([*elements, owner], state, asked)
    except _NotKeysError:
        return None


class _NotKeysError(Exception):
    """The comparison may call something or fail."""
