"""Private names by what single files say: manifests, and what configures package managers. Pure."""

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

REGISTRY = "names a registry of its own."
"""What follows a file's name."""
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
    """`everything` says why all names of the ecosystem are private, after the file's name; empty
    where they are not. Scopes are those of npm, with their `@`: named ones, those of the
    workspace's packages, and those of packages that are published for everybody."""

    ecosystem: str
    everything: str = ""
    own: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)
    own_scopes: set[str] = field(default_factory=set)
    public_scopes: set[str] = field(default_factory=set)

    def registry(self, url: object) -> None:
        """Take a registry that all names of the ecosystem may be of."""
        if not self.is_public(url):
            self.everything = REGISTRY

    def is_public(self, url: object) -> bool:
        """Whether it is a registry for everybody."""
        return isinstance(url, str) and is_public_registry(self.ecosystem, url)


Read = Callable[[str, Found], None]
"""Takes what a file's text says."""


def files(pattern: str, ecosystem: str, read: Read) -> tuple[re.Pattern[str], str, Read]:
    """A row of a table of files: what finds them by their paths in small letters, and how they are
    read.

    :param pattern: an expression for what follows a slash, to the end of the path.
    """
    return re.compile(rf"/(?:{pattern})\Z"), ecosystem, read


def npmrc(text: str, found: Found) -> None:
    """`.npmrc` of npm and pnpm, and `.yarnrc` of Yarn 1."""
    for match in _SETTING.finditer(text):
        scope = match[1].partition(":")[0] if match[1].startswith("@") else ""
        if not scope:
            found.registry(match[2])
        elif not found.is_public(match[2]):
            found.scopes.add(scope)


def yarnrc_yml(text: str, found: Found) -> None:
    """Of later Yarns, by its lines: what YAML allows beside is taken for a registry."""
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
    """Of Bun."""
    install = part(toml_table(text), "install")
    if "registry" in install:
        registry = install["registry"]
        found.registry(registry.get("url") if isinstance(registry, dict) else registry)
    found.scopes.update(f"@{scope.removeprefix('@')}" for scope in part(install, "scopes"))


def pip_conf(text: str, found: Found) -> None:
    """`pip.conf`, and the options in a file of requirements."""
    for match in _PIP.finditer(text):
        is_off = match[1] == "no-index" and (match[2] or "").lower() in {"false", "no", "0", "off"}
        if not is_off:
            found.registry(match[2])
    for match in _PIP_MORE.finditer(text):
        found.registry(match[1])


def uv_toml(text: str, found: Found) -> None:
    """Of uv."""
    uv_settings(toml_table(text), found)


def uv_settings(settings: dict[str, object], found: Found) -> None:
    """The same in a table of `pyproject.toml`. An index that is only for packages that name it is
    left out: those say so themselves."""
    for key in ("index-url", "extra-index-url", "find-links"):
        value = settings.get(key, [])
        for url in value if isinstance(value, list) else [value]:
            found.registry(url)
    indexes(settings.get("index", []), found, lambda entry: entry.get("explicit") is True)


def indexes(
    entries: object, found: Found, is_explicit: Callable[[dict[str, object]], bool]
) -> None:
    """Take indexes of packages, each a table with its `url`."""
    for entry in entries if isinstance(entries, list) else [entries]:
        settings = part(entry)
        # Poetry's name for the one of everybody has no address beside it.
        if not is_explicit(settings) and ("url" in settings or not settings.get("name")):
            found.registry(settings.get("url"))


def cargo_config(text: str, found: Found) -> None:
    """`.cargo/config.toml`: a source in another's place. Crates of other registries say so."""
    for source in part(toml_table(text), "source").values():
        if "replace-with" in part(source):
            found.everything = REGISTRY


def maven_settings(text: str, found: Found) -> None:
    """`settings.xml`: mirrors and repositories."""
    document = parse_xml(text)
    for kind in ("mirror", "repository"):
        for each in document.every(kind):
            found.registry(each.value("url"))


def nuget_config(text: str, found: Found) -> None:
    """`NuGet.config`."""
    for sources in parse_xml(text).every("packageSources"):
        for each in sources.all("add"):
            found.registry(each.attributes.get("value", ""))


def bundle_config(text: str, found: Found) -> None:
    """`.bundle/config`."""
    if re.search(r"(?m)^BUNDLE_MIRROR", text):
        found.everything = REGISTRY


def composer_auth(_text: str, found: Found) -> None:
    """`auth.json`: who has credentials for a repository has one of their own."""
    found.everything = REGISTRY


def go_env(text: str, found: Found) -> None:
    """`go.env`."""
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
"""By a path in small letters."""


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
