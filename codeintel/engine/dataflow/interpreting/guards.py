"""Conditions that tell good values from bad ones: allowlists, patterns, prefixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from codeintel.engine.dataflow.interpreting.invoking import tested_by
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
from codeintel.engine.dataflow.table import Table
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import EVERYTHING

_PARTS = frozenset({"scheme", "protocol", "suffix", "extension", "content_type", "mimetype"})
_SPLITS = frozenset(
    {
        "split",
        "rsplit",
        "splitext",
        "partition",
        "rpartition",
        "extname",
        "getExtension",
        "GetExtension",
        "Ext",
    }
)
_CASES = frozenset({"lower", "upper", "strip", "casefold", "lstrip", "rstrip", "toLowerCase"})
SCHEMES = frozenset({"protocol", "scheme", "Scheme", "length", "size"})
SCHEME_GETTERS = frozenset({"getScheme", "getProtocol", "scheme"})
# These return one piece of many, or the name of a form field, which says nothing about the rest.
_PIECES = _SPLITS | SCHEME_GETTERS | {"next", "nth", "name"}


def is_partial(expr: Expr) -> bool:
    """Return whether a value is only a part, such as a URL's scheme, a file's extension or a
    first word.
    """
    expr = inner(expr)
    while isinstance(expr, Call) and isinstance(expr.callee, Member):
        if expr.callee.name not in _CASES:
            return expr.callee.name in _PIECES
        expr = expr.callee.object
    if isinstance(expr, Call):
        return _name_of(expr.callee) in _SPLITS
    if isinstance(expr, Index):
        return is_partial(expr.object) or (
            isinstance(expr.object, Call) and _name_of(expr.object.callee) in _SPLITS
        )
    return isinstance(expr, Member) and expr.name in _PARTS


def _name_of(expr: Expr) -> str:
    return expr.name if isinstance(expr, Member) else expr.id if isinstance(expr, Name) else ""


def getter(expr: Expr) -> str:
    """Return the method's name if an expression is a call without arguments, or an empty text."""
    expr = inner(expr)
    if isinstance(expr, Call) and not expr.args and isinstance(expr.callee, Member):
        return expr.callee.name
    return ""


def parts_of(expr: Expr) -> Iterator[Expr]:
    """Yield the direct parts of a call, a member or a joined value."""
    if isinstance(expr, Call):
        yield from (expr.callee, *(argument.value for argument in expr.args))
    elif isinstance(expr, Member):
        yield expr.object
    elif isinstance(expr, Join):
        yield from expr.parts


def is_path_part(text: str) -> bool:
    """Return whether a text separates the parts of a path, or leads up in it."""
    return ".." in text or text in ("/", "\\", "\\\\")


def inner(expr: Expr) -> Expr:
    """Return the element of a list of one value."""
    while isinstance(expr, Join) and len(expr.parts) == 1:
        expr = expr.parts[0]
    return expr


def literal_text(expr: Expr) -> str:
    """Return a constant's text, or a variable's name."""
    expr = inner(expr)
    if isinstance(expr, Test) and expr.operator == "-" and len(expr.parts) == 1:
        return f"-{literal_text(expr.parts[0])}"
    if isinstance(expr, Literal):
        return expr.text
    return expr.id if isinstance(expr, Name) else "?"


def last_name(dotted: str) -> str:
    """Return the last word of a full name."""
    return dotted.rpartition(".")[2]


ALL = frozenset({EVERYTHING})
PATH = frozenset({"path"})
_PREFIXES = frozenset({"path", "url", "redirect"})
_OPTIONS = frozenset({"command"})
REDIRECT = frozenset({"redirect"})
_PROOFS = frozenset({"compare_digest", "timingSafeEqual", "hash_equals", "secure_compare"})
_TELLING = re.compile(
    r"(?i)(?:is|has|check|ensure|assert|validate)?_?"
    r"(?:valid|allowed|safe|permitted|trusted|whitelisted|acceptable|legal|known)"
    r"|saniti[sz]ed|allow_?list"
)
_SUSPICIOUS = re.compile(
    r"(?i)malicious|unsafe|invalid|forbidden|blocked|traversal|private|internal|dangerous|illegal"
    r"|disallowed|denied|banned|suspicious|loopback|(?:site|any|link)_?local|outside|\bevil|(?:is|has|looks)_?bad"
)
_PREFIX_CALLS = frozenset(
    {
        "startswith",
        "startsWith",
        "StartsWith",
        "HasPrefix",
        "starts_with",
        "str_starts_with",
        "start_with?",
    }
)
_CONTAINS = frozenset(
    {
        "includes",
        "contains",
        "Contains",
        "include?",
        "str_contains",
        "strpos",
        "indexOf",
        "IndexOf",
        "find",
    }
)
_CONTAINERS = frozenset({"dict", "list", "Mapping"})
_EQUALS = frozenset({"equals", "equalsIgnoreCase", "Equals"})
# Checking one property of an object says nothing about its others, except for parts of addresses
# and paths.
_PROPERTY = re.compile(
    r"get(?!Host|Scheme|Protocol|Authority|Path|Raw|Canonical|Absolute|FileName|Parent|Extension|Port"
    r"|Bytes|Parameter|Header|QueryString|ContentType|OriginalFilename)[A-Z]\w*"
)
_LINE_BREAKS = frozenset({"\n", "\r", "\r\n", "\\n", "\\r", "\\r\\n"})
_LINES = frozenset({"log", "header", "mail"})
_WEAK_PREFIX = re.compile(r"https?(?::/*)?|ftp:?/*|/|\.")
MAX_DEPTH = 30
"""Maximum depth of conditions within conditions."""


