"""Kinds of transformation, for listings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from codeintel.contracts import Model, RunKind, Transformation, TransformationKind, VerdictOutcome
from codeintel.identity.credits.prices import LONG_CODE_CHARACTERS, transformation_price
from codeintel.platform.plugins.registry import Registry
from codeintel.runs.capabilities.asking import asked, checked
from codeintel.runs.capabilities.shapes import KindInfo, PriceInfo, TransformationInfo

STATIC = "static"
"""The engine that has registered transformations do the work."""


def kinds(registry: Registry) -> Iterator[KindInfo]:
    """All of them, in order of name; one that fails to describe itself is left out."""
    for name, kind in sorted(registry.kinds.items()):
        found = asked(name, None, _kind, kind, registry)
        if found is not None:
            yield found


def _kind(kind: TransformationKind, registry: Registry) -> KindInfo:
    return KindInfo(
        name=kind.name,
        summary=kind.summary,
        changes_language=kind.changes_language,
        promises=kind.promises,
        prices={model: _price(model, kind) for model in Model},
        options=_schema(kind.options),
        engines=tuple(
            name
            for name, engine in sorted(registry.engines.items())
            if engine.transforms_any_language
            and any(asked(name, False, engine.available, RunKind.TRANSFORM, m) for m in Model)
        ),
        ways=tuple(_ways(kind.name, registry)),
    )


def _price(model: Model, kind: TransformationKind) -> PriceInfo:
    short = transformation_price(model, 1, kind.surcharge)
    long = transformation_price(model, LONG_CODE_CHARACTERS + 1, kind.surcharge)
    return PriceInfo(full=short.full, long=long.full, least=short.least)


def _schema(type_: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of options, whole: nothing in it refers elsewhere."""
    (schema,), parts = msgspec.json.schema_components([type_], ref_template="{name}")
    found: dict[str, Any] = _resolved(schema, parts)
    return found


def _resolved(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_resolved(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolved(parts[schema["$ref"]], parts)
    return {key: _resolved(value, parts) for key, value in schema.items()}


def _ways(kind: str, registry: Registry) -> Iterator[TransformationInfo]:
    if STATIC not in registry.engines:
        return
    for name, way in sorted(registry.transformations.items()):
        if way.kind == kind:
            found = asked(name, None, _way, way, registry.transformations.owner(name))
            if found is not None:
                yield found


def _best_verdict(way: Transformation) -> VerdictOutcome:
    """What its changes can reach without being run."""
    return VerdictOutcome.CHECKED if way.equivalence is None else VerdictOutcome.PROVEN


def _way(way: Transformation, plugin: str) -> TransformationInfo:
    info = TransformationInfo(
        name=way.name,
        version=str(way.version),
        engine=STATIC,
        languages=tuple(sorted(way.languages)),
        targets=None if way.targets is None else tuple(sorted(way.targets)),
        equivalence=way.equivalence,
        best_verdict=_best_verdict(way),
        plugin=plugin,
    )
    return checked(info, TransformationInfo)
