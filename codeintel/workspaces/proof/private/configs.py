"""Private names by the files that configure package managers. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from codeintel.workspaces.proof.formats.parts import part, toml_table
from codeintel.workspaces.proof.formats.xml import parse_xml
from codeintel.workspaces.proof.private.found import REGISTRY, Found, files

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
