"""Conditions: what is known once one holds, or does not."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.arithmetic import Arithmetic
from codeintel.engine.symbolic.base import Infeasible
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.memory import Null, Pointer, Unset, Value
from codeintel.engine.symbolic.poly import ZERO, Poly, add, scale, shift
from codeintel.engine.symbolic.reading import TextRead
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Several,
    Unary,
)
from codeintel.engine.symbolic.walk import stripped

RELATIONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_CLASSES = {"isdigit": (48, 57), "isalpha": (65, 122), "isalnum": (48, 122), "isupper": (65, 90),
            "islower": (97, 122), "isxdigit": (48, 102), "isprint": (32, 126),
            "isspace": (9, 32), "ispunct": (33, 126), "isgraph": (33, 126)}  # fmt: skip
LIKELY = re.compile(r"(?i)(?:\w+_)?(?:un)?likely|__builtin_expect")
_FAILED = frozenset({"descriptor", "mapping"})


class Conditions(Arithmetic):
    """Takes conditions to hold or not; :class:`Infeasible` is raised if they cannot."""

    def assume(self, state: State, expr: Expr, truth: bool) -> None:
        """Go on where a condition holds, or where it does not."""
        if isinstance(expr, Unary) and expr.op == "!":
            self.assume(state, expr.value, not truth)
        elif isinstance(expr, Binary) and expr.op in ("&&", "||"):
            self._assume_both(state, expr, truth)
        elif isinstance(expr, Binary) and expr.op in RELATIONS:
            op = expr.op if truth else _OPPOSITE[expr.op]
            left = self.value(state, expr.left)
            read = self.text_read
            right = self.value(state, expr.right)
            self.relate(state, expr, op, left, right)
            number = right.number if isinstance(right, Poly) else None
            if number is not None and op == ("!=" if number == 0 else "=="):
                self._goes_on(state, expr.left, read)
        elif isinstance(expr, Cast):
            self.assume(state, expr.value, truth)
        elif isinstance(expr, Several) and expr.last and expr.parts:
            for part in expr.parts[:-1]:
                self.value(state, part)
            self.assume(state, expr.parts[-1], truth)
        elif isinstance(expr, Conditional):
            chosen = self.choose(2) == 0
            self.assume(state, expr.condition, chosen)
            self.assume(state, expr.then if chosen else expr.otherwise, truth)
        elif isinstance(expr, Call) and expr.name in _CLASSES and len(expr.args) == 1:
            self._assume_class(state, expr, truth)
        elif isinstance(expr, Call) and LIKELY.fullmatch(expr.name) and expr.args:
            self.assume(state, expr.args[0], truth)
        elif isinstance(expr, Call) and self.assume_call(state, expr, truth):
            pass
        else:
            self.test(state, self.value(state, expr), truth)
            if truth:
                self._goes_on(state, expr, self.text_read)

    def _goes_on(self, state: State, expr: Expr, read: TextRead | None) -> None:
        """A character that was just read is not zero, so the text has one more."""
        expr = stripped(expr)
        if isinstance(expr, Assign):
            expr = stripped(expr.value)
        if read is not None and read.span == expr.span and read.region in state.regions:
            length = self.length(state, Pointer(read.region, ZERO))
            state.assume(shift(add(read.offset, length, -1), 1))

    def assume_call(self, state: State, expr: Call, truth: bool) -> bool:
        """Take a call of a known predicate to be true or not. False if it is none."""
        raise NotImplementedError

    def _assume_both(self, state: State, expr: Binary, truth: bool) -> None:
        plain = (expr.op == "&&") == truth
        if plain:  # both hold, or neither
            self.assume(state, expr.left, truth)
            self.assume(state, expr.right, truth)
        elif self.choose(2) == 0:
            self.assume(state, expr.left, truth)
        else:
            self.assume(state, expr.left, not truth)
            self.assume(state, expr.right, truth)

    def _assume_class(self, state: State, expr: Call, truth: bool) -> None:
        value = self.value(state, expr.args[0])
        if truth:
            self._goes_on(state, expr.args[0], self.text_read)
        if truth and isinstance(value, Poly):
            low, high = _CLASSES[expr.name]
            self._keep(state, add(Poly(low), value, -1))
            self._keep(state, shift(value, -high))

    # Values as conditions

    def test(self, state: State, value: Value, truth: bool) -> None:
        """A value is taken to be true (not zero, not null) or not."""
        if isinstance(value, Pointer):
            region = state.regions.get(state.root(value.region))
            object_ = region is not None and region.kind in ("object", "container")
            if not object_ and (region is None or region.family != "descriptor"):
                self._test_pointer(state, value, truth)  # 0 is a descriptor, too
        elif isinstance(value, Unset):
            return
        elif truth:
            self._differ(state, value, ZERO)
        else:
            self._equal(state, value, ZERO)

    def _test_pointer(self, state: State, pointer: Pointer, truth: bool) -> None:
        name = state.root(pointer.region)
        region = state.regions.get(name)
        if region is None:
            return
        if pointer.offset != ZERO:  # somewhere in a region that there is
            if not truth:
                raise Infeasible
            return
        state.update(name, tested=True)
        if region.null is Null.NO:
            if not truth:
                raise Infeasible
        elif region.null is Null.YES:
            if truth:
                raise Infeasible
        elif truth:
            state.update(name, null=Null.NO)
        else:
            here, used = self.frame.function.span, region.used
            asked = region.null is Null.UNKNOWN and used is not None
            if asked and used is not None and here.start <= used.start < here.end:
                self.report(Fact.NULL_CHECK_LATE, used)
            state.update(name, null=Null.YES, owned=False)

    # Relations

    def relate(self, state: State, expr: Binary, op: str, left: Value, right: Value) -> None:
        """Take a relation between two values to hold."""
        if isinstance(right, Pointer) and not isinstance(left, Pointer):
            left, right, op = right, left, _MIRRORED[op]
            expr = expr._replace(left=expr.right, right=expr.left)
        if isinstance(left, Pointer):
            self._relate_pointer(state, op, left, right)
            return
        if not isinstance(left, Poly) or not isinstance(right, Poly):
            return
        if op == "==":
            self._equal(state, left, right)
        elif op == "!=":
            self._differ(state, left, right)
        else:
            if op in (">", ">="):
                left, right, op = right, left, _MIRRORED[op]
                expr = expr._replace(left=expr.right, right=expr.left)
            difference = add(left, right, -1)
            self._keep(state, shift(difference, 1) if op == "<" else difference)
            self._unsigned(state, expr, left)

    def _unsigned(self, state: State, expr: Binary, smaller: Poly) -> None:
        """Compared without signs, a negative number is not small."""
        left, right = self.type_of(expr.left), self.type_of(expr.right)
        wide, other = self.types.width(left), self.types.width(right)
        unsigned = (self.types.is_unsigned(right) and other >= max(4, wide)) or (
            self.types.is_unsigned(left) and wide >= max(4, other)
        )
        if unsigned and smaller.terms:
            inner = self.type_of(stripped(expr.left))
            if inner is not None and not self.types.is_unsigned(inner):
                self._keep(state, scale(smaller, -1))

    def _relate_pointer(self, state: State, op: str, left: Pointer, right: Value) -> None:
        if isinstance(right, Pointer):
            if left.region == right.region and left.generation < 0:
                difference = add(left.offset, right.offset, -1)
                self._relate_numbers(state, op, difference)
            elif op == "==" and all(self._is_own(state, each) for each in (left, right)):
                raise Infeasible
            return
        if not isinstance(right, Poly) or right.number is None:
            return
        region = state.regions.get(state.root(left.region))
        failed = region is not None and region.family in _FAILED
        if failed:
            number = right.number
            if (op, number) == ("==", -1) or (op in ("<", "<=") and -1 <= number <= 3):
                self._test_pointer(state, left, False)
            elif (op, number) == ("!=", -1) or (op in (">", ">=") and -1 <= number <= 3):
                self._test_pointer(state, left, True)
        elif op in ("==", "!="):
            self._test_pointer(state, left, op == "!=")

    def _is_own(self, state: State, pointer: Pointer) -> bool:
        region = state.regions.get(state.root(pointer.region))
        return region is not None and region.kind in ("heap", "stack")

    def _relate_numbers(self, state: State, op: str, difference: Poly) -> None:
        if op == "==":
            self._equal(state, difference, ZERO)
        elif op == "!=":
            self._differ(state, difference, ZERO)
        elif op in ("<", "<="):
            self._keep(state, shift(difference, 1) if op == "<" else difference)
        else:
            self._keep(state, shift(scale(difference, -1), 1 if op == ">" else 0))

    def _keep(self, state: State, poly: Poly) -> None:
        self.work(len(state.facts) // 4)
        if not state.assume(poly):
            raise Infeasible

    def _equal(self, state: State, left: Poly, right: Poly) -> None:
        difference = add(left, right, -1)
        if difference.terms and (
            difference in state.nonzero or scale(difference, -1) in state.nonzero
        ):
            raise Infeasible
        self._keep(state, difference)
        self._keep(state, scale(difference, -1))

    def _differ(self, state: State, left: Poly, right: Poly) -> None:
        difference = add(left, right, -1)
        if difference.number is not None:
            if difference.number == 0:
                raise Infeasible
            return
        least, most = state.lower(difference), state.upper(difference)
        if least == 0 and most == 0:
            raise Infeasible
        if least == 0:
            self._keep(state, shift(scale(difference, -1), 1))
        elif most == 0:
            self._keep(state, shift(difference, 1))
        state.nonzero |= {difference}
