"""Read the settings of a project: its file, then the environment, then the options."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, get_args

import msgspec

from codeintel.base.wording import printable
from codeintel.cli.scan.policy.key_lines import Place, key_lines
from codeintel.cli.scan.policy.regular_files import read_regular
from codeintel.cli.scan.policy.settings import (
    PROJECT_FILE,
    Globs,
    LanguageSettings,
    ProjectConfig,
    ProjectError,
    ProjectFile,
    fault_of,
)
from codeintel.cli.suggestions import did_you_mean
from codeintel.contracts.languages import canonical_language, is_known, languages

MAX_FILE_BYTES = 256 * 1024
VARIABLES = {
    name: "CODEINTEL_SCAN_" + name.upper().replace("-", "_")
    for name in (
        *("model", "severity", "confidence", "fail-on", "honor-suppressions", "base", "baseline"),
    )
}
"""The environment variable of each setting that has one."""
_BOOLEANS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_PLAIN = ("base", "baseline")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HAS_CONTROL = "a control character is not allowed"
_SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`")
_ENUM = re.compile(r"Invalid enum value '(?P<value>.*)'", re.DOTALL)
_AT = re.compile(r" - at `\$(?P<place>[^`]*)`\Z")


class _Layer(NamedTuple):
    """The values of one layer by name, and where each comes from."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]


