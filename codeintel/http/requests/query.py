"""Reading query parameters: declared once as a struct, which also describes them in OpenAPI."""

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
    """One declared parameter. `default` is UNSET where an absent one has no value."""

    name: str
    type: Any
    required: bool
    is_list: bool
    default: Any


def parameters(type_: type[msgspec.Struct]) -> Iterator[Parameter]:
    """The parameters that a struct declares, in its order.

    A field's name on the wire is the parameter's; a collection is written with commas between its
    items; `UNSET` as default makes a parameter optional.
    """
    for field in msgspec.structs.fields(type_):
        bare = without_unset(field.type)
        info = described.type_info(bare)
        if isinstance(info, described.Metadata):  # a description around the type
            info = info.type
        is_list = isinstance(info, described.VarTupleType | described.FrozenSetType)
        default = UNSET if field.default is NODEFAULT else field.default
        yield Parameter(field.encode_name, bare, field.required, is_list, default)


def read_query(request: Request, type_: type[T], merged: Collection[str] = ()) -> T:
    """The query of a request as `type_`. Names parameters that nothing reads in `ignoredFields`.

    :param merged: lists that may also come as several parameters, as checkboxes send them.
    :raises ServiceError: `invalid_request`, whose `details.path` names the parameter.
    """
    given = request.args.to_dict(flat=False)
    note_ignored(given.keys() - _declared(type_).keys())
    return read_fields(given, type_, merged)


def read_fields(
    given: Mapping[str, Sequence[str]], type_: type[T], merged: Collection[str] = ()
) -> T:
    """Fields of a query or a form, by name, as `type_`.

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
    """The names of the parameters that are lists."""
    return frozenset(name for name, each in _declared(type_).items() if each.is_list)


@cache
def _declared(type_: type[msgspec.Struct]) -> Mapping[str, Parameter]:
    """The parameters by name: to describe a type takes longer than to answer from a cache."""
    return {parameter.name: parameter for parameter in parameters(type_)}


def _items(name: str, value: str) -> tuple[str, ...]:
    """What stands between the commas, spaces trimmed, repeats merged."""
    items = tuple(dict.fromkeys(item.strip() for item in value.split(",")))
    if "" in items:
        raise _refusal(name, f"`{name}` has an empty item.")
    return items


def _refusal(name: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": name})
