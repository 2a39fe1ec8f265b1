"""The published tables of sources, sinks and sanitizers."""

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


class TaintSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source of untrusted input.

    `names` are dotted names that are read, `calls` functions that return input, and `fills`
    functions that put input into their arguments. `parameters` are expressions searched for in a
    parameter with its type and annotations. `handlers` are expressions searched for in the text
    before a function whose parameters are all sources. All of these count only in code where the
    expression `requires` is found, and not for calls with `without_text`. `clean` lists the sink
    classes that such values cannot harm. An example is text from a form, which cannot be an
    operator in a query.
    """

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
    """A sink, of the class `class`.

    `arguments` are positions from 0, or -1 for all. `keywords` are named arguments, and the keys
    that count if such an argument is an object. `receiver` says that the object of a method call
    counts as well. Some calls are sinks only `with_text` somewhere in their own text (an
    expression), or only `without_text`. `assigns` are members and variables whose assignment is the
    sink. `returns` marks functions, by the text before them, whose return value is the sink.
    `requires` limits the sink to code where that expression is found.
    """

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
    """Functions whose result is safe for some classes of sinks, or for any (`*`).

    With `with_text`, only calls whose own text contains that expression sanitize.
    """

    calls: tuple[str, ...]
    with_text: str | None = None
    classes: tuple[str, ...] = (EVERYTHING,)


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table file."""

    sources: tuple[TaintSource, ...] = ()
    sinks: tuple[Sink, ...] = ()
    sanitizers: tuple[Sanitizer, ...] = ()
    guards: tuple[Sanitizer, ...] = ()
    """Functions that tell, in a condition, whether a value is good."""
    checks: tuple[Sanitizer, ...] = ()
    """Functions that raise unless a value is good."""
    neutral: tuple[str, ...] = ()
    """Expressions searched for in a parameter with its type.

    The framework fills such a parameter of a handler with its own object, so it counts as a plain
    parameter.
    """
    opaque: tuple[str, ...] = ()
    """Functions whose result contains nothing of their arguments."""
    keeps: tuple[str, ...] = ()
    """Methods that store their arguments in their object."""
    copies: tuple[str, ...] = ()
    """Functions that copy their other arguments into the first."""


class SinkClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a class of sinks.

    `kinds` are the origins from which a value is harmful here.
    """

    cwe: str
    title: str
    severity: Severity
    summary: str
    remedy: str
    confidence: Confidence = Confidence.HIGH
    related: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = (Kind.REMOTE,)


T = TypeVar("T")


class Lookup(Generic[T]):
    """Entries by dotted name.

    `os.system` matches itself and the name behind any prefix, `*.execute` a method of anything,
    `name!` a macro, `=fetch` only itself.
    """

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._by_last: dict[str, list[tuple[str, T]]] = {}
        for name, entry in entries:
            last = name.removeprefix("=").rpartition(".")[2]
            self._by_last.setdefault(last, []).append((name, entry))

    def find(self, dotted: str) -> list[T]:
        """Return the entries whose name matches, in the table's order."""
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
    """A language's table, indexed for lookups."""

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
        """Return the table without the entries whose required text is missing in this code."""
        entries: tuple[TaintSource | Sink, ...] = (*self._document.sources, *self._document.sinks)
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
    """Return the table of a language, including the entries for every language.

    A language without a table has only the latter.
    """
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
    """Return the descriptions of the sink classes, by name."""
    return read_data(FOLDER / "classes.yml", dict[str, SinkClass])


@cache
def classes_by_cwe() -> dict[str, str]:
    """Return the sink class of each weakness (CWE)."""
    found: dict[str, str] = {}
    for name, each in sink_classes().items():
        for cwe in (each.cwe, *each.related):
            found.setdefault(cwe, name)
    return found


def first_source(
    patterns: list[tuple[re.Pattern[str], TaintSource]], text: str
) -> TaintSource | None:
    """Return the source of the first pattern that a text contains."""
    return next((source for pattern, source in patterns if pattern.search(text)), None)
