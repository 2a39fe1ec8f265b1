"""What is known of a value: where the harm in it may come from, and against what it was treated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from codeintel_plugins.flow.tree import Span

MAX_LABELS = 12
MAX_STEPS = 12
EVERYTHING = "*"


class Kind(StrEnum):
    """Who may have chosen the value."""

    REMOTE = "remote"
    """Anybody: it came over the network."""
    LOCAL = "local"
    """Whoever runs the program: arguments, standard input."""
    PARAMETER = "parameter"
    """Whoever calls the function."""


class Step(NamedTuple):
    """A place on the value's way."""

    span: Span
    what: str


class Label(NamedTuple):
    """One origin of a value. `clean` are the classes of sinks that it can no longer harm."""

    kind: Kind
    origin: Span
    what: str
    clean: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()

    def harms(self, sink_class: str) -> bool:
        """Whether it was not treated against a class of sinks."""
        return sink_class not in self.clean and EVERYTHING not in self.clean

    def through(self, step: Step) -> Label:
        """The label after one more step; steps on one line count once."""
        if len(self.steps) >= MAX_STEPS or (self.steps and self.steps[-1].span == step.span):
            return self
        return self._replace(steps=(*self.steps, step))


Key = tuple[Kind, Span, frozenset[str]]
Value = Mapping[Key, Label]
"""The labels of a value. Without any it is harmless: written out in the code, a number, or unknown
but not from outside."""

HARMLESS: Value = {}


def of(label: Label) -> Value:
    """The value with one label."""
    return {(label.kind, label.origin, label.clean): label}


def join(values: Iterable[Value]) -> Value:
    """A value that has something of each. The way that was known first stays."""
    found: dict[Key, Label] = {}
    single: Value | None = None
    count = 0
    for value in values:
        if value:
            count += 1
            single = value
            for key, label in value.items():
                found.setdefault(key, label)
    if count <= 1:
        return single or HARMLESS
    if len(found) > MAX_LABELS:
        kept = sorted(found.items(), key=lambda item: _order(item[1]))[:MAX_LABELS]
        return dict(kept)
    return found


def through(value: Value, span: Span, what: str) -> Value:
    """The value after a step."""
    if not value:
        return value
    step = Step(span, what)
    return {key: label.through(step) for key, label in value.items()}


def cleaned(value: Value, classes: frozenset[str]) -> Value:
    """The value after a treatment against some classes of sinks, or against everything."""
    if not value or EVERYTHING in classes:
        return HARMLESS
    return join(of(label._replace(clean=label.clean | classes)) for label in value.values())


def checked(before: Value, after: Value) -> Iterator[tuple[frozenset[Span], frozenset[str]]]:
    """What a check has found good: origins, each with the classes of sinks against which it is now
    treated; those that are gone are good for everything."""
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
    """Where its labels come from."""
    return frozenset(label.origin for label in value.values())


def cleaned_of(value: Value, known: frozenset[Span], classes: frozenset[str]) -> Value:
    """The value when the origins `known` were checked and found good for some classes."""
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
    return list(Kind).index(label.kind), label.origin
