"""From the address of a page that shows a package, such as a registry's, to the package. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from codeintel.contracts import Ecosystem, Target
from codeintel.trust.targets import purl_of

_SCHEMES = ("https://", "http://")


@dataclass(frozen=True)
class _Site:
    """Where a registry shows packages: after `before` come `parts` segments of the name, then
    `between` if there is one, then the version if there is one."""

    ecosystem: Ecosystem
    before: tuple[str, ...]
    parts: int = 1
    between: str = ""
    has_versions: bool = True


_SITES: Mapping[str, tuple[_Site, ...]] = {
    "crates.io": (_Site(Ecosystem.CARGO, ("crates",)),),
    "rubygems.org": (_Site(Ecosystem.GEM, ("gems",), between="versions"),),
    "nuget.org": (_Site(Ecosystem.NUGET, ("packages",)),),
    "packagist.org": (_Site(Ecosystem.COMPOSER, ("packages",), 2, has_versions=False),),
    "central.sonatype.com": (_Site(Ecosystem.MAVEN, ("artifact",), 2),),
    "mvnrepository.com": (_Site(Ecosystem.MAVEN, ("artifact",), 2),),
    "hub.docker.com": (
        _Site(Ecosystem.DOCKER, ("_",), has_versions=False),
        _Site(Ecosystem.DOCKER, ("r",), 2, has_versions=False),
    ),
    "github.com": (_Site(Ecosystem.GITHUB, (), 2, has_versions=False),),
}
_LABELS: Mapping[str, tuple[_Site, ...]] = {
    "npmjs": (_Site(Ecosystem.NPM, ("package",), between="v"),),
    "pypi": (_Site(Ecosystem.PYPI, ("project",)),),
}
"""By the first label of the host: mirrors show packages in the same way."""
_GO = "pkg.go.dev"


def is_address(text: str) -> bool:
    """Whether it is the address of a page."""
    return text.lower().startswith(_SCHEMES)


def package_at(text: str) -> str | None:
    """What is asked for instead, such as `pypi:requests`; a package URL where the address tells a
    version. The scheme may be missing. None if it is no page of a package that is known here.
    """
    try:
        parts = urlsplit(text if is_address(text) else f"https://{text}")
        host = parts.hostname or ""
    except ValueError:
        return None
    host = host.removeprefix("www.")
    path = [unquote(each) for each in parts.path.split("/") if each]
    if host == _GO and path:
        return _asked(Ecosystem.GOLANG, *_go("/".join(path)))
    for site in _SITES.get(host) or _LABELS.get(host.partition(".")[0], ()):
        found = _read(site, path)
        if found is not None:
            return _asked(site.ecosystem, *found)
    return None


def _read(site: _Site, path: list[str]) -> tuple[str, str] | None:
    """Name and version."""
    first = len(site.before)
    if tuple(path[:first]) != site.before:
        return None
    is_scoped = site.ecosystem is Ecosystem.NPM and "".join(path[first:]).startswith("@")
    parts = 2 if is_scoped else site.parts
    name, rest = path[first : first + parts], path[first + parts :]
    if len(name) < parts:
        return None
    if site.ecosystem is Ecosystem.GITHUB:
        name[-1] = name[-1].removesuffix(".git")
    if site.between and rest[:1] == [site.between]:
        rest = rest[1:]
    elif site.between:
        rest = []
    return "/".join(name), rest[0] if rest and site.has_versions else ""


def _go(path: str) -> tuple[str, str]:
    """A version stands after the module's path; what follows it is a package within."""
    name, _, rest = path.partition("@")
    return name, rest.partition("/")[0]


def _asked(ecosystem: Ecosystem, name: str, version: str) -> str:
    if version:
        return purl_of(Target(ecosystem, name, version))
    return f"{ecosystem}:{name}"
