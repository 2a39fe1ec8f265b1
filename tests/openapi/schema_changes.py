"""Changes of a JSON schema that break clients of the earlier version.

A client sends what the old schema of a request allows, and reads what the old schema of an answer
promises. So a request's schema must not become narrower, nor an answer's wider. Answers may have
new fields, and new values of enumerations, because clients must ignore unknown ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from schema_forms import Both, Schema, is_union, one_of

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
SAME = ("pattern", "format", "multipleOf", "uniqueItems", "not", "if", "then", "else", "allOf")
"""Keywords of requests that must not appear or change, because it is undecidable which of two
patterns is narrower."""
_ALL_TYPES = frozenset({"string", "integer", "number", "boolean", "object", "array", "null"})


def narrowed(
    both: Both, old: Any, new: Any, at: str, seen: frozenset[Any] = frozenset()
) -> Iterator[str]:
    """Yield what a request's schema rejects now and accepted before, each with its position."""
    if _is_known(old, new, seen):
        return
    seen |= {_names(old, new)}
    named, (old, new) = (old, new), both.resolved(old, new)
    if "default" in old and ("default" not in new or old["default"] != new["default"]):
        yield f"{at} has another `default`"
    if is_union(old) != is_union(new):
        old, new = _unions(named, old, new)
        yield from _options(narrowed, both, old, new, at, seen)
        return
    yield from _renamed(*named, at)
    if lost := _types(old) - _wide(_types(new)):
        yield f"{at} takes no {_listed(lost)} any more"
    yield from _values(old, new, at)
    yield from _bounds(old, new, at)
    for keyword in SAME:
        if keyword in new and old.get(keyword) != new[keyword]:
            yield f"{at} has another `{keyword}`"
    for name in sorted({*new.get("required", ())} - {*old.get("required", ())}):
        yield f"{at}.{name} is required"
    yield from _removed(old, new, at)
    yield from _parts(narrowed, both, old, new, at, seen)
    yield from _options(narrowed, both, old, new, at, seen)


def widened(
    both: Both, old: Any, new: Any, at: str, seen: frozenset[Any] = frozenset()
) -> Iterator[str]:
    """Yield what an answer's schema promised before and no longer does, each with its position."""
    if _is_known(old, new, seen):
        return
    seen |= {_names(old, new)}
    named, (old, new) = (old, new), both.resolved(old, new)
    if is_union(old) != is_union(new):
        old, new = _unions(named, old, new)
        yield from _options(widened, both, new, old, at, seen, is_swapped=True)
        return
    yield from _renamed(*named, at)
    if more := _types(new) - _wide(_types(old)):
        yield f"{at} may be {_listed(more)}"
    for keyword in ("format", "contentMediaType"):
        if keyword in old and old[keyword] != new.get(keyword):
            yield f"{at} has another `{keyword}`"
    was, now = _told(old), _told(new)
    if was is not None and now is None:
        yield f"{at} is no enumeration any more"
    elif was and not any(value in (now or ()) for value in was):
        yield f"{at} has other values only"
    for name in sorted({*old.get("required", ())} - {*new.get("required", ())}):
        if name in new.get("properties", {}):
            yield f"{at}.{name} may be absent"
    yield from _removed(old, new, at)
    yield from _parts(widened, both, old, new, at, seen)
    # Events of new types are passed over by clients: the discriminator tells them.
    if "discriminator" in old and "discriminator" in new:
        yield from _options(widened, both, old, new, at, seen)
    else:
        yield from _options(widened, both, new, old, at, seen, is_swapped=True)


def _is_known(old: Any, new: Any, seen: frozenset[Any]) -> bool:
    return _names(old, new) is not None and _names(old, new) in seen


def _names(old: Any, new: Any) -> tuple[str, str] | None:
    """Return the names of two schemas, which may contain themselves; None where one has no name."""
    if isinstance(old, Mapping) and isinstance(new, Mapping) and "$ref" in old and "$ref" in new:
        return old["$ref"], new["$ref"]
    return None


def _unions(named: tuple[Any, Any], old: Schema, new: Schema) -> tuple[Schema, Schema]:
    """Return two resolved schemas as alternatives.

    If their names differ, a schema that is its only alternative keeps its name.
    """
    if _name(named[0]) == _name(named[1]):
        named = old, new
    return one_of(named[0], old), one_of(named[1], new)


