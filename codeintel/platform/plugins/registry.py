"""What plugins registered: typed objects under unique names, each with its owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from codeintel.contracts import (
    Analyzer,
    Collector,
    Engine,
    LanguageDetector,
    Scorer,
    SearchSource,
    Setting,
    Transformation,
    TransformationKind,
)


class Named(Protocol):
    """All that the registry itself needs of an object."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class DuplicateNameError(ValueError):
    """Two plugins registered the same name."""


class Shelf(Generic[T], Mapping[str, T]):
    """The registered objects of one type, by name, in order of registration."""

    def __init__(self, kind: str, type_: type[T]) -> None:
        self.kind = kind
        self._type = type_
        self._items: dict[str, T] = {}
        self._owners: dict[str, str] = {}

    def registrar(self, owner: str) -> Callable[[T], None]:
        """The `register` function that a plugin is given."""

        def register(item: T) -> None:
            self._add(item, owner)

        return register

    def _add(self, item: T, owner: str) -> None:
        if not isinstance(item, self._type):
            raise TypeError(
                f"plugin {owner!r} registered {item!r} as {self.kind}: "
                f"expected an instance of {self._type.__module__}.{self._type.__qualname__}"
            )
        name = getattr(item, "name", None)
        if not isinstance(name, str) or not name:
            raise TypeError(f"plugin {owner!r} registered a nameless {self.kind}: {item!r}")
        if name in self._items:
            raise DuplicateNameError(
                f"{self.kind} {name!r} is registered by both {self._owners[name]!r} and {owner!r}"
            )
        self._items[name] = item
        self._owners[name] = owner

    def discard_owner(self, owner: str) -> None:
        """Forget all that `owner` registered: a plugin that fails half-way leaves nothing."""
        for name in self.owned_by(owner):
            del self._items[name], self._owners[name]

    def owner(self, name: str) -> str:
        """The plugin that registered `name`."""
        return self._owners[name]

    def owned_by(self, owner: str) -> tuple[str, ...]:
        """The names that a plugin registered."""
        return tuple(name for name, who in self._owners.items() if who == owner)

    def __getitem__(self, name: str) -> T:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


@dataclass(frozen=True)
class Registry:
    """Everything that plugins registered, a shelf for each type."""

    settings: Shelf[Setting] = field(default_factory=lambda: Shelf("setting", Setting))
    # mypy wants a concrete class where a type is expected; abstract ones are what we check for.
    analyzers: Shelf[Analyzer] = field(
        default_factory=lambda: Shelf("analyzer", Analyzer)  # type: ignore[type-abstract]
    )
    detectors: Shelf[LanguageDetector] = field(
        default_factory=lambda: Shelf("detector", LanguageDetector)  # type: ignore[type-abstract]
    )
    engines: Shelf[Engine] = field(
        default_factory=lambda: Shelf("engine", Engine)  # type: ignore[type-abstract]
    )
    sources: Shelf[SearchSource] = field(
        default_factory=lambda: Shelf("search source", SearchSource)  # type: ignore[type-abstract]
    )
    kinds: Shelf[TransformationKind] = field(
        default_factory=lambda: Shelf("kind of transformation", TransformationKind)
    )
    transformations: Shelf[Transformation] = field(
        default_factory=lambda: Shelf("transformation", Transformation)  # type: ignore[type-abstract]
    )

    collectors: Shelf[Collector] = field(
        default_factory=lambda: Shelf("trust collector", Collector)  # type: ignore[type-abstract]
    )
    scorers: Shelf[Scorer] = field(
        default_factory=lambda: Shelf("trust signal", Scorer)  # type: ignore[type-abstract]
    )

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """All shelves, for listings."""
        return (
            self.settings,
            self.analyzers,
            self.detectors,
            self.engines,
            self.sources,
            self.kinds,
            self.transformations,
            self.collectors,
            self.scorers,
        )

    def transformation_registrar(
        self, owner: str
    ) -> Callable[[Transformation | TransformationKind], None]:
        """The `register` function for both kinds and ways to do them."""
        kinds, ways = self.kinds.registrar(owner), self.transformations.registrar(owner)

        def register(item: Transformation | TransformationKind) -> None:
            if isinstance(item, TransformationKind):
                kinds(item)
            else:
                ways(item)

        return register

    def trust_registrar(self, owner: str) -> Callable[[Collector | Scorer], None]:
        """The `register` function for both collectors and scorers."""
        collectors, scorers = self.collectors.registrar(owner), self.scorers.registrar(owner)

        def register(item: Collector | Scorer) -> None:
            if isinstance(item, Collector):
                collectors(item)
            else:
                scorers(item)

        return register
