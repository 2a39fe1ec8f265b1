"""The published tables: what brings values in, where they do harm, and what makes them harmless."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from codeintel.contracts import Confidence, Severity
from codeintel.engine.data_files import read_data
from codeintel.engine.dataflow.values import EVERYTHING, Kind

FOLDER = Path(__file__).parent / "tables"
# Languages that share a table.
_SHARED = {"typescript": "javascript", "cpp": "c"}


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where values come in: `names` are dotted names that are read, `calls` functions that return
    one, `fills` functions that put one into their arguments, `parameters` expressions searched for
    in a parameter with its type and annotations, and `handlers` in what stands before a function
    all of whose parameters are meant. All that only in code where `requires`, an expression, is
    found, and not of calls that have `without_text`. `clean` are the classes of sinks that such
    values do not harm, as text from a form that can be no operator in a query."""

    what: str
    kind: Kind = Kind.REMOTE
    names: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    handlers: tuple[str, ...] = ()
    requires: str | None = None
    without_text: str | None = None
    clean: tuple[str, ...] = ()


class Sink(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_": "class"}):
    """Where values do harm, named `class`. `arguments` are positions from 0, -1 for all;
    `keywords` named arguments, and the keys that count if such an argument is an object;
    `receiver` says that what the method is called on counts as well. Some do harm only
    `with_text` somewhere in the call's own text (an expression), or not `without_text`.
    `assigns` are members and variables whose assignment is the sink, `returns` marks functions
    (by what stands before them) whose returned value is, `requires` code where the expression
    is found."""

    class_: str
    what: str
    calls: tuple[str, ...] = ()
    arguments: tuple[int, ...] = (0,)
    keywords: tuple[str, ...] = ()
    receiver: bool = False
    assigns: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    with_text: str | None = None
    without_text: str | None = None
    no_lists: bool = False
    kinds: tuple[Kind, ...] = ()
    requires: str | None = None


class Sanitizer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions whose result can do no more harm in some classes of sinks, or in any (`*`), some of
    them only `with_text` somewhere in the call's own text (an expression)."""

    calls: tuple[str, ...]
    with_text: str | None = None
    classes: tuple[str, ...] = (EVERYTHING,)


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table file."""

    sources: tuple[Source, ...] = ()
    sinks: tuple[Sink, ...] = ()
    sanitizers: tuple[Sanitizer, ...] = ()
    guards: tuple[Sanitizer, ...] = ()
    """Functions which, asked in a condition, tell whether a value is good."""
    checks: tuple[Sanitizer, ...] = ()
    """Functions that raise unless a value is good."""
    neutral: tuple[str, ...] = ()
    """Expressions searched for in a parameter with its type: a handler's framework puts an object
    of its own there, so that it is no more than a parameter."""
    opaque: tuple[str, ...] = ()
    """Functions whose result has nothing of their arguments."""
    keeps: tuple[str, ...] = ()
    """Methods that put their arguments into what they are called on."""
    copies: tuple[str, ...] = ()
    """Functions that put their other arguments into the first."""


class SinkClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a class of sinks is about. `kinds` are the origins from which a value does harm here."""

    cwe: str
    severity: Severity
    summary: str
    message: str
    remedy: str
    confidence: Confidence = Confidence.HIGH
    related: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = (Kind.REMOTE,)


T = TypeVar("T")


class Lookup(Generic[T]):
    """Entries by dotted name: `os.system` is found as itself and behind any prefix, `*.execute` as
    a method of anything, `name!` as a macro, `=fetch` only as itself."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._by_last: dict[str, list[tuple[str, T]]] = {}
        for name, entry in entries:
            last = name.removeprefix("=").rpartition(".")[2]
            self._by_last.setdefault(last, []).append((name, entry))

    def find(self, dotted: str) -> list[T]:
        """The entries whose name fits, in the table's order."""
        candidates = self._by_last.get(dotted.rpartition(".")[2])
        if not candidates:
            return []
        return [entry for name, entry in candidates if _fits(dotted, name)]


def _fits(dotted: str, name: str) -> bool:
    if name.startswith("*."):
        return dotted.endswith(name[1:]) and len(dotted) >= len(name) - 1
    if name.startswith("="):
        return dotted == name[1:]
    return dotted == name or dotted.endswith(f".{name}")


class Table:
    """A language's table, ready to be asked."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._narrowed: dict[frozenset[str], Table] = {}
        sources = document.sources
        self.names = Lookup((name, s) for s in sources for name in s.names)
        self.source_calls = Lookup((name, s) for s in sources for name in s.calls)
        self.fills = Lookup((name, s) for s in sources for name in s.fills)
        self.parameters = [(_any(s.parameters), s) for s in sources if s.parameters]
        self.handlers = [(_any(s.handlers), s) for s in sources if s.handlers]
        self.sink_calls = Lookup((name, s) for s in document.sinks for name in s.calls)
        self.sink_assigns = Lookup((name, s) for s in document.sinks for name in s.assigns)
        self.sink_returns = [(_any(s.returns), s) for s in document.sinks if s.returns]
        self.sanitizers = Lookup((n, s) for s in document.sanitizers for n in s.calls)
        self.guards = Lookup((n, frozenset(s.classes)) for s in document.guards for n in s.calls)
        self.checks = Lookup((n, frozenset(s.classes)) for s in document.checks for n in s.calls)
        self.neutral = _any(document.neutral) if document.neutral else None
        self.opaque = Lookup((name, True) for name in document.opaque)
        self.keeps = Lookup((f"*.{name}", True) for name in document.keeps)
        self.copies = Lookup((name, True) for name in document.copies)

    def within(self, text: str) -> Table:
        """The table without the entries that require something else than this code has."""
        entries: tuple[Source | Sink, ...] = (*self._document.sources, *self._document.sinks)
        demands = {each.requires for each in entries if each.requires}
        absent = frozenset(each for each in demands if re.search(each, text) is None)
        if not absent:
            return self
        if absent not in self._narrowed:
            document = self._document
            self._narrowed[absent] = Table(
                msgspec.structs.replace(
                    document,
                    sources=tuple(s for s in document.sources if s.requires not in absent),
                    sinks=tuple(s for s in document.sinks if s.requires not in absent),
                )
            )
        return self._narrowed[absent]


def _any(expressions: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in expressions))


@cache
def load_table(language: str) -> Table:
    """The table of a language, with what holds for every language; an empty one if it has none."""
    return Table(_merged([_document("every"), _document(_SHARED.get(language, language))]))


def _merged(documents: list[Document]) -> Document:
    return Document(
        **{
            field: tuple(item for document in documents for item in getattr(document, field))
            for field in Document.__struct_fields__
        }
    )


def _document(name: str) -> Document:
    path = FOLDER / f"{name}.yml"
    return read_data(path, Document) if path.exists() else Document()


@cache
def sink_classes() -> dict[str, SinkClass]:
    """What the classes of sinks are about, by name."""
    return read_data(FOLDER / "classes.yml", dict[str, SinkClass])


@cache
def classes_by_cwe() -> dict[str, str]:
    """The class of sinks that a weakness belongs to."""
    found: dict[str, str] = {}
    for name, each in sink_classes().items():
        for cwe in (each.cwe, *each.related):
            found.setdefault(cwe, name)
    return found