def _renamed(old: Any, new: Any, at: str) -> Iterator[str]:
    """Yield renamed schemas, because generated clients have a class for each name."""
    if _name(old) and _name(old) != _name(new):
        yield f"{at} is not called {_shown(old)} any more"


def _name(schema: Any) -> str:
    """Empty where it has none."""
    return schema.get("$ref", "").rpartition("/")[2] if isinstance(schema, Mapping) else ""


def _types(schema: Schema) -> frozenset[str]:
    told = schema.get("type")
    if told is None:
        return (
            _ALL_TYPES if not {"enum", "const", "anyOf", "oneOf"} & schema.keys() else frozenset()
        )
    return frozenset([told] if isinstance(told, str) else told)


def _wide(types: frozenset[str]) -> frozenset[str]:
    """Return the types with implied ones. A schema whose options define its types is compared by
    those."""
    return (types | {"integer"} if "number" in types else types) or _ALL_TYPES


def _told(schema: Schema) -> list[Any] | None:
    """Return all values that the schema allows, if it lists them."""
    found: list[Any] | None = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return found


def _values(old: Schema, new: Schema, at: str) -> Iterator[str]:
    allowed, before = _told(new), _told(old)
    if allowed is None:
        return
    if before is None:
        yield f"{at} takes some values only"
        return
    for value in before:
        if value not in allowed:
            yield f"{at} takes {value!r} no more"


def _bounds(old: Schema, new: Schema, at: str) -> Iterator[str]:
    for keyword in LOWER:
        if keyword in new and (keyword not in old or old[keyword] < new[keyword]):
            yield f"{at} has a higher `{keyword}`"
    for keyword in UPPER:
        if keyword in new and (keyword not in old or old[keyword] > new[keyword]):
            yield f"{at} has a lower `{keyword}`"


def _removed(old: Schema, new: Schema, at: str) -> Iterator[str]:
    for name in sorted(old.get("properties", {}).keys() - new.get("properties", {}).keys()):
        yield f"{at}.{name} is gone"


Compare = Callable[..., Iterator[str]]


def _parts(
    compare: Compare, both: Both, old: Schema, new: Schema, at: str, seen: frozenset[Any]
) -> Iterator[str]:
    """Yield changes of fields, items and keys that both have."""
    for name, schema in old.get("properties", {}).items():
        if name in new.get("properties", {}):
            yield from compare(both, schema, new["properties"][name], f"{at}.{name}", seen)
    for keyword, suffix in {
        "items": "[]",
        "additionalProperties": ".*",
        "propertyNames": " (names)",
        "contentSchema": "",
    }.items():
        if keyword in old or (keyword in new and compare is narrowed):
            yield from compare(
                both, old.get(keyword, {}), new.get(keyword, {}), f"{at}{suffix}", seen
            )


def _options(
    compare: Compare,
    both: Both,
    old: Schema,
    new: Schema,
    at: str,
    seen: frozenset[Any],
    *,
    is_swapped: bool = False,
) -> Iterator[str]:
    """Yield changes of alternatives. Each alternative of one schema must be one of the other's.

    If an alternative has a single counterpart by name or type, the changes within it are reported.

    :param is_swapped: whether `old` belongs to the later document.
    """
    before, after = _alternatives(old), _alternatives(new)
    if not before and not after:
        return
    for option in before or [old]:
        others = after or [new]
        pairs = [(other, option) if is_swapped else (option, other) for other in others]
        if not all(any(True for _ in compare(both, *pair, at, seen)) for pair in pairs):
            continue
        alike = [pair for pair in pairs if _kind(pair[0]) == _kind(pair[1])]
        if len(alike) == 1 and [_kind(each) for each in before].count(_kind(option)) == 1:
            yield from compare(both, *alike[0], at, seen)
        else:
            yield (
                f"{at} has no alternative like {_shown(option)}"
                if not is_swapped
                else (f"{at} may be {_shown(option)}")
            )


def _alternatives(schema: Schema) -> list[Any]:
    return [*schema.get("anyOf", ()), *schema.get("oneOf", ())]


def _kind(schema: Any) -> str:
    """Return the name of a schema, or its type: readers recognize an alternative by it."""
    return _name(schema) or str(schema.get("type", "another"))


def _shown(schema: Any) -> str:
    return f"`{_kind(schema)}`"


def _listed(types: frozenset[str]) -> str:
    return " or ".join(sorted(types))
