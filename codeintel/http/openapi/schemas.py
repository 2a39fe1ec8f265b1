"""JSON schemas of the API's types, from one call of msgspec."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UnsetType, inspect as described

from codeintel.base.errors import ErrorCode
from codeintel.contracts.events import RunEvent

_PREFIX = "#/components/schemas/"
REF = f"{_PREFIX}{{name}}"

# Name these unions, for clients that are generated from the document.
_NAMED: dict[Any, tuple[str, str]] = {
    RunEvent: ("RunEvent", "One event of a run; `type` says which."),
}


class Schemas:
    """The schemas of a document.

    msgspec writes schemas for reading, where fields with a default may be absent. In an answer,
    only fields that the encoder omits are absent. So each field of an answer's struct is required,
    except fields that may be UNSET, and fields with a default in a struct with `omit_defaults`.
    """

    components: dict[str, dict[str, Any]]
    """By name, sorted."""

    def __init__(self, requests: Iterable[Any], answers: Iterable[Any]) -> None:
        requested = _classes(requests)
        answered = _classes(answers)
        classes = list({**requested, **answered})
        roots = list(dict.fromkeys([*requests, *answers]))
        built, components = msgspec.json.schema_components([*classes, *roots], ref_template=REF)
        for cls, reference in zip(classes, built, strict=False):
            component = components[reference["$ref"].rpartition("/")[2]]
            _describe(component, cls)
            if issubclass(get_origin(cls) or cls, msgspec.Struct) and cls not in requested:
                _require_sent(component, cls)
        self._schemas = dict(zip(roots, built[len(classes) :], strict=True))
        for type_, (name, description) in _NAMED.items():
            if type_ in self._schemas:
                components[name] = {"description": description, **self._schemas[type_]}
                self._schemas[type_] = {"$ref": REF.format(name=name)}
        plain = {_plain(name): schema for name, schema in components.items()}
        for name, schema in plain.items():
            if "title" in schema:
                schema["title"] = name
        self.components = {name: _polished(plain[name]) for name in sorted(plain)}

    def of(self, type_: Any) -> dict[str, Any]:
        """Return the schema of a type, as a reference if it has a name. None is any object."""
        if type_ is None:
            return {"type": "object"}
        schema: dict[str, Any] = _polished(self._schemas[type_])
        return schema


def _classes(roots: Iterable[Any]) -> dict[Any, None]:
    """Return the structs and enums within some types, in order of occurrence."""
    found: dict[Any, None] = {}
    seen = set()

    def visit(node: Any) -> None:
        cls = getattr(node, "cls", None)
        if cls in seen:
            return
        if cls is not None:
            seen.add(cls)
        if isinstance(node, described.StructType | described.EnumType):
            found[cls] = None
        for part in _parts(node):
            visit(part)

    for info in described.multi_type_info(list(roots)):
        visit(info)
    return found


def _parts(node: msgspec.Struct) -> Iterator[described.Type | described.Field]:
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, described.Type | described.Field):
                yield each


def _describe(component: dict[str, Any], cls: Any) -> None:
    """Set what msgspec leaves raw: docstrings as written, and enumerations sorted by value."""
    text = inspect.cleandoc(component.get("description", ""))
    if "properties" in component:
        for field in msgspec.structs.fields(cls):
            text = text.replace(f"`{field.name}`", f"`{field.encode_name}`")
    else:
        component["enum"] = [member.value for member in cls]
    if cls is ErrorCode:
        component["x-enum-descriptions"] = [code.meaning for code in ErrorCode]
        text += "\n\n" + "\n".join(f"- `{code}`: {code.meaning}" for code in ErrorCode)
    if text:
        component["description"] = text


def _require_sent(component: dict[str, Any], cls: Any) -> None:
    required = set(component.get("required", ()))
    for field in msgspec.structs.fields(cls):
        has_default = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
        omitted = has_default and cls.__struct_config__.omit_defaults
        if not omitted and not _may_be_unset(field.type):
            required.add(field.encode_name)
            # A default describes an absent field, and this field is never absent.
            component["properties"][field.encode_name].pop("default", None)
    component["required"] = [name for name in component["properties"] if name in required]


def _may_be_unset(type_: Any) -> bool:
    origin = get_origin(type_)
    if origin is Annotated:
        return _may_be_unset(get_args(type_)[0])
    if origin in (Union, types.UnionType):
        return any(_may_be_unset(each) for each in get_args(type_))
    return type_ is UnsetType


def _plain(name: str) -> str:
    """Return a name without dots. msgspec adds the module if two classes have the same name, such
    as `codeintel.platform.health.Status`, and client generators read only the last word.
    """
    *_, module, last = f".{name}".split(".")
    return "".join(word[:1].upper() + word[1:] for word in module.split("_")) + last


def _polished(node: Any) -> Any:
    """Return a copy with `oneOf` for discriminators, types of string enums, plain names, and lists
    instead of tuples.
    """
    if isinstance(node, list | tuple):
        return [_polished(each) for each in node]
    if isinstance(node, str) and node.startswith(_PREFIX):
        return f"{_PREFIX}{_plain(node.removeprefix(_PREFIX))}"
    if not isinstance(node, dict):
        return node
    copy = {key: _polished(value) for key, value in node.items()}
    if isinstance(copy.get("anyOf"), list) and "discriminator" in copy:
        copy["oneOf"] = copy.pop("anyOf")
    enum = copy.get("enum")
    if isinstance(enum, list) and all(isinstance(value, str) for value in enum):
        copy = {"type": "string", **copy}
    return copy