class Guard(NamedTuple):
    """If the condition is `holds`, values from `origins` are safe for `classes` of sinks."""

    origins: frozenset[Span]
    classes: frozenset[str]
    holds: bool


class CallGuards:
    """Finds the guards in calls.

    :param origins_of: returns the origins of an expression's value.
    :param dotted: returns an expression's full name.
    :param assigned: returns what a variable was assigned last.
    :param predicate: returns whether a call is one of this code's functions that answer yes or no.
    :param tainted: returns whether an expression has an origin in its own file.
    :param foreign: returns a mark for values that a function of another file may have checked.
    """

    def __init__(
        self,
        table: Table,
        origins_of: Callable[[Expr], frozenset[Span]],
        dotted: Callable[[Expr], str],
        assigned: Callable[[str], Expr | None],
        predicate: Callable[[Call], bool] = lambda _: False,
        tainted: Callable[[Expr], bool] | None = None,
        foreign: Callable[[Call], str] = lambda _: "",
    ) -> None:
        self._table = table
        self._origins_of = origins_of
        self._dotted = dotted
        self._assigned = assigned
        self._predicate = predicate
        self._foreign = foreign
        self._tainted = tainted or (lambda expr: bool(origins_of(expr)))

    def _behind(self, expr: Expr, depth: int = 0) -> Iterator[Span]:
        """Yield the origins of a value, including those of the data that a signature covers."""
        yield from self._origins_of(expr)
        kept = self._assigned(expr.id) if isinstance(expr, Name) else None
        for part in (kept,) if kept is not None else parts_of(expr):
            if depth < MAX_DEPTH // 3:
                yield from self._behind(part, depth + 1)

    def _call(self, call: Call, holds: bool) -> Iterator[Guard]:
        name = self._dotted(call.callee)
        last = last_name(name)
        args = [argument.value for argument in call.args]
        receiver = call.callee.object if isinstance(call.callee, Member) else None
        asked = (*args, *([receiver] if receiver is not None else []))
        everything = frozenset(
            origin
            for each in (*asked, *(inner for arg in args for inner in tested_by(arg)))
            if not (isinstance(each, Member) and each.name in SCHEMES)
            if getter(each) not in SCHEME_GETTERS
            if not (isinstance(each, Call) and is_partial(each))
            if not (_PROPERTY.fullmatch(getter(each)) and last in _EQUALS)
            for origin in self._origins_of(each)
        )
        literals = [arg.text for arg in args if isinstance(arg, Literal)]
        if last == "IndexOfAny":  # C#: one of the characters that file names cannot have
            yield Guard(everything, PATH, not holds)
        elif last in _PREFIX_CALLS:
            if any(text.startswith("..") for text in literals):
                yield Guard(everything, PATH, not holds)
            elif any(text in ("-", "--") for text in literals):
                yield Guard(everything, _OPTIONS, not holds)
            elif any(text in ("//", "/\\", "/\\\\") for text in literals):
                yield Guard(everything, REDIRECT, not holds)
            elif not any(_WEAK_PREFIX.fullmatch(text) for text in literals):
                yield Guard(everything, _PREFIXES, holds)
        elif last in _CONTAINS and literals:
            if any(is_path_part(text) for text in literals):
                yield Guard(everything, PATH, not holds)
            elif any(text in _LINE_BREAKS for text in literals):
                yield Guard(everything, _LINES, not holds)
            elif receiver is None or self._tainted(receiver):
                return  # looking for one bad character proves nothing
        elif last in ("isset", "empty"):  # PHP: whether a table has a key
            for arg in args:
                if isinstance(arg, Index):
                    yield Guard(self._origins_of(arg.key), ALL, holds == (last == "isset"))
        elif last == "isinstance" and literal_text(args[-1]) in _CONTAINERS:
            return  # the element itself may still be anything
        elif found := self._table.guards.find(name):
            if last in _PROOFS:
                everything |= frozenset(o for arg in args for o in self._behind(arg))
            yield Guard(everything, found[0], holds)
        elif _SUSPICIOUS.search(last):
            yield Guard(everything, ALL, not holds)
        elif _TELLING.search(last) or self._predicate(call):
            yield Guard(everything, ALL, holds)
        elif mark := self._foreign(call):
            yield Guard(everything, frozenset({mark}), holds)


# Parts of a parsed address that an address of the same site does not have.
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
        """Yield the guards in a condition."""
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
                return  # the scheme says nothing about the host
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
        elif isinstance(right, Member | Name | Call) and not self._tainted(right):
            yield Guard(self._origins_of(left), ALL, holds == equal)
        elif isinstance(left, Member | Name | Call) and not self._tainted(left):
            yield Guard(self._origins_of(right), ALL, holds == equal)
