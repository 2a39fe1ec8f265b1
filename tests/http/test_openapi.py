"""The OpenAPI document of a small service, by its validator and by the promises it must keep."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Annotated, Any

import jsonschema
import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import UNSET, Meta, UnsetType
from openapi_spec_validator import OpenAPIV31SpecValidator

from codeintel import API_VERSION
from codeintel.api.description import openapi_routes
from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode
from codeintel.contracts import AnalysisResult, Model, Severity
from codeintel.contracts.events import RunCreated, RunEvent
from codeintel.http.openapi.document import document
from codeintel.http.operation import EVENT_STREAM, Answer, Operation


class Health(msgspec.Struct, rename="camel"):
    status: str
    checked_at: str | None = None
    last_failure: str | UnsetType = UNSET


class AnalyzeBody(msgspec.Struct, rename="camel"):
    code: Annotated[str, Meta(min_length=1, max_length=100)]
    model: Model = Model.FLASH


HEALTH = Operation(
    "Check the service",
    "Health",
    {200: Answer("Works.", Health), 503: Answer("Does not.", Health)},
)
STREAM = Operation(
    "Analyse",
    "Analysis",
    {200: Answer("Events.", RunEvent, media_type=EVENT_STREAM)},
    body=AnalyzeBody,
    body_example={"code": "x = 1"},
    authenticated=True,
    scope=Scope.ANALYSIS_WRITE,
    errors=(ErrorCode.INSUFFICIENT_CREDITS, ErrorCode.OVERLOADED),
)
RESULT = Operation(
    "Read a result",
    "a plugin's own",
    {200: Answer("It.", AnalysisResult, enveloped=False), 204: Answer("None yet.")},
    authenticated=True,
)
ROUTES: list[tuple[str, str, str, Operation]] = [
    ("GET", "/api/v1/health", "health.health", HEALTH),
    ("POST", "/api/v1/analyze/stream", "analyze.start_stream", STREAM),
    ("GET", "/api/v1/runs/<run_id>/results/<int:number>", "runs.result", RESULT),
    ("DELETE", "/api/v1/any/<any(a, b):which>/<path:rest>", "runs.result", RESULT),
]


def _view(operation: Operation) -> Callable[..., str]:
    def view(**_: Any) -> str:
        return ""

    view.operation = operation  # type: ignore[attr-defined]
    return view


def _app(routes: list[tuple[str, str, str, Operation]] = ROUTES) -> Flask:
    app = Flask(__name__, static_folder=None)
    views = {id(operation): _view(operation) for *_, operation in routes}
    for method, path, endpoint, operation in routes:
        app.add_url_rule(path, endpoint, views[id(operation)], methods=[method])
    app.add_url_rule("/about", "about", lambda: "")
    app.extensions["codeintel"] = SimpleNamespace(settings=SimpleNamespace(public_url=""))
    app.register_blueprint(openapi_routes)
    return app


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return document(_app(), "https://code.example")


def _operations(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in described["paths"].values():
        yield from path.values()


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _schemas(described: dict[str, Any]) -> dict[str, Any]:
    schemas: dict[str, Any] = described["components"]["schemas"]
    return schemas


def test_it_is_valid(described: dict[str, Any]) -> None:
    assert described["openapi"] == "3.1.1"
    assert described["info"]["version"] == API_VERSION
    OpenAPIV31SpecValidator(json.loads(json.dumps(described))).validate()


def test_every_reference_and_mapping_leads_somewhere(described: dict[str, Any]) -> None:
    mapping = _schemas(described)["RunEvent"]["discriminator"]["mapping"]
    references = {*_references(described), *mapping.values()}
    assert len(references) > 30
    for reference in references:
        node = described
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]


def test_only_routes_with_an_operation_are_in_it(described: dict[str, Any]) -> None:
    ids = {path: list(methods.items()) for path, methods in described["paths"].items()}
    assert {path: [(m, o["operationId"]) for m, o in found] for path, found in ids.items()} == {
        "/api/v1/any/{which}/{rest}": [("delete", "runsResult")],
        "/api/v1/health": [("get", "health")],
        "/api/v1/analyze/stream": [("post", "analyzeStartStream")],
        "/api/v1/runs/{run_id}/results/{number}": [("get", "runsResult2")],
        "/api/v1/openapi.json": [("get", "openapiDescribe")],
    }


def test_path_parameters_are_typed_by_their_converter(described: dict[str, Any]) -> None:
    operation = described["paths"]["/api/v1/runs/{run_id}/results/{number}"]["get"]
    assert [(each["name"], each["schema"]) for each in operation["parameters"]] == [
        ("run_id", {"type": "string"}),
        ("number", {"type": "integer", "minimum": 0}),
    ]


def test_security(described: dict[str, Any]) -> None:
    public = described["paths"]["/api/v1/health"]["get"]
    private = described["paths"]["/api/v1/analyze/stream"]["post"]
    assert public["security"] == [{}, {"bearer": []}, {"apiKey": []}]
    assert private["security"] == [{"bearer": []}, {"apiKey": []}]
    assert "`analysis:write`" in private["description"]
    assert private["x-required-scope"] == "analysis:write"


def test_what_is_exempt_reads_no_credential(monkeypatch: pytest.MonkeyPatch) -> None:
    app = _app()
    monkeypatch.setattr(app.view_functions["health.health"], "exempt", True, raising=False)
    operation = document(app, "")["paths"]["/api/v1/health"]["get"]
    assert operation["security"] == []
    assert operation["responses"].keys() == {"200", "400", "414", "500", "503"}


@pytest.mark.parametrize(
    ("path", "method", "expected"),
    [
        ("/api/v1/health", "get", {200, 400, 401, 403, 414, 429, 500, 503}),
        ("/api/v1/openapi.json", "get", {200, 304, 400, 401, 403, 414, 429, 500, 503}),
        (
            "/api/v1/analyze/stream",
            "post",
            {200, 400, 401, 402, 403, 408, 413, 414, 415, 429, 500, 503},
        ),
    ],
)
def test_statuses(described: dict[str, Any], path: str, method: str, expected: set[int]) -> None:
    assert {int(status) for status in described["paths"][path][method]["responses"]} == expected


def test_errors_are_grouped_by_status(described: dict[str, Any]) -> None:
    responses = described["paths"]["/api/v1/analyze/stream"]["post"]["responses"]
    for status in responses.keys() - {"200"}:
        codes = responses[status]["content"]["application/json"]["examples"]
        assert {ErrorCode(code).status for code in codes} == {int(status)}
    assert list(responses["503"]["content"]["application/json"]["examples"]) == [
        "database_unavailable",
        "overloaded",
        "identity_provider_unavailable",
    ]


def test_an_answer_and_an_error_can_share_a_status(described: dict[str, Any]) -> None:
    response = described["paths"]["/api/v1/health"]["get"]["responses"]["503"]
    answer, error = response["content"]["application/json"]["schema"]["anyOf"]
    assert answer["properties"]["data"] == {"$ref": "#/components/schemas/Health"}
    assert error == {"$ref": "#/components/schemas/ErrorEnvelope"}
    assert "Does not." in response["description"]
    assert "`database_unavailable`" in response["description"]


def test_all_responses_have_the_headers(described: dict[str, Any]) -> None:
    always = described["components"]["headers"].keys() - {"Retry-After"}
    assert len(always) == 7
    for operation in _operations(described):
        for status, response in operation["responses"].items():
            retry = {"Retry-After"} if status in {"429", "503"} else set()
            assert response["headers"].keys() == always | retry


def test_the_envelope_only_where_there_is_one(described: dict[str, Any]) -> None:
    paths = described["paths"]
    plain = paths["/api/v1/runs/{run_id}/results/{number}"]["get"]["responses"]
    assert plain["200"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/AnalysisResult"
    }
    assert "content" not in plain["204"]
    health = paths["/api/v1/health"]["get"]["responses"]["200"]
    assert health["content"]["application/json"]["schema"]["required"] == ["data", "meta"]


def test_run_events(described: dict[str, Any]) -> None:
    event = _schemas(described)["RunEvent"]
    assert event["discriminator"]["propertyName"] == "type"
    assert len(event["oneOf"]) == len(event["discriminator"]["mapping"]) == 13
    for type_, reference in event["discriminator"]["mapping"].items():
        schema = _schemas(described)[reference.rpartition("/")[2]]
        assert schema["properties"]["type"] == {"type": "string", "enum": [type_]}
        assert {"type", "sequence", "runId"} <= set(schema["required"])
        sequence = schema["properties"]["sequence"]
        assert sequence["minimum"] == 1
        assert "default" not in sequence
    responses = described["paths"]["/api/v1/analyze/stream"]["post"]["responses"]
    string, frame, data = responses["200"]["content"][EVENT_STREAM]["schema"]["anyOf"]
    assert string == {"type": "string"}
    assert frame["properties"]["data"]["contentSchema"] == data
    assert data == {"$ref": "#/components/schemas/RunEvent"}


def test_an_encoded_event_fits_its_schema(described: dict[str, Any]) -> None:
    event = RunCreated(
        sequence=1,
        run_id="r1",
        kind="analysis",  # type: ignore[arg-type]
        engine="static",
        model=Model.PRO,
        credits_reserved=2,
        ignored_fields=(),
    )
    schema = {**described, "$ref": "#/components/schemas/RunEvent"}
    jsonschema.validate(json.loads(msgspec.json.encode(event)), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"type": "run.created", "sequence": 1}, schema)


def test_what_is_always_sent_is_required(described: dict[str, Any]) -> None:
    schemas = _schemas(described)
    assert schemas["Health"]["required"] == ["status", "checkedAt"]
    assert "default" not in schemas["Health"]["properties"]["checkedAt"]
    assert schemas["Usage"]["required"] == ["inputCharacters"]  # it omits defaults
    assert schemas["AnalyzeBody"]["required"] == ["code"]
    assert schemas["AnalyzeBody"]["properties"]["model"]["default"] == "flash"


def test_unknown_request_fields_are_allowed(described: dict[str, Any]) -> None:
    assert "additionalProperties" not in _schemas(described)["AnalyzeBody"]


def test_enumerations_keep_their_order_and_docstrings_their_lines(
    described: dict[str, Any],
) -> None:
    schemas = _schemas(described)
    assert schemas["Severity"]["enum"] == [each.value for each in Severity]
    assert schemas["ErrorCode"]["enum"] == [each.value for each in ErrorCode]
    assert len(schemas["ErrorCode"]["x-enum-descriptions"]) == len(ErrorCode)
    assert "`ruleId`" in schemas["Finding"]["description"]
    assert "\n  " not in schemas["Finding"]["description"]


def test_it_is_the_same_whatever_the_order_of_the_routes() -> None:
    documents = [document(_app(routes), "") for routes in (ROUTES, ROUTES[::-1])]
    first, second = (json.dumps(each) for each in documents)
    assert first == second
    assert documents[0]["servers"] == [{"url": "/"}]
    assert [tag["name"] for tag in documents[0]["tags"]] == [
        "Analysis",
        "Health",
        "Description",
        "a plugin's own",
    ]


def test_it_is_served_and_revalidated(client: FlaskClient) -> None:
    first = client.get("/api/v1/openapi.json")
    assert first.mimetype == "application/json"
    assert first.get_json()["openapi"] == "3.1.1"
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
