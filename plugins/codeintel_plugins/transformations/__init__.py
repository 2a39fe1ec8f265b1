"""The five kinds of transformation, with their options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from codeintel import hookimpl
from codeintel.contracts import Promise, Transformation, TransformationKind

_ALL = tuple(Promise)
_Aggressive = Annotated[
    bool,
    Meta(description="Also make changes that a tool calls unsafe; the checks are the same."),
]


class RefactorOptions(msgspec.Struct, frozen=True, rename="camel"):
    """Options of `refactor`."""

    aggressive: _Aggressive = False


class ModernizeOptions(msgspec.Struct, frozen=True, rename="camel"):
    """Options of `modernize`."""

    aggressive: _Aggressive = False
    python_version: Annotated[
        str,
        Meta(
            pattern=r"^3\.(?:[89]|1[0-4])$",
            description="The oldest Python version that the result must support.",
        ),
    ] = "3.11"


class OptimizeOptions(msgspec.Struct, frozen=True, rename="camel"):
    """Options of `optimize`."""

    aggressive: _Aggressive = False


class DocstringStyle(StrEnum):
    """How docstrings list parameters."""

    GOOGLE = "google"
    NUMPY = "numpy"
    SPHINX = "sphinx"


class DocumentOptions(msgspec.Struct, frozen=True, rename="camel"):
    """Options of `document`."""

    style: Annotated[DocstringStyle, Meta(description="How docstrings list parameters.")] = (
        DocstringStyle.GOOGLE
    )
    private: Annotated[
        bool, Meta(description="Also document names that start with an underscore.")
    ] = False


class ConvertOptions(msgspec.Struct, frozen=True, rename="camel"):
    """Options of `convert`."""

    strict: Annotated[
        bool, Meta(description="Reject code if the target does not support all of its features.")
    ] = False


KINDS = (
    TransformationKind(
        name="refactor",
        summary="Simplify and format code without changing its behavior.",
        options=RefactorOptions,
        promises=_ALL,
    ),
    TransformationKind(
        name="convert",
        summary="Convert code to another language or format.",
        options=ConvertOptions,
        promises=_ALL,
        surcharge=1,
        changes_language=True,
    ),
    TransformationKind(
        name="optimize",
        summary="Replace slow code with faster equivalents.",
        options=OptimizeOptions,
        promises=_ALL,
        surcharge=1,
    ),
    TransformationKind(
        name="modernize",
        summary="Use features of newer language versions.",
        options=ModernizeOptions,
        promises=_ALL,
    ),
    TransformationKind(
        name="document",
        summary="Add docstrings to functions and classes.",
        options=DocumentOptions,
        promises=_ALL,
    ),
)


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register the kinds."""
    for kind in KINDS:
        register(kind)
