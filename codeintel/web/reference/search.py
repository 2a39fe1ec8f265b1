"""Search the reference: operations, parameters, fields, events and error codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flask import current_app, url_for

from codeintel.base.errors import ErrorCode
from codeintel.web.hits import Hit, HitGroup, matching
from codeintel.web.reference.current import current_reference
from codeintel.web.reference.views import ObjectView, OperationView
from codeintel.web.schemas.shapes import Row

_CACHE = "codeintel.reference.hits"
MOST_HITS = 40
"""Hits of a group on the page."""


def found(text: str) -> list[HitGroup]:
    """Return the groups with hits. An empty text has none."""
    if not text.split():
        return []
    groups = [HitGroup(each.title, matching(each.hits, text, MOST_HITS)) for each in _all()]
    return [group for group in groups if group.hits]


def operation_hits() -> Iterator[Hit]:
    """Yield all operations."""
    for each in current_reference().operations.values():
        yield Hit(each.summary, url_for("web.operation", slug=each.slug), "code", each.address)


def _all() -> tuple[HitGroup, ...]:
    """Return everything that can be found. The reference does not change after the start."""
    known: tuple[HitGroup, ...] | None = current_app.extensions.get(_CACHE)
    if known is None:
        reference = current_reference()
        errors, events = url_for("web.reference_errors"), url_for("web.reference_events")
        operations = list(reference.operations.values())
        known = current_app.extensions[_CACHE] = (
            HitGroup("Operations", list(operation_hits())),
            HitGroup("Parameters", [hit for each in operations for hit in _sent(each)]),
            HitGroup(
                "Error codes",
                [
                    Hit(code.value, f"{errors}#error-{code.value}", "", code.meaning)
                    for code in ErrorCode
                ],
            ),
            HitGroup(
                "Events",
                [
                    Hit(each.name, f"{events}#{each.id}", "", each.description)
                    for each in reference.events
                ],
            ),
            HitGroup("Objects", [_object(each) for each in reference.objects]),
            HitGroup("Fields", list(_fields(reference.events, reference.objects))),
            HitGroup(
                "Headers",
                [
                    Hit(name, f"{url_for('web.docs')}#headers", "", meaning)
                    for name, meaning in reference.headers
                ],
            ),
        )
    return known


def _sent(operation: OperationView) -> Iterator[Hit]:
    """Yield the parameters and the fields of the body."""
    address = url_for("web.operation", slug=operation.slug)
    for rows, anchor in ((operation.parameters, "parameters"), (operation.body, "body")):
        for row in rows:
            yield Hit(row.name, f"{address}#{anchor}", "", _note(operation.summary, row))


def _object(each: ObjectView) -> Hit:
    return Hit(each.name, url_for("web.reference_object", name=each.name), "", each.description)


def _fields(events: Iterable[ObjectView], objects: Iterable[ObjectView]) -> Iterator[Hit]:
    at = url_for("web.reference_events")
    for each in events:
        for row in each.rows:
            yield Hit(row.name, f"{at}#{each.id}", "", _note(each.name, row))
    for each in objects:
        address = url_for("web.reference_object", name=each.name)
        for row in each.rows:
            yield Hit(row.name, address, "", _note(each.name, row))


def _note(place: str, row: Row) -> str:
    return ": ".join(filter(None, (place, row.description)))
