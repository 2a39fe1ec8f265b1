"""Infer the types that values of JavaScript and TypeScript have at run time.

`ValueTypes.of` returns the possible types of an expression. It reads declarations and all
assignments (`names`) and the types that the code declares (`declared`).
"""

from codeintel_plugins.transformations.web.type_inference.declared import (
    ARRAY,
    BIG,
    BOOLEAN,
    MAP,
    NOTHING,
    NULL,
    NUMBER,
    PRIMITIVE,
    SET,
    STRING,
    UNDEFINED,
    RuntimeTypes,
)
from codeintel_plugins.transformations.web.type_inference.values import ValueTypes

__all__ = [
    "ARRAY",
    "BIG",
    "BOOLEAN",
    "MAP",
    "NOTHING",
    "NULL",
    "NUMBER",
    "PRIMITIVE",
    "SET",
    "STRING",
    "UNDEFINED",
    "RuntimeTypes",
    "ValueTypes",
]
