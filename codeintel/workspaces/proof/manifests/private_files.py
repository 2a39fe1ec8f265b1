"""Private names according to single files: manifests and package managers' settings.

Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from codeintel.workspaces.proof.manifests.formats import (
    is_public_registry,
    json_object,
    part,
    read_sections,
    toml_table,
)
from codeintel.workspaces.proof.manifests.xml import parse_xml

REGISTRY = "names another registry."
"""The text after a file's name."""
_SETTING = re.compile(r"(?m)^[ \t]*(?:['\"]?)((?:@[\w.~-]+:)?registry)['\"]?\s*[= ]\s*(\S*)")
_YARN_SERVER = re.compile(r"(?m)^['\"]?npmRegistryServer['\"]?[ \t]*:[ \t]*(\S*)")
_YARN_SCOPES = re.compile(
    r"(?m)^['\"]?npmScopes['\"]?[ \t]*:[ \t]*+(\S*+).*\r?\n((?:[ \t]+.*\r?\n?|\s*\n)*)"
)
_YARN_SCOPE = re.compile(r"([ \t]+)['\"]?@?([\w.~-]+)['\"]?[ \t]*:")
_PIP = re.compile(
    r"(?mi)^[ \t]*(?:--?)?(i|f|no-index|(?:extra-)?index-url|find-links)"
    r"(?:[ \t]*[= ][ \t]*(\S*)|[ \t]*$)"
)
_PIP_MORE = re.compile(r"(?mi)^[ \t]*(?:extra-)?index-url[ \t]*=.*(?:\r?\n[ \t]+(\S+))+")
_GEM_SOURCE = re.compile(r"(?m)^[ \t]*source[ (][ \t]*([^\s,)]+)[,)]?[ \t\r]*$")
_OPTION = re.compile(r"(?m)^[ \t]*--?[\w-]+.*$")


@dataclass
class Found:
    """Private names that a file reveals.

    `everything` says why all names of the ecosystem are private, to follow the file's name, or is
    empty. Scopes are npm's, with their `@`: configured ones, those of the workspace's packages, and
    those of public packages.
    """

    ecosystem: str
    everything: str = ""
    own: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)
    own_scopes: set[str] = field(default_factory=set)
    public_scopes: set[str] = field(default_factory=set)

    def registry(self, url: object) -> None:
        """Note a registry that may serve any name of the ecosystem."""
        if not self.is_public(url):
            self.everything = REGISTRY

    def is_public(self, url: object) -> bool:
        """Return whether a URL is a public registry."""
        return isinstance(url, str) and is_public_registry(self.ecosystem, url)


Read = Callable[[str, Found], None]
"""Reads a file's text into the result."""


def files(pattern: str, ecosystem: str, read: Read) -> tuple[re.Pattern[str], str, Read]:
    """Return a row of a table of files: the pattern of lower-case paths, the ecosystem and the
    reader.

    :param pattern: an expression for the text after a slash, to the end of the path.
    """
    return re.compile(rf"/(?:{pattern})\Z"), ecosystem, read


def npmrc(text: str, found: Found) -> None:
    """Read `.npmrc` of npm and pnpm, and `.yarnrc` of Yarn 1."""
    for match in _SETTING.finditer(text):
        scope = match[1].partition(":")[0] if match[1].startswith("@") else ""
        if not scope:
            found.registry(match[2])
        elif not found.is_public(match[2]):
            found.scopes.add(scope)


def yarnrc_yml(text: str, found: Found) -> None:
    """Read later Yarns' settings by line. Unusual YAML counts as a private registry."""
    for match in _YARN_SERVER.finditer(text):
        found.registry(match[1])
    for match in _YARN_SCOPES.finditer(text):
        lines = [line for line in match[2].splitlines() if line.strip() and line.lstrip()[0] != "#"]
        keys = [_YARN_SCOPE.match(line) for line in lines]
        if match[1] or not keys or keys[0] is None:
            found.everything = REGISTRY
            continue
        indent = keys[0][1]
        found.scopes.update(f"@{key[2]}" for key in keys if key is not None and key[1] == indent)
    if "npmScopes" in text and not found.scopes:
        found.everything = REGISTRY


def bunfig(text: str, found: Found) -> None:
    """Read Bun's settings."""
    install = part(toml_table(text), "install")
    if "registry" in install:
        registry = install["registry"]
        found.registry(registry.get("url") if isinstance(registry, dict) else registry)
    found.scopes.update(f"@{scope.removeprefix('@')}" for scope in part(install, "scopes"))


def pip_conf(text: str, found: Found) -> None:
    """Read `pip.conf`, and the options in a requirements file."""
    for match in _PIP.finditer(text):
        is_off = match[1] == "no-index" and (match[2] or "").lower() in {"false", "no", "0", "off"}
        if not is_off:
            found.registry(match[2])
    for match in _PIP_MORE.finditer(text):
        found.registry(match[1])


def uv_toml(text: str, found: Found) -> None:
    """Read uv's settings."""
    uv_settings(toml_table(text), found)


def uv_settings(settings: dict[str, object], found: Found) -> None:
    """Read uv's settings in a table of `pyproject.toml`.

    Explicit indexes are ignored, because the packages that use them name them.
    """
    for key in ("index-url", "extra-index-url", "find-links"):
        value = settings.get(key, [])
        for url in value if isinstance(value, list) else [value]:
            found.registry(url)
    indexes(settings.get("index", []), found, lambda entry: entry.get("explicit") is True)


