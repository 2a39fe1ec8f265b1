"""Conditions that tell good values from bad ones: lists of what is allowed, patterns, prefixes."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.dataflow.guard_calls import ALL, MAX_DEPTH, PATH, REDIRECT, CallGuards, Guard
from codeintel.engine.dataflow.ir import (
    Assignment,
    Block,
    Call,
    Choice,
    Evaluate,
    Expr,
    Index,
    Join,
    Literal,
    Member,
    Name,
    Test,
)
from codeintel.engine.dataflow.pieces import (
    SCHEMES,
    inner,
    is_partial,
    is_path_part,
    last_name,
    literal_text,
)

# Parts of a parsed address that one of this site does not have.
_HOSTS = frozenset({"netloc", "hostname", "scheme", "authority"})
# What two addresses of one site have in common.
_SITES = _HOSTS - {"scheme"} | {"origin", "host", "Host"}
_COMMON = frozenset({"commonpath", "commonprefix"})
_MEMBERSHIP = frozenset({"in", "not-in", "not in"})
_POSITIONS = frozenset(
    {
        "indexOf",
        "IndexOf",
        "IndexOfAny",
        "strpos",
        "find",
        "search",
        "strcmp",
        "strncmp",
        "compareTo",
    }
)


class GuardFinder(CallGuards):
    """Finds the guards in conditions."""

    def find(self, condition: Expr, holds: bool = True, depth: int = 0) -> Iterator[Guard]:
        """The guards in a condition."""
        if depth > MAX_DEPTH:
            return
        if isinstance(condition, Test):
            yield from self._test(condition, holds, depth)
        elif isinstance(condition, Call):
            yield from self._call(condition, holds)
        elif isinstance(condition, Assignment):
            yield from self.find(condition.value, holds, depth + 1)
        elif isinstance(condition, Member) and condition.name in _HOSTS:
            yield Guard(self._origins_of(condition), REDIRECT, not holds)
        elif isinstance(condition, Index):
            yield Guard(self._origins_of(condition.key), ALL, holds)
        elif isinstance(condition, Join | Choice):
            for part in condition.parts:
                yield from self.find(part, holds, depth + 1)
        elif isinstance(condition, Block):
            for statement in condition.body:
                if isinstance(statement, Evaluate):
                    yield from self.find(statement.value, holds, depth + 1)
        elif isinstance(condition, Name):
            kept = self._assigned(condition.id)
            if kept is not None and not isinstance(kept, Name):
                yield from self.find(kept, holds, depth + 10)

    def _test(self, test: Test, holds: bool, depth: int) -> Iterator[Guard]:
        operator, parts = test.operator, test.parts
        if operator in ("!", "not"):
            for part in parts:
                yield from self.find(part, not holds, depth + 1)
        elif operator in _MEMBERSHIP and len(parts) == 2:
            positive = holds == (operator == "in")
            if isinstance(parts[0], Literal):
                if is_path_part(parts[0].text):
                    yield Guard(self._origins_of(parts[1]), PATH, not positive)
            elif not is_partial(parts[0]):
                yield Guard(self._origins_of(parts[0]), ALL, positive)
        elif (
            operator in ("==", "===", "!=", "!==", ">", ">=", "<", "is", "is-not", "=~", "!~")
            and len(parts) == 2
        ):
            yield from self._comparison(operator, parts[0], parts[1], holds)
        else:
            for part in parts:
                yield from self.find(part, holds, depth + 1)

    def _comparison(self, operator: str, left: Expr, right: Expr, holds: bool) -> Iterator[Guard]:
        equal = operator in ("==", "===", "is", "=~")
        for one, other in ((left, right), (right, left)):
            call = inner(one)
            if isinstance(call, Member) and call.name in SCHEMES:
                return  # the scheme says nothing of the host
            if isinstance(call, Call) and last_name(self._dotted(call.callee)) in _POSITIONS:
                number = literal_text(other)
                absent = number in ("-1", "false", "nil", "std.string.npos", "string.npos", "npos")
                if operator in (">", ">=", "<"):
                    found = operator != "<"
                else:
                    found = (not equal) if absent else equal
                yield from self._call(call, holds == found)
                return
            if isinstance(call, Test) and call.operator == "typeof" and isinstance(other, Literal):
                known = frozenset(o for part in call.parts for o in self._origins_of(part))
                yield Guard(known, frozenset({"nosql", "object"}), holds == equal)
                return
            if isinstance(call, Call) and literal_text(other) in (
                "1",
                "0",
                "true",
                "false",
                "True",
                "False",
                "nil",
                "null",
                "None",
                "",
            ):
                agrees = literal_text(other) in ("1", "true", "True")
                yield from self._call(call, holds == (equal == agrees))
                return
            if isinstance(call, Call) and last_name(self._dotted(call.callee)) in _COMMON:
                yield Guard(self._origins_of(call), PATH, holds == equal)
                return
            if isinstance(call, Member) and call.name in _SITES and not isinstance(other, Literal):
                yield Guard(self._origins_of(call), REDIRECT, holds == equal)
            if isinstance(one, Member) and one.name in _HOSTS and literal_text(other) == "":
                yield Guard(self._origins_of(one), REDIRECT, holds == equal)
        if is_partial(left) or is_partial(right):
            return
        if operator in ("=~", "!~"):
            yield Guard(self._origins_of(left) | self._origins_of(right), ALL, holds == equal)
        elif operator in (">", ">=", "<", "is", "is-not"):
            return
        elif isinstance(right, Literal) and right.text not in (
            "",
            "null",
            "None",
            "nil",
            "undefined",
            "0",
            "false",
            "true",
        ):
            yield Guard(self._origins_of(left), ALL, holds == equal)
        elif isinstance(left, Literal) and left.text not in (
            "",
            "null",
            "None",
            "nil",
            "undefined",
        ):
            yield Guard(self._origins_of(right), ALL, holds == equal)
        elif isinstance(right, Member | Name | Call) and not self._origins_of(right):
            yield Guard(self._origins_of(left), ALL, holds == equal)
        elif isinstance(left, Member | Name | Call) and not self._origins_of(left):
            yield Guard(self._origins_of(right), ALL, holds == equal)
