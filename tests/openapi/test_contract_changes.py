"""Which changes of a document break clients, case by case, and which do not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from changed_document import DOCUMENT, GET, POST, Edit
from contract_changes import Change, breaking_changes, undeclared

DOCS = Path(__file__).parents[2] / "docs"
BREAKING: dict[str, tuple[Callable[[Edit], object], str, str]] = {
    "path": (lambda it: it.all["paths"].pop("/things"), POST, "gone"),
    "method": (lambda it: it.all["paths"]["/things"].pop("post"), POST, "gone"),
    "operation id": (lambda it: it.get.update(operationId="other"), GET, "operationId"),
    "server": (
        lambda it: it.all.update(servers=[{"url": "/v2"}, {"url": "/"}]),
        *("servers", "the first is /v2, and was /"),
    ),
    "first tag": (lambda it: it.get["tags"].reverse(), GET, "another first tag"),
    "first tag gone": (lambda it: it.get.pop("tags"), GET, "another first tag"),
    "credential": (lambda it: it.get["security"].pop(), GET, "`apiKey` proves no more"),
    "anonymous": (lambda it: it.post.update(security=[{"bearer": []}]), POST, "`nothing`"),
    "scheme": (
        lambda it: it.all["components"]["securitySchemes"]["apiKey"].update(name="key"),
        *(GET, "`apiKey` is another one"),
    ),
    "scope": (lambda it: it.get.update({"x-required-scope": "all"}), GET, "scope `all`"),
    "parameter gone": (lambda it: it.get["parameters"].remove(it.depth), GET, "`depth` is gone"),
    "parameter required": (lambda it: it.depth.update(required=True), GET, "`depth` is required"),
    "new parameter": (
        lambda it: it.get["parameters"].append({"name": "n", "in": "query", "required": True}),
        *(GET, "`n` is required"),
    ),
    "parameter's bound": (lambda it: it.depth["schema"].update(maximum=2), GET, "lower `maximum`"),
    "parameter's type": (lambda it: it.id["schema"].update(type="integer"), GET, "no string"),
    "parameter's default": (lambda it: it.depth["schema"].update(default=2), GET, "`default`"),
    "parameter's default gone": (lambda it: it.depth["schema"].pop("default"), GET, "`default`"),
    "parameter's style": (lambda it: it.words.update(explode=True), GET, "another `explode`"),
    "parameter's values": (lambda it: it.id["schema"].update(enum=["x"]), GET, "some values only"),
    "body required": (lambda it: it.post["requestBody"].update(required=True), POST, "required"),
    "body gone": (lambda it: it.post.pop("requestBody"), POST, "no body any more"),
    "body's media type": (
        lambda it: it.post["requestBody"].update(content={"text/csv": {}}),
        *(POST, "no application/json any more"),
    ),
    "field required": (lambda it: it.new["required"].append("size"), POST, ".size is required"),
    "field gone": (lambda it: it.sent.pop("tags"), POST, ".tags is gone"),
    "value gone": (lambda it: it.sent["kind"]["enum"].pop(), POST, "takes 'b' no more"),
    "default": (
        lambda it: it.sent["kind"].update(default="b"),
        POST,
        ".kind has another `default`",
    ),
    "default gone": (lambda it: it.sent["kind"].pop("default"), POST, "another `default`"),
    "null refused": (lambda it: it.sent["size"].update(type="integer"), POST, "like `null`"),
    "bound of what may be null": (
        lambda it: it.sent["size"].update(minimum=2),
        *(POST, ".size has a higher `minimum`"),
    ),
    "body's name": (lambda it: it.rename("New"), POST, "the body is not called `New`"),
    "field's name": (lambda it: it.rename("Part"), POST, ".part is not called `Part`"),
    "alternative's name": (lambda it: it.rename("Part"), POST, ".parent has no alternative like"),
    "part of an alternative": (
        lambda it: it.schemas["Part"].update(required=["name"]),
        *(POST, ".parent.name is required"),
    ),
    "name gone": (
        lambda it: it.sent.update(part=it.schemas["Part"]),
        *(POST, ".part is not called `Part`"),
    ),
    "bound": (lambda it: it.sent["name"].update(maxLength=9), POST, "lower `maxLength`"),
    "new bound": (lambda it: it.sent["tags"].update(minItems=1), POST, "higher `minItems`"),
    "pattern": (lambda it: it.sent["name"].update(pattern="^x"), POST, "another `pattern`"),
    "item": (lambda it: it.sent["tags"]["items"].update(type="integer"), POST, "[] takes no str"),
    "rule": (lambda it: it.new.update({"if": {"required": ["size"]}}), POST, "another `if`"),
    "closed": (lambda it: it.sent["extra"].update(additionalProperties=False), POST, "extra.*"),
    "keys": (
        lambda it: it.sent["extra"].update(propertyNames={"pattern": "^/"}),
        *(POST, "(names) has another `pattern`"),
    ),
    "status gone": (lambda it: it.get["responses"].pop("404"), GET, "not answer 404"),
    "error code gone": (lambda it: it.codes.pop("not_yet"), GET, "no `not_yet`"),
    "media type gone": (lambda it: it.ok["content"].pop("text/event-stream"), GET, "event-stream"),
    "header gone": (lambda it: it.ok["headers"].clear(), GET, "no header `ETag`"),
    "header optional": (lambda it: it.ok["headers"]["ETag"].clear(), GET, "may have no header"),
    "link gone": (lambda it: it.ok["links"].clear(), GET, "lead to `change`"),
    "answer's field gone": (lambda it: it.fields.pop("note"), GET, ".note is gone"),
    "answer's field optional": (lambda it: it.thing["required"].pop(), GET, ".size may be absent"),
    "answer's type": (lambda it: it.fields["size"].update(type="number"), GET, "may be number"),
    "answer's null": (lambda it: it.fields["id"].update(type=["string", "null"]), GET, "be `null`"),
    "answer's null, object": (lambda it: it.thing.update(type=["object", "null"]), GET, "`null`"),
    "answer's name": (lambda it: it.rename("Thing"), GET, "200 is not called `Thing`"),
    "answer's alternative": (
        lambda it: it.fields["owner"]["anyOf"].append({"type": "object"}),
        *(GET, "may be `object`"),
    ),
    "answer's values": (lambda it: it.fields["kind"].pop("enum"), GET, "no enumeration"),
    "answer's format": (
        lambda it: it.fields.update(id={"type": "integer"}),
        *(GET, "may be integer"),
    ),
    "event gone": (lambda it: it.events.pop(), GET, "no alternative"),
}
HARMLESS: dict[str, Callable[[Edit], object]] = {
    "another server": lambda it: it.all["servers"].append({"url": "/more"}),
    "the server is told": lambda it: it.all.pop("servers"),
    "second tag": lambda it: it.get["tags"].pop(),
    "new default": lambda it: it.id["schema"].update(default="x"),
    "list of types": lambda it: it.fields.update(owner={"type": ["string", "null"]}),
    "alternatives for a list of types": lambda it: it.sent.update(
        size={"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}
    ),
    "values of several types": lambda it: it.sent.update(
        kind={"type": ["string", "null"], "enum": ["a", "b", None], "default": "a"}
    ),
    "null, too": lambda it: it.new.update(type=["object", "null"]),
    "the name or null": lambda it: it.sent.update(part=it.sent["parent"]),
    "list of one type": lambda it: it.sent["name"].update(type=["string"]),
    "new name": lambda it: (
        it.sent.update(extra={"$ref": "#/components/schemas/Extra"})
        or it.schemas.update(Extra={"type": "object"})
    ),
    "nothing": copy.copy,
    "operation": lambda it: it.all["paths"].update({"/more": {"get": {"responses": {}}}}),
    "another way to prove who calls": lambda it: it.get["security"].append({"cookie": []}),
    "nobody need prove it": lambda it: it.get.update(security=[{}]),
    "scope gone": lambda it: it.get.pop("x-required-scope"),
    "optional parameter": lambda it: it.get["parameters"].append({"name": "n", "in": "query"}),
    "wider parameter": lambda it: it.depth["schema"].update(type="number", maximum=9),
    "optional field": lambda it: it.sent.update(more={"type": "string"}),
    "field optional": lambda it: it.new["required"].clear(),
    "value": lambda it: it.sent["kind"]["enum"].append("c"),
    "any value": lambda it: it.sent["kind"].pop("enum"),
    "wider bound": lambda it: it.sent["name"].update(maxLength=11),
    "answer's field": lambda it: it.fields.update(more={"type": "string"}),
    "answer's field is always there": lambda it: it.thing["required"].append("note"),
    "answer's value": lambda it: it.fields["kind"]["enum"].append("c"),
    "answer's narrower type": lambda it: it.fields["owner"].update(anyOf=[{"type": "string"}]),
    "error code": lambda it: it.codes.update(other={}),
    "status": lambda it: it.get["responses"].update({"409": {}}),
    "event": lambda it: it.events.append({"type": "object", "properties": {}}),
    "words": lambda it: it.get.update(description="Reads it.", summary="Read"),
}


@pytest.mark.parametrize("name", BREAKING)
def test_it_breaks(name: str) -> None:
    change, operation, told = BREAKING[name]
    edit = Edit()
    change(edit)
    found = breaking_changes(DOCUMENT, edit.all)
    assert [each for each in found if each.operation == operation and told in each.what], found


@pytest.mark.parametrize("name", HARMLESS)
def test_it_does_not_break(name: str) -> None:
    edit = Edit()
    HARMLESS[name](edit)
    assert breaking_changes(DOCUMENT, edit.all) == []


def test_one_change_is_one_line() -> None:
    edit = Edit()
    edit.sent["kind"]["enum"].pop()
    [change] = breaking_changes(DOCUMENT, edit.all)
    assert change == Change(POST, "the body.kind takes 'b' no more")


@pytest.mark.parametrize(
    ("changelog", "passes"),
    [
        (f"# Changes\n\n## 2 (unreleased)\n\n### Breaking\n\n- `{GET}`: no `note`.\n", True),
        (f"## 2\n\n### API\n\n- `{POST}`\n\n### Breaking\n\n- `{GET}`\n\n### Hooks\n", True),
        (f"## 2\n\n### API\n\n- `{GET}` has no `note`.\n", False),
        (f"## 2\n\n### Breaking\n\n- `{POST}`\n", False),
        (f"## 2\n\n### Breaking\n\n## 1\n\n### Breaking\n\n- `{GET}`\n", False),
        (f"## 2\n\n### Breaking\n\n### API\n\n- `{GET}`\n", False),
        (f"## 2\n\n### Breaking\n\n- {GET}/more\n", False),
        ("", False),
    ],
)
def test_the_change_log_lets_it_pass(changelog: str, passes: bool) -> None:
    assert (undeclared([Change(GET, "it is gone")], changelog) == []) is passes


def test_every_operation_of_ours_is_seen() -> None:
    document = json.loads((DOCS / "openapi.json").read_text())
    count = sum(len(item) for item in document["paths"].values())
    assert breaking_changes(document, document) == []
    assert len(breaking_changes(document, {**document, "paths": {}})) == count > 25