def indexes(
    entries: object, found: Found, is_explicit: Callable[[dict[str, object]], bool]
) -> None:
    """Read package indexes, each a table with its `url`."""
    for entry in entries if isinstance(entries, list) else [entries]:
        settings = part(entry)
        # Poetry's name for the public index has no URL.
        if not is_explicit(settings) and ("url" in settings or not settings.get("name")):
            found.registry(settings.get("url"))


def cargo_config(text: str, found: Found) -> None:
    """Read a replaced source in `.cargo/config.toml`. Crates of other registries name them."""
    for source in part(toml_table(text), "source").values():
        if "replace-with" in part(source):
            found.everything = REGISTRY


def maven_settings(text: str, found: Found) -> None:
    """Read mirrors and repositories in `settings.xml`."""
    document = parse_xml(text)
    for kind in ("mirror", "repository"):
        for each in document.every(kind):
            found.registry(each.value("url"))


def nuget_config(text: str, found: Found) -> None:
    """Read sources in `NuGet.config`."""
    for sources in parse_xml(text).every("packageSources"):
        for each in sources.all("add"):
            found.registry(each.attributes.get("value", ""))


def bundle_config(text: str, found: Found) -> None:
    """Read mirrors in `.bundle/config`."""
    if re.search(r"(?m)^BUNDLE_MIRROR", text):
        found.everything = REGISTRY


def composer_auth(_text: str, found: Found) -> None:
    """Read `auth.json`: credentials for a repository imply a private one."""
    found.everything = REGISTRY


def go_env(text: str, found: Found) -> None:
    """Read private modules in `go.env`."""
    if re.search(r"(?m)^[ \t]*GO(?:PRIVATE|NOPROXY|PROXY|NOSUMDB|NOSUMCHECK)[ \t]*=", text):
        found.everything = "says which modules are private."


CONFIGS = (
    files(r"\.npmrc|\.yarnrc|\.pnpmrc", "npm", npmrc),
    files(r"\.yarnrc\.ya?ml", "npm", yarnrc_yml),
    files(r"\.?bunfig\.toml", "npm", bunfig),
    files(r"pip\.conf|pip\.ini|\.pypirc|\.pydistutils\.cfg", "pypi", pip_conf),
    files(r"uv\.toml", "pypi", uv_toml),
    files(r"\.cargo/config(?:\.toml)?|\.cargo/credentials(?:\.toml)?", "cargo", cargo_config),
    files(r"(?:\.m2/|\.mvn/)?settings\.xml", "maven", maven_settings),
    files(r"nuget\.config", "nuget", nuget_config),
    files(r"\.bundle/config", "gem", bundle_config),
    files(r"auth\.json", "composer", composer_auth),
    files(r"go\.env", "golang", go_env),
)
"""Readers by lower-case path."""


def package_json(text: str, found: Found) -> None:
    """Read a package's scope, which is private if the package is not public.

    Without `access`, a scoped package is published for some users only.
    """
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
    """Read the options of a requirements file. Its other lines are packages."""
    pip_conf("\n".join(_OPTION.findall(text)), found)


def pyproject(text: str, found: Found) -> None:
    """Read the tables of uv, Poetry and PDM."""
    document = toml_table(text)
    for each in (part(document, "project"), part(document, "tool", "poetry")):
        if isinstance(each.get("name"), str):
            found.own.add(each["name"])
    uv_settings(part(document, "tool", "uv"), found)
    sources = part(document, "tool", "poetry").get("source", [])
    indexes(sources, found, lambda entry: entry.get("priority") == "explicit")
    indexes(part(document, "tool", "pdm").get("source", []), found, lambda _: False)


def pipfile(text: str, found: Found) -> None:
    """Read the sources of a Pipfile."""
    indexes(toml_table(text).get("source", []), found, lambda _: False)


def setup_cfg(text: str, found: Found) -> None:
    """Read the project's name, and the index of old tools."""
    sections = read_sections(text)
    if name := sections.get("metadata", {}).get("name", ""):
        found.own.add(name)
    if url := sections.get("easy_install", {}).get("index_url", ""):
        found.registry(url)
    if sections.get("options", {}).get("dependency_links", ""):
        found.everything = REGISTRY


def cargo(text: str, found: Found) -> None:
    """Read the crate's name."""
    name = part(toml_table(text), "package").get("name")
    if isinstance(name, str):
        found.own.add(name)


def composer(text: str, found: Found) -> None:
    """Read the package's name and its repositories. Each may serve any package."""
    document = json_object(text)
    if isinstance(document.get("name"), str):
        found.own.add(document["name"])
    listed = document.get("repositories") or []
    for each in listed.values() if isinstance(listed, dict) else listed:
        if isinstance(each, dict) and all(value is False for value in each.values()):
            continue  # the public repository, disabled
        if each is not False and not found.is_public(part(each).get("url")):
            found.everything = "names other repositories."


def pom(text: str, found: Found) -> None:
    """Read the repositories of a POM."""
    project = parse_xml(text)
    for each in project.every("repositories"):
        for repository in each.all("repository"):
            found.registry(repository.value("url"))


def msbuild(text: str, found: Found) -> None:
    """Read the project's name, and sources in addition to those of `NuGet.config`."""
    project = parse_xml(text)
    for kind in ("RestoreSources", "RestoreAdditionalProjectSources"):
        if any(each.text.strip() for each in project.every(kind)):
            found.everything = REGISTRY
    for kind in ("PackageId", "AssemblyName"):
        found.own.update(each.text.strip() for each in project.every(kind) if each.text.strip())


def gemfile(text: str, found: Found) -> None:
    """Read the sources outside blocks. Gems in a block name their source."""
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
"""Readers by lower-case path."""
