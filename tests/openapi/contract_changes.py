"""Changes of the OpenAPI document that break clients of the earlier version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from schema_changes import narrowed, widened
from schema_forms import Both, Schema

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


class Change(NamedTuple):
    """A breaking change, and its operation: `GET /api/v1/account`. Changes of all operations
    have `servers`."""

    operation: str
    what: str


def breaking_changes(before: Schema, after: Schema) -> list[Change]:
    """Return all breaking changes, in the order of the earlier document."""
    both, new = Both(before, after), dict(_operations(after))
    found = [Change("servers", told) for told in _servers(before, after)]
    for name, operation in _operations(before):
        told = _of_operation(both, operation, new[name]) if name in new else ["it is gone"]
        found += [Change(name, what) for what in told]
    return found


def undeclared(changes: list[Change], changelog: str) -> list[Change]:
    """Return the changes whose operation the change log does not name under `### Breaking` of
    the unreleased version: the first section."""
    sections = re.split(r"^## .*$", changelog, flags=re.MULTILINE)
    unreleased = sections[1] if len(sections) > 1 else ""
    parts = re.split(r"^### (.*)$", unreleased, flags=re.MULTILINE)
    told = "".join(
        text for title, text in zip(parts[1::2], parts[2::2], strict=True) if title == "Breaking"
    )
    return [change for change in changes if f"`{change.operation}`" not in told]


def _operations(document: Schema) -> Iterator[tuple[str, Schema]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def _servers(before: Schema, after: Schema) -> Iterator[str]:
    """Yield a change of the first server, which generated clients use by default."""
    was, now = ((each.get("servers") or [{"url": "/"}])[0]["url"] for each in (before, after))
    if was != now:
        yield f"the first is {now}, and was {was}"


def _of_operation(both: Both, old: Schema, new: Schema) -> Iterator[str]:
    if old.get("operationId") != new.get("operationId"):
        yield "it has another `operationId`, by which generated clients call it"
    if old.get("tags", [])[:1] != new.get("tags", [])[:1]:
        yield "it has another first tag, in whose class generated clients have it"
    yield from _security(both, old, new)
    yield from _parameters(both, old, new)
    yield from _body(both, old.get("requestBody"), new.get("requestBody"))
    for status, response in old["responses"].items():
        if status not in new["responses"]:
            yield f"it does not answer {status} any more"
        else:
            yield from _response(both, status, *both.resolved(response, new["responses"][status]))


def _security(both: Both, old: Schema, new: Schema) -> Iterator[str]:
    """Yield removed ways to authenticate. Anonymous access is one of the ways."""
    after = new.get("security") or [{}]
    for way in old.get("security") or [{}]:
        if way not in after and {} not in after:
            yield f"`{' and '.join(way) or 'nothing'}` proves no more who calls"
        schemes = [each.get("components", {}).get("securitySchemes", {}) for each in both]
        for name in way:
            was, now = (_proof(each.get(name, {})) for each in schemes)
            if was != now:
                yield f"the credential `{name}` is another one"
    scope = new.get("x-required-scope")
    if scope not in (None, old.get("x-required-scope")):
        yield f"a key needs the scope `{scope}`"


def _proof(scheme: Mapping[str, Any]) -> dict[str, Any]:
    return {key: scheme.get(key) for key in ("type", "scheme", "in", "name")}


def _parameters(both: Both, old: Schema, new: Schema) -> Iterator[str]:
    before, after = (
        {(each["in"], each["name"]): each for each in operation.get("parameters", ())}
        for operation in (old, new)
    )
    for (where, name), parameter in after.items():
        was = before.get((where, name))
        at = f"the {where} parameter `{name}`"
        if parameter.get("required") and not (was and was.get("required")):
            yield f"{at} is required"
        if was is None:
            continue
        for keyword in ("style", "explode"):
            if was.get(keyword) != parameter.get(keyword):
                yield f"{at} has another `{keyword}`"
        yield from narrowed(both, was.get("schema", {}), parameter.get("schema", {}), at)
    for where, name in before.keys() - after.keys():
        yield f"the {where} parameter `{name}` is gone"


def _body(both: Both, old: Any, new: Any) -> Iterator[str]:
    if old is None or new is None:
        if old is not None:
            yield "it takes no body any more"
        elif new is not None and new.get("required"):
            yield "a body is required"
        return
    if new.get("required") and not old.get("required"):
        yield "a body is required"
    for media, content in old["content"].items():
        if media not in new["content"]:
            yield f"it takes no {media} any more"
        else:
            after = new["content"][media].get("schema", {})
            yield from narrowed(both, content.get("schema", {}), after, "the body")


def _response(both: Both, status: str, old: Schema, new: Schema) -> Iterator[str]:
    at = f"the answer {status}"
    for name, header in old.get("headers", {}).items():
        now = new.get("headers", {}).get(name)
        if now is None:
            yield f"{at} has no header `{name}` any more"
            continue
        was, now = both.resolved(header, now)
        if was.get("required") and not now.get("required"):
            yield f"{at} may have no header `{name}`"
        yield from widened(both, was.get("schema", {}), now.get("schema", {}), f"{at}: `{name}`")
    for name in sorted(old.get("links", {}).keys() - new.get("links", {}).keys()):
        yield f"{at} does not lead to `{name}` any more"
    for media, content in old.get("content", {}).items():
        after = new.get("content", {}).get(media)
        if after is None:
            yield f"{at} is no {media} any more"
            continue
        # The examples of refusals are named by their codes.
        for code in sorted(content.get("examples", {}).keys() - after.get("examples", {}).keys()):
            yield f"{at} has no `{code}` any more"
        yield from widened(both, content.get("schema", {}), after.get("schema", {}), at)
