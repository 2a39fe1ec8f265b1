"""Read query parameters that are declared as a struct, which also describes them in OpenAPI."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from flask import Request
from msgspec import NODEFAULT, UNSET, inspect as described

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.refusals import explain, without_unset
from codeintel.http.requests.body import note_ignored

T = TypeVar("T", bound=msgspec.Struct)


class Parameter(NamedTuple):
    """A declared parameter. `default` is UNSET if an absent parameter has no value."""

    name: str
    type: Any
    required: bool
    is_list: bool
    default: Any


def parameters(type_: type[msgspec.Struct]) -> Iterator[Parameter]:
    """Yield the parameters that a struct declares, in its order.

    A parameter has the field's JSON name. The items of a collection are separated by commas. The
    default `UNSET` makes a parameter optional.
    """
    for field in msgspec.structs.fields(type_):
        bare = without_unset(field.type)
        info = described.type_info(bare)
        if isinstance(info, described.Metadata):  # a description wraps the type
            info = info.type
        is_list = isinstance(info, described.VarTupleType | described.FrozenSetType)
        default = UNSET if field.default is NODEFAULT else field.default
        yield Parameter(field.encode_name, bare, field.required, is_list, default)


def read_query(request: Request, type_: type[T], merged: Collection[str] = ()) -> T:
    """Read the query of a request as `type_`. Name unknown parameters in `ignoredFields`.

    :param merged: lists that may be sent as repeated parameters, as checkboxes do.
    :raises ServiceError: `invalid_request` with the parameter in `details.path`.
    """
    given = request.args.to_dict(flat=False)
    note_ignored(given.keys() - _declared(type_).keys())
    return read_fields(given, type_, merged)


def read_fields(
    given: Mapping[str, Sequence[str]], type_: type[T], merged: Collection[str] = ()
) -> T:
    """Read the fields of a query or a form, by name, as `type_`.

    :raises ServiceError: as :func:`read_query`.
    """
    declared = _declared(type_)
    values: dict[str, Any] = {}
    for name in given.keys() & declared.keys():
        if len(given[name]) > 1 and name not in merged:
            raise _refusal(name, f"`{name}` is given more than once.")
        value = ",".join(given[name])
        values[name] = _items(name, value) if declared[name].is_list else value
    try:
        return msgspec.convert(values, type_, strict=False)
    except msgspec.ValidationError as error:
        refusal = explain(str(error), type_)
        refusal.details = {"path": refusal.details.get("path", "").partition("[")[0]}
        raise refusal from None


def list_names(type_: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of the parameters that are lists."""
    return frozenset(name for name, each in _declared(type_).items() if each.is_list)


@cache
def _declared(type_: type[msgspec.Struct]) -> Mapping[str, Parameter]:
    """Return the parameters by name, cached, because describing a type takes longer than a cached
    answer.
    """
    return {parameter.name: parameter for parameter in parameters(type_)}


def _items(name: str, value: str) -> tuple[str, ...]:
    """Split a value at commas, trim spaces and drop repeated items."""
    items = tuple(dict.fromkeys(item.strip() for item in value.split(",")))
    if "" in items:
        raise _refusal(name, f"`{name}` has an empty item.")
    return items


def _refusal(name: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": name})
