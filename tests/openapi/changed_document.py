"""A small OpenAPI document, and short ways to change it."""

from __future__ import annotations

import copy
import json
from typing import Any

GET, POST = "GET /things/{id}", "POST /things"
Document = dict[str, Any]
THING = {
    "type": "object",
    "required": ["id", "size"],
    "properties": {
        "id": {"type": "string"},
        "size": {"type": "integer"},
        "note": {"type": "string"},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
        "owner": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
}
NEW_THING = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "maxLength": 10},
        "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
        "size": {"type": ["integer", "null"], "minimum": 1},
        "part": {"$ref": "#/components/schemas/Part"},
        "parent": {"anyOf": [{"$ref": "#/components/schemas/Part"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "extra": {"type": "object"},
    },
}
DEPTH = {"type": "integer", "maximum": 3, "default": 1}
EVENT = {
    "discriminator": {"propertyName": "type"},
    "oneOf": [
        {"type": "object", "required": ["type"], "properties": {"type": {"const": "begun"}}},
        {"type": "object", "required": ["type"], "properties": {"type": {"const": "ended"}}},
    ],
}
PART = {"type": "object", "properties": {"name": {"type": "string"}}}
DOCUMENT: Document = {
    "servers": [{"url": "/"}],
    "paths": {
        "/things/{id}": {
            "get": {
                "operationId": "read",
                "tags": ["Things", "Reading"],
                "security": [{"bearer": []}, {"apiKey": []}],
                "x-required-scope": "things:read",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"name": "depth", "in": "query", "schema": DEPTH},
                    {"name": "words", "in": "query", "explode": False, "schema": {"type": "array"}},
                ],
                "responses": {
                    "200": {
                        "headers": {"ETag": {"required": True, "schema": {"type": "string"}}},
                        "links": {"change": {"operationId": "make"}},
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}},
                            "text/event-stream": {"schema": EVENT},
                        },
                    },
                    "404": {
                        "content": {
                            "application/json": {"examples": {"not_found": {}, "not_yet": {}}}
                        }
                    },
                },
            }
        },
        "/things": {
            "post": {
                "operationId": "make",
                "requestBody": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/New"}}
                    }
                },
                "responses": {"201": {}},
            }
        },
    },
    "components": {
        "schemas": {"Thing": THING, "New": NEW_THING, "Part": PART},
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer"},
            "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
        },
    },
}


class Edit:
    """A document to be changed, and short ways to its parts."""

    def __init__(self) -> None:
        self.all: Document = copy.deepcopy(DOCUMENT)
        self.schemas = self.all["components"]["schemas"]
        self.thing, self.new = self.schemas["Thing"], self.schemas["New"]
        self.get = self.all["paths"]["/things/{id}"]["get"]
        self.post = self.all["paths"]["/things"]["post"]
        self.ok = self.get["responses"]["200"]
        self.codes = self.get["responses"]["404"]["content"]["application/json"]["examples"]
        self.id, self.depth, self.words = self.get["parameters"]
        self.fields, self.sent = self.thing["properties"], self.new["properties"]
        self.events = self.ok["content"]["text/event-stream"]["schema"]["oneOf"]

    def rename(self, name: str) -> None:
        """Give a component another name everywhere."""
        text = (
            json.dumps(self.all)
            .replace(f'/{name}"', f'/{name}2"')
            .replace(f'"{name}"', f'"{name}2"')
        )
        self.all = json.loads(text)
