"""Private names by what manifests say of registries and of the packages that they are of. Pure."""

from __future__ import annotations

import re

from codeintel.workspaces.proof.formats.config_sections import read_sections
from codeintel.workspaces.proof.formats.parts import json_object, part, toml_table
from codeintel.workspaces.proof.formats.xml import parse_xml
from codeintel.workspaces.proof.private.configs import indexes, pip_conf, uv_settings
from codeintel.workspaces.proof.private.found import REGISTRY, Found, files

_GEM_SOURCE = re.compile(r"(?m)^[ \t]*source[ (][ \t]*([^\s,)]+)[,)]?[ \t\r]*$")
_OPTION = re.compile(r"(?m)^[ \t]*--?[\w-]+.*$")


def package_json(text: str, found: Found) -> None:
    """A scope is private where a package of the workspace has it that is not for everybody: without
    `access` such packages are published for some only."""
    document = json_object(text)
    name, publish = document.get("name"), part(document, "publishConfig")
    for key, url in publish.items():
        if key.startswith("@") and key.endswith(":registry") and not found.is_public(url):
            found.scopes.add(key.partition(":")[0])
    if not isinstance(name, str) or not name:
        return
    found.own.add(name)
    if not name.startswith("@"):
        return
    scope = name.partition("/")[0]
    if "registry" in publish and not found.is_public(publish["registry"]):
        found.scopes.add(scope)
    elif publish.get("access") == "public" and document.get("private") is not True:
        found.public_scopes.add(scope)
    found.own_scopes.add(scope)


def requirements(text: str, found: Found) -> None:
    """Options of a file of requirements: its other lines are packages."""
    pip_conf("\n".join(_OPTION.findall(text)), found)


def pyproject(text: str, found: Found) -> None:
    """Tables of uv, Poetry and PDM."""
    document = toml_table(text)
    for each in (part(document, "project"), part(document, "tool", "poetry")):
        if isinstance(each.get("name"), str):
            found.own.add(each["name"])
    uv_settings(part(document, "tool", "uv"), found)
    sources = part(document, "tool", "poetry").get("source", [])
    indexes(sources, found, lambda entry: entry.get("priority") == "explicit")
    indexes(part(document, "tool", "pdm").get("source", []), found, lambda _: False)


def pipfile(text: str, found: Found) -> None:
    """Its sources."""
    indexes(toml_table(text).get("source", []), found, lambda _: False)


def setup_cfg(text: str, found: Found) -> None:
    """Its own name, and the index of old tools."""
    sections = read_sections(text)
    if name := sections.get("metadata", {}).get("name", ""):
        found.own.add(name)
    if url := sections.get("easy_install", {}).get("index_url", ""):
        found.registry(url)
    if sections.get("options", {}).get("dependency_links", ""):
        found.everything = REGISTRY


def cargo(text: str, found: Found) -> None:
    """Its own name."""
    name = part(toml_table(text), "package").get("name")
    if isinstance(name, str):
        found.own.add(name)


def composer(text: str, found: Found) -> None:
    """Its own name, and repositories: each may be that of any package."""
    document = json_object(text)
    if isinstance(document.get("name"), str):
        found.own.add(document["name"])
    listed = document.get("repositories") or []
    for each in listed.values() if isinstance(listed, dict) else listed:
        if isinstance(each, dict) and all(value is False for value in each.values()):
            continue  # the one of everybody, switched off
        if each is not False and not found.is_public(part(each).get("url")):
            found.everything = "names repositories of its own."


def pom(text: str, found: Found) -> None:
    """Its repositories."""
    project = parse_xml(text)
    for each in project.every("repositories"):
        for repository in each.all("repository"):
            found.registry(repository.value("url"))


def msbuild(text: str, found: Found) -> None:
    """Its own name, and sources beside those of `NuGet.config`."""
    project = parse_xml(text)
    for kind in ("RestoreSources", "RestoreAdditionalProjectSources"):
        if any(each.text.strip() for each in project.every(kind)):
            found.everything = REGISTRY
    for kind in ("PackageId", "AssemblyName"):
        found.own.update(each.text.strip() for each in project.every(kind) if each.text.strip())


def gemfile(text: str, found: Found) -> None:
    """Its sources without a block: gems in one say so themselves."""
    for match in _GEM_SOURCE.finditer(text):
        found.registry(match[1])


MANIFESTS = (
    files(r"package\.json", "npm", package_json),
    files(r"[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)", "pypi", requirements),
    files(r"requirements/[^/]+\.(?:txt|in)", "pypi", requirements),
    files(r"pyproject\.toml", "pypi", pyproject),
    files(r"pipfile", "pypi", pipfile),
    files(r"setup\.cfg", "pypi", setup_cfg),
    files(r"cargo\.toml", "cargo", cargo),
    files(r"composer\.json", "composer", composer),
    files(r"pom\.xml", "maven", pom),
    files(r"[^/]+\.(?:cs|fs|vb)proj|directory\.(?:build|packages)\.props", "nuget", msbuild),
    files(r"gemfile|gems\.rb", "gem", gemfile),
)
"""By a path in small letters."""
