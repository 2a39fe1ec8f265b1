"""Typed objects of plugins under unique names, each with its owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, ValuesView
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
    """The attributes that the registry needs of an object."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class DuplicateNameError(ValueError):
    """Raised when two plugins register the same name."""


class TypedRegistry(Generic[T], Mapping[str, T]):
    """The registered objects of one type, by name, in order of registration."""

    def __init__(self, kind: str, type_: type[T]) -> None:
        self.kind = kind
        self._type = type_
        self._items: dict[str, T] = {}
        self._owners: dict[str, str] = {}

    def registrar(self, owner: str) -> Callable[[T], None]:
        """Return a function that registers objects for a plugin."""
        return lambda item: self.add(item, owner)

    def check(self, item: T, owner: str) -> None:
        """Reject an object that does not belong here.

        :raises TypeError: for an object of another type, or without a name.
        """
        if not isinstance(item, self._type):
            raise TypeError(
                f"plugin {owner!r} registered {item!r} as {self.kind}: "
                f"expected an instance of {self._type.__module__}.{self._type.__qualname__}"
            )
        name = getattr(item, "name", None)
        if not isinstance(name, str) or not name:
            raise TypeError(
                f"plugin {owner!r} registered an object without a name as {self.kind}: {item!r}"
            )

    def add(self, item: T, owner: str) -> None:
        """Register an object.

        :raises DuplicateNameError: if its name is taken.
        :raises TypeError: as :meth:`check`.
        """
        self.check(item, owner)
        name = item.name
        if name in self._items:
            raise DuplicateNameError(
                f"{self.kind} {name!r} is registered by both {self._owners[name]!r} and {owner!r}"
            )
        self._items[name] = item
        self._owners[name] = owner

    def owner(self, name: str) -> str:
        """Return the plugin that registered `name`."""
        return self._owners[name]

    def owned_by(self, owner: str) -> tuple[str, ...]:
        """Return the names that a plugin registered."""
        return tuple(name for name, who in self._owners.items() if who == owner)

    def __getitem__(self, name: str) -> T:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def values(self) -> ValuesView[T]:
        """Return the objects. Each run needs them, and a Mapping would look each of them up."""
        return self._items.values()


@dataclass(frozen=True)
class Registry:
    """All objects that plugins registered, by type."""

    settings: TypedRegistry[Setting] = field(
        default_factory=lambda: TypedRegistry("setting", Setting)
    )
    # mypy wants a concrete class where a type is expected; abstract ones are what we check for.
    analyzers: TypedRegistry[Analyzer] = field(
        default_factory=lambda: TypedRegistry("analyzer", Analyzer)  # type: ignore[type-abstract]
    )
    detectors: TypedRegistry[LanguageDetector] = field(
        default_factory=lambda: TypedRegistry("detector", LanguageDetector)  # type: ignore[type-abstract]
    )
    engines: TypedRegistry[Engine] = field(
        default_factory=lambda: TypedRegistry("engine", Engine)  # type: ignore[type-abstract]
    )
    sources: TypedRegistry[SearchSource] = field(
        default_factory=lambda: TypedRegistry("search source", SearchSource)  # type: ignore[type-abstract]
    )
    kinds: TypedRegistry[TransformationKind] = field(
        default_factory=lambda: TypedRegistry("kind of transformation", TransformationKind)
    )
    transformations: TypedRegistry[Transformation] = field(
        default_factory=lambda: TypedRegistry("transformation", Transformation)  # type: ignore[type-abstract]
    )

    collectors: TypedRegistry[Collector] = field(
        default_factory=lambda: TypedRegistry("trust collector", Collector)  # type: ignore[type-abstract]
    )
    scorers: TypedRegistry[Scorer] = field(
        default_factory=lambda: TypedRegistry("trust signal", Scorer)  # type: ignore[type-abstract]
    )

    def by_type(self) -> tuple[TypedRegistry[Any], ...]:
        """Return the registries of all types, for listings."""
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

    def hooks(self) -> tuple[tuple[str, Callable[[Any], TypedRegistry[Any]]], ...]:
        """Return the hooks in call order, each with a function that returns the registry for an
        object.
        """
        return (
            ("register_settings", lambda _: self.settings),
            ("register_analyzers", lambda _: self.analyzers),
            ("register_language_detectors", lambda _: self.detectors),
            ("register_engines", lambda _: self.engines),
            ("register_search_sources", lambda _: self.sources),
            ("register_transformations", self._for_transformation),
            ("register_trust_scorers", self._for_trust),
        )

    def _for_transformation(self, item: Any) -> TypedRegistry[Any]:
        return self.kinds if isinstance(item, TransformationKind) else self.transformations

    def _for_trust(self, item: Any) -> TypedRegistry[Any]:
        return self.collectors if isinstance(item, Collector) else self.scorers