def load_project(
    root: Path,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> ProjectConfig:
    """Return the settings of the project in a folder.

    :param flags: values of options by the name of the setting, such as `fail-on`. None means that
        the option is not given.
    :param environment: the variables, by default those of this process.
    :raises ProjectError: if a value is invalid.
    """
    file, origins = _read_file(root / PROJECT_FILE)
    given = _of_environment(os.environ if environment is None else environment)
    options = {name: value for name, value in (flags or {}).items() if value is not None}
    asked = _Layer(options, {name: f"--{name}" for name in options})
    for layer in (given, asked):
        for name, value in layer.values.items():
            file = _with(file, name, value, layer.origins[name])
            origins[name] = layer.origins[name]
    return ProjectConfig(file, origins)


def read_text(path: Path) -> str | None:
    """Return the text of a project's file, or None if it does not exist.

    :raises ProjectError: if it is no regular file, too large or not UTF-8.
    """
    try:
        data = read_regular(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ProjectError(f"{path.name} cannot be read: {error.strerror}.") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ProjectError(f"{path.name} is not UTF-8. Save it in this encoding.") from None


def parse(text: str, name: str = PROJECT_FILE) -> ProjectFile:
    """Return the settings in the text of a project's file.

    :raises ProjectError: with the line, if the text is invalid.
    """
    return _convert(_document(text, name), text, name)


def _read_file(path: Path) -> tuple[ProjectFile, dict[str, str]]:
    text = read_text(path)
    if text is None:
        return ProjectFile(), {}
    document = _document(text, path.name)
    file = _convert(document, text, path.name)
    lines = key_lines(text)
    origins = {name: f"{path.name}:{lines.get((name,), 1)}" for name in document}
    return file, origins


def _document(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _SYNTAX.fullmatch(str(error))
        what = match["what"] if match else str(error)
        line = (match and match["line"]) or len(text.rstrip("\n").split("\n"))
        raise ProjectError(f"{name}:{line}: {printable(what)}.") from None
    except RecursionError:
        raise ProjectError(f"{name}: the values are nested too deeply.") from None
    except ValueError:  # such as a number of thousands of digits
        raise ProjectError(f"{name}: a value is too long.") from None


def _convert(document: dict[str, Any], text: str, name: str) -> ProjectFile:
    """Convert the document value by value, because an error has to name the line."""
    fields = {each.encode_name: each for each in msgspec.structs.fields(ProjectFile)}
    values: dict[str, Any] = {}
    for key, value in document.items():
        if key not in fields:
            told = f'unknown setting "{printable(key)}".{did_you_mean(key, fields)}'
            raise _error(text, name, (key,), told)
        for path, part, type_ in _parts(key, value):
            try:
                msgspec.convert(part, type_)
            except msgspec.ValidationError as error:
                raise _misfit(text, name, path, part, str(error), type_) from None
        values[fields[key].name] = value
    try:
        file = msgspec.convert(document, ProjectFile)
    except msgspec.ValidationError as error:
        raise ProjectError(f"{name}: {printable(str(error))}.") from None
    for at, entry in enumerate(file.suppress):
        if not (entry.rule or entry.paths or entry.fingerprint):
            raise _error(
                text, name, ("suppress", at), "an entry needs `rule`, `paths` or `fingerprint`."
            )
    if not _is_inside(file.baseline):
        told = "baseline: name a file in the repository, by its relative path."
        raise _error(text, name, ("baseline",), told)
    for key in _PLAIN:
        if _CONTROL.search(getattr(file, key)):
            raise _error(text, name, (key,), f"{key}: {_HAS_CONTROL}.")
    for path, globs in _globs(file):
        for glob in globs:
            if fault := fault_of(glob):
                label = ".".join(str(each) for each in path)
                raise _error(text, name, path, f"{label}: {printable(repr(glob))} {fault}.")
    return msgspec.structs.replace(file, languages=_languages(file, text, name))


def _globs(file: ProjectFile) -> Iterator[tuple[Place, Globs]]:
    """Yield all lists of globs of paths."""
    yield ("include",), file.include
    yield ("exclude",), file.exclude
    for key, settings in file.languages.items():
        yield ("languages", key, "files"), settings.files
    for at, override in enumerate(file.override):
        yield ("override", at, "paths"), override.paths
    for at, entry in enumerate(file.suppress):
        yield ("suppress", at, "paths"), entry.paths


def _languages(file: ProjectFile, text: str, name: str) -> dict[str, LanguageSettings]:
    """Return the settings of languages by their canonical names.

    :raises ProjectError: for an unknown language, which only a plugin's analyzer can have, for the
        files that the settings name.
    """
    found: dict[str, LanguageSettings] = {}
    for key, settings in file.languages.items():
        language = canonical_language(key)
        close = did_you_mean(key, (each.name for each in languages()))
        if not is_known(language) and (close or not settings.files):
            told = f'unknown language "{printable(key)}".{close}'
            raise _error(text, name, ("languages", key), told)
        if language in found:
            told = f'"{printable(key)}" is another name of {language}, which has settings already.'
            raise _error(text, name, ("languages", key), told)
        found[language] = settings
    return found


def _is_inside(path: str) -> bool:
    """Return whether a path cannot lead out of the folder that it is relative to.

    Repositories of other people have settings, too, and `codeintel baseline` writes this file.
    """
    return not PurePosixPath(path).is_absolute() and ".." not in PurePosixPath(path).parts


def _parts(key: str, value: Any) -> Iterator[tuple[Place, Any, Any]]:
    """Yield the parts of a setting that are checked one by one: path, value and type."""
    types = {each.encode_name: each.type for each in msgspec.structs.fields(ProjectFile)}
    arguments: tuple[Any, ...] = getattr(types[key], "__args__", ())
    if isinstance(value, dict) and arguments[1:]:
        for name, part in value.items():
            yield (key, name), part, arguments[1]
    elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        for at, part in enumerate(value):
            yield (key, at), part, arguments[0] if arguments else types[key]
    else:
        yield (key,), value, types[key]


def _misfit(text: str, name: str, path: Place, part: Any, what: str, type_: Any) -> ProjectError:
    """Return the error for a value that does not fit, with the line of the innermost key."""
    match = _AT.search(what)
    place = match["place"] if match else ""
    what = _AT.sub("", what)
    inner: Place = tuple(key for key in re.findall(r"\.([\w-]+)", place))
    unknown = _UNKNOWN.fullmatch(what)
    if unknown is not None:
        known = [each.encode_name for each in msgspec.structs.fields(type_)]
        told = f'unknown setting "{printable(unknown["name"])}".'
        told += did_you_mean(unknown["name"], known)
        return _error(text, name, (*path, unknown["name"]), told)
    for key in inner:
        part = part.get(key) if isinstance(part, dict) else part
    label = ".".join(str(each) for each in (*path, *inner))
    wrong = _ENUM.fullmatch(what)
    choices = _choices(type_, inner) if wrong is not None else []
    if wrong is not None and choices:
        told = f'{label}: "{printable(wrong["value"])}" is not one of {", ".join(choices)}.'
        return _error(text, name, (*path, *inner), told + did_you_mean(wrong["value"], choices))
    shown = f" {part!r}" if isinstance(part, str) and "Invalid" in what else ""
    return _error(text, name, (*path, *inner), f"{label}:{printable(shown)} {printable(what)}.")


def _choices(type_: Any, inner: Place) -> list[str]:
    """Return the values of the enumerations that a type, or an inner part of it, allows."""
    for key in inner:
        if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
            fields = msgspec.structs.fields(type_)
            type_ = next((each.type for each in fields if each.encode_name == key), None)
        else:  # a mapping
            type_ = get_args(type_)[-1] if get_args(type_) else None
    return [str(member.value) for enum in _enums(type_) for member in enum]


def _enums(type_: Any) -> Iterator[type[Enum]]:
    if isinstance(type_, type) and issubclass(type_, Enum):
        yield type_
    for each in get_args(type_):
        yield from _enums(each)


def _error(text: str, name: str, path: Place, what: str) -> ProjectError:
    return ProjectError(f"{name}:{_line(text, path)}: {what}")


def _line(text: str, path: Place) -> int:
    """Return the line of a value, or of the nearest table or list around it."""
    lines = key_lines(text)
    return next((lines[path[:at]] for at in range(len(path), 0, -1) if path[:at] in lines), 1)


def _of_environment(environment: Mapping[str, str]) -> _Layer:
    values: dict[str, Any] = {}
    origins = {}
    for name, variable in VARIABLES.items():
        given = environment.get(variable, "")
        if given:
            values[name] = _BOOLEANS.get(given.lower(), given) if "honor" in name else given
            origins[name] = variable
    return _Layer(values, origins)


def _with(file: ProjectFile, name: str, value: Any, origin: str) -> ProjectFile:
    """Return the settings with one value replaced."""
    field = next(each for each in msgspec.structs.fields(ProjectFile) if each.encode_name == name)
    try:
        converted = msgspec.convert(value, field.type)
    except msgspec.ValidationError as error:
        shown = printable(repr(value))
        raise ProjectError(f"{origin}: {shown}. {printable(str(error))}.") from None
    if name in _PLAIN and _CONTROL.search(converted):
        raise ProjectError(f"{origin}: {_HAS_CONTROL}.")
    return msgspec.structs.replace(file, **{field.name: converted})
