"""Knowledge about a value: the origins of untrusted input in it, and how it was sanitized."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span

MAX_LABELS = 12
MAX_FOREIGN = 5
MAX_STEPS = 12
EVERYTHING = "*"


class Kind(StrEnum):
    """The party that may have chosen the value."""

    REMOTE = "remote"
    """Anyone: it came over the network."""
    LOCAL = "local"
    """The user who runs the program: arguments, standard input."""
    PARAMETER = "parameter"
    """The caller of the function."""
    FOREIGN = "foreign"
    """Another file of the project. No table uses this, and only summaries of files contain it."""


RANKS = {kind: rank for rank, kind in enumerate(Kind)}
"""The most dangerous origin comes first."""


class Step(NamedTuple):
    """A place on the path of a value."""

    span: Span
    what: str


class Label(NamedTuple):
    """An origin of a value.

    `clean` are the classes of sinks that it can no longer harm. `via` are calls of functions of
    other files that the value passed through, which may have sanitized it.
    """

    kind: Kind
    origin: Span
    what: str
    clean: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()
    via: frozenset[Span] = frozenset()

    def harms(self, sink_class: str) -> bool:
        """Return whether the value has not been sanitized for a class of sinks."""
        return sink_class not in self.clean and EVERYTHING not in self.clean

    def through(self, step: Step) -> Label:
        """Return the label after one more step. Steps at the same place count once."""
        if len(self.steps) >= MAX_STEPS or (self.steps and self.steps[-1].span == step.span):
            return self
        # not `_replace`, which takes three times as long, and this runs for each step of each value
        steps = (*self.steps, step)
        return Label(self.kind, self.origin, self.what, self.clean, steps, self.via)


Key = tuple[Kind, Span, frozenset[str], frozenset[Span]]
Value = Mapping[Key, Label]
"""The labels of a value.

A value without labels is harmless: a literal, a number, or unknown but not untrusted.
"""

HARMLESS: Value = {}


def is_tainted(value: Value | None) -> bool:
    """Return whether a value has an origin in its own file, even behind calls of other files."""
    if not value:
        return False
    return any(label.kind is not Kind.FOREIGN or label.via for label in value.values())


def of(label: Label) -> Value:
    """Return the value with one label."""
    return {(label.kind, label.origin, label.clean, label.via): label}


def join(values: Iterable[Value]) -> Value:
    """Return a value with the labels of all values. For equal labels, the first path stays."""
    first: Value | None = None
    found: dict[Key, Label] | None = None
    for value in values:
        if not value or value is first:
            continue
        if first is None:
            first = value
            continue
        if found is None:
            if (
                value.keys() <= first.keys()
            ):  # this is the usual case, in which nothing has to be built
                continue
            found = dict(first)
        for key, label in value.items():
            found.setdefault(key, label)
    if found is None:
        return first or HARMLESS
    if len(found) > MAX_LABELS:
        kept = sorted(found.items(), key=lambda item: _order(item[1]))[:MAX_LABELS]
        # so few labels of other files that the next join need not sort again
        while len(kept) > MAX_FOREIGN and kept[-1][1].kind is Kind.FOREIGN:
            kept.pop()
        return dict(kept)
    return found


def through(value: Value, span: Span, what: str) -> Value:
    """Return the value after a step."""
    if not value:
        return value
    step = Step(span, what)
    return {key: label.through(step) for key, label in value.items()}


def cleaned(value: Value, classes: frozenset[str]) -> Value:
    """Return the value after sanitization for some classes of sinks, or for everything."""
    if not value or EVERYTHING in classes:
        return HARMLESS
    return join(of(label._replace(clean=label.clean | classes)) for label in value.values())


def checked(before: Value, after: Value) -> Iterator[tuple[frozenset[Span], frozenset[str]]]:
    """Yield the origins that a check has approved, each with the sink classes it is now safe for.

    Origins that are gone are safe for everything.
    """
    left: dict[Span, list[Label]] = {}
    for label in after.values():
        left.setdefault(label.origin, []).append(label)
    for label in before.values():
        if label.origin not in left:
            yield frozenset({label.origin}), frozenset({EVERYTHING})
        else:
            classes = frozenset.intersection(*(each.clean for each in left[label.origin]))
            if classes - label.clean:
                yield frozenset({label.origin}), classes


def origins(value: Value) -> frozenset[Span]:
    """Return the origins of a value's labels."""
    return frozenset(label.origin for label in value.values())


def cleaned_of(value: Value, known: frozenset[Span], classes: frozenset[str]) -> Value:
    """Return the value after the origins `known` were checked and found safe for some classes."""
    if not any(label.origin in known for label in value.values()):
        return value
    kept = []
    for label in value.values():
        if label.origin not in known:
            kept.append(of(label))
        elif EVERYTHING not in classes:
            kept.append(of(label._replace(clean=label.clean | classes)))
    return join(kept)


def _order(label: Label) -> tuple[int, Span]:
    return RANKS[label.kind], label.origin


# In source text: a literal with a scheme and a host with its end, or with a path of the same site.
_FIXED = r"(?:redirect:|forward:)?(?:[a-z]{2,5}://[^/?#\"'`{}$%\\\s]+[/?#]|/(?![/\\\"'`{$%]))"
_LITERAL = re.compile(rf"[A-Za-z$@]{{0,3}}[\"'`]{{1,3}}{_FIXED}")
_INTERPOLATED_FIRST = re.compile(r"[A-Za-z$@]{0,3}[\"'`]{1,3}[$#]?\{")
_TEXT = re.compile(_FIXED)
_NAME = re.compile(
    r"(?i)(?:\A|_)(?:\w{0,20}base|\w{0,20}url|\w{0,20}uri|\w{0,20}host|\w{0,20}endpoint|\w{0,20}prefix"
    r"|\w{0,20}origin|\w{0,20}server|\w{0,20}domain|\w{0,20}api)(?:_?(?:url|uri|base|path|root))?\Z"
)


def begins_fixed(source: str) -> bool:
    """Return whether source text starts with a literal that fixes the host."""
    return _LITERAL.match(source) is not None


def is_fixed(text: str) -> bool:
    """Return whether a literal's text, such as `https://host/%s`, fixes the host."""
    return _TEXT.match(text) is not None


def begins_interpolated(source: str) -> bool:
    """Return whether source text starts with text whose first part is an expression."""
    return _INTERPOLATED_FIRST.match(source) is not None


def names_address(name: str) -> bool:
    """Return whether a variable's name says that it holds the start of addresses."""
    return _NAME.search(name) is not None
