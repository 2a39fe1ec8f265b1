"""Explain the settings of a project, and publish their JSON schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from codeintel.cli.scan.policy.layers import VARIABLES
from codeintel.cli.scan.policy.settings import ProjectConfig, ProjectFile

DEFAULT = "default"
SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"
HELP: Mapping[str, str] = {
    "include": "Globs of the files to scan, as in .gitignore. Empty means all.",
    "exclude": "Globs of files to leave out.",
    "model": "Depth of the analysis: flash or pro.",
    "severity": "Least severity of reported findings.",
    "confidence": "Least confidence of reported findings.",
    "fail-on": "Least severity that makes the scan fail, or none.",
    "honor-suppressions": "Whether suppression comments such as nosec count.",
    "base": "Commit to compare with. Only findings that it does not have can fail the scan.",
    "baseline": "File of known findings, or none. Default: .codeintel-baseline.jsonl, if present.",
    "rules": "Rules by glob: on, off, or another severity. The last match decides.",
    "languages": "Settings by language: enabled, files, severity, confidence, fail-on, rules.",
    "override": "Settings for some paths: severity, confidence, fail-on, rules.",
    "suppress": "Findings that do not count, each with a reason.",
}
"""The meanings of the settings."""


EMPTY: tuple[Any, ...] = ("", (), [], {})


class Row(NamedTuple):
    """A setting as it is shown. `origin` is the layer that sets it."""

    name: str
    value: str
    origin: str
    help: str


def rows(config: ProjectConfig) -> Iterator[Row]:
    """Yield all settings of a project."""
    for each in msgspec.structs.fields(ProjectFile):
        name = each.encode_name
        value = getattr(config.file, each.name)
        yield Row(name, _shown(value), config.origins.get(name, DEFAULT), HELP[name])


def _shown(value: Any) -> str:
    """Return a value in one line. Lists of tables are counted."""
    built = msgspec.to_builtins(value)
    if isinstance(built, bool):
        return str(built).lower()
    if isinstance(built, dict):
        return ", ".join(f"{key}={_inner(each)}" for key, each in built.items())
    if isinstance(built, tuple | list):
        return "; ".join(_inner(each) for each in built)
    return str(built)


def _inner(value: Any) -> str:
    if isinstance(value, dict):
        told = ", ".join(
            f"{key}={_inner(each)}" for key, each in value.items() if each not in EMPTY
        )
        return f"({told})"
    return _shown(value)


def schema() -> dict[str, Any]:
    """Return the JSON schema of `.codeintel.toml`."""
    made = msgspec.json.schema(ProjectFile)
    definitions: dict[str, Any] = made["$defs"]
    project = definitions.pop(ProjectFile.__name__)
    for name, told in HELP.items():
        field = project["properties"][name]
        if "$ref" in field or "anyOf" in field:
            project["properties"][name] = {**field, "description": told}
        else:
            field["description"] = told
    for name, variable in VARIABLES.items():
        project["properties"][name]["description"] += f" Environment: {variable}."
    project["title"] = "The settings of a project, in .codeintel.toml"
    for each in (project, *definitions.values()):
        if "description" in each:
            each["description"] = " ".join(each["description"].split())
    return {"$schema": SCHEMA_ID, **project, "$defs": definitions}
