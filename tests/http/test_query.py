"""Query parameters: accepted and rejected values of a declaration, and its schema."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec
import pytest
from flask import Flask, g, request
from msgspec import UNSET, Meta, UnsetType
from openapi_spec_validator import OpenAPIV31SpecValidator

from codeintel.base.errors import ServiceError
from codeintel.http.openapi.document import document
from codeintel.http.operation import Answer, Operation
from codeintel.http.requests.query import read_query


class Source(StrEnum):
    GITHUB = "github"
    NPM = "npm"


class Query(msgspec.Struct, frozen=True, rename="camel"):
    q: Annotated[str, Meta(min_length=1, max_length=5, description="What to find.")]
    page_size: Annotated[int, Meta(ge=1, le=50)] = 10
    sources: tuple[Source, ...] = (Source.GITHUB, Source.NPM)
    first: Source | UnsetType = UNSET
    exact: bool = False


def read(query: str) -> tuple[Query, tuple[str, ...]]:
    """Return the query, and the names that nothing reads."""
    with Flask(__name__).test_request_context(f"/?{query}"):
        found = read_query(request, Query)
        return found, g.ignored_fields


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=a", Query("a")),
        ("q=1", Query("1")),
        ("q=null", Query("null")),
        ("q=%C3%A9+x&pageSize=50", Query("é x", 50)),
        ("q=a&sources=npm", Query("a", sources=(Source.NPM,))),
        ("q=a&sources=%20npm,github%20,npm", Query("a", sources=(Source.NPM, Source.GITHUB))),
        ("q=a&first=npm&exact=true", Query("a", first=Source.NPM, exact=True)),
    ],
)
def test_what_is_taken(query: str, expected: Query) -> None:
    assert read(query) == (expected, ())


@pytest.mark.parametrize(
    ("query", "parameter", "words"),
    [
        ("", "q", "`q` is missing."),
        ("q=", "q", "`q` must not be empty."),
        ("q=toolong", "q", "`q` must have at most 5 characters."),
        ("q=a&pageSize=51", "pageSize", "`pageSize` must be at most 50."),
        ("q=a&pageSize=1.5", "pageSize", "`pageSize` must be an integer."),
        ("q=a&pageSize=", "pageSize", "`pageSize` must be an integer."),
        ("q=a&q=b", "q", "`q` is given more than once."),
        ("q=a&sources=", "sources", "`sources` has an empty item."),
        ("q=a&sources=npm,,github", "sources", "`sources` has an empty item."),
        ("q=a&sources=npm,hunter2", "sources", "`sources[1]` must be one of: github, npm."),
        ("q=a&first=hunter2", "first", "`first` must be one of: github, npm."),
        ("q=a&exact=perhaps", "exact", "`exact` must be true or false."),
    ],
)
def test_what_is_refused(query: str, parameter: str, words: str) -> None:
    with pytest.raises(ServiceError) as refused:
        read(query)
    assert refused.value.code.value == "invalid_request"
    assert refused.value.details == {"path": parameter}
    assert words in refused.value.message
    assert "hunter2" not in refused.value.message


def test_names_that_nothing_reads() -> None:
    assert read("q=a&page_size=3&other=1&other=2") == (Query("a"), ("other", "page_size"))
    _, ignored = read("q=a&" + "&".join(f"{number}{'x' * 200}" for number in range(99)))
    assert (len(ignored), len(ignored[0])) == (50, 100)


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    app = Flask(__name__, static_folder=None)
    operation = Operation("Find", "Search", {200: Answer("Found.")}, query=Query)

    def view(kind: str) -> str:
        return kind

    view.operation = operation  # type: ignore[attr-defined]
    app.add_url_rule("/find/<kind>", "find", view)
    return document(app, "")


def test_the_document_has_the_parameters(described: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(described).validate()
    operation = described["paths"]["/find/{kind}"]["get"]
    source = {"$ref": "#/components/schemas/Source"}
    assert operation["parameters"][0]["in"] == "path"
    assert operation["parameters"][1:] == [
        {
            "name": "q",
            "in": "query",
            "required": True,
            "description": "What to find.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 5},
        },
        {
            "name": "pageSize",
            "in": "query",
            "required": False,
            "schema": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        },
        {
            "name": "sources",
            "in": "query",
            "required": False,
            "style": "form",
            "explode": False,
            "schema": {"type": "array", "items": source, "default": ["github", "npm"]},
        },
        {"name": "first", "in": "query", "required": False, "schema": source},
        {
            "name": "exact",
            "in": "query",
            "required": False,
            "schema": {"type": "boolean", "default": False},
        },
    ]
    assert "400" in operation["responses"]
    assert described["components"]["schemas"]["Source"]["enum"] == ["github", "npm"]
    assert "Query" not in described["components"]["schemas"]
