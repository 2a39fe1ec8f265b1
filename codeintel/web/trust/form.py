"""The form of `/trust`: one field for one package or several, by name or by the address of a
registry's page. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Ecosystem, Target
from codeintel.trust.shapes import TrustKind
from codeintel.trust.targets import COMPARED, ENTRY, SEPARATOR, parse_target, purl_of, refusal

_SCHEMES = ("https://", "http://")
_GO = "pkg.go.dev"
FIELD = "packages"
_BETWEEN = re.compile(r"[\s,]+")
_SHOWN = 60
"""Characters of a wrong name that a message repeats."""


@dataclass(frozen=True)
class _Site:
    """The URL format of a registry's package pages. After `before`, the path has `parts`
    segments of the name, then optionally `between`, then optionally the version."""

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


def is_address(text: str) -> bool:
    """Return whether the text is the URL of a page."""
    return text.lower().startswith(_SCHEMES)


def package_at(text: str) -> str | None:
    """Convert the URL of a package page to a target such as `pypi:requests`.

    The result is a package URL if the page's URL has a version. The scheme may be missing. Returns
    None if the URL is not a package page of a supported registry.
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
    """Split a path of Go. The version follows the module's path, and may precede a package in
    the module."""
    name, _, rest = path.partition("@")
    return name, rest.partition("/")[0]


def _asked(ecosystem: Ecosystem, name: str, version: str) -> str:
    if version:
        return purl_of(Target(ecosystem, name, version))
    return f"{ecosystem}:{name}"


@dataclass(frozen=True)
class TrustForm:
    """The field as it was filled in; `message` says what is wrong with it, if anything."""

    packages: str = ""
    message: str = ""

    @property
    def rows(self) -> int:
        """Return the height of the field in lines: its content, up to the most packages that can
        be compared."""
        return min(COMPARED[1], self.packages.count("\n") + 1)

    def refused(self, error: ServiceError) -> TrustForm:
        """Return the form with the message at its field."""
        return replace(self, message=_called(error.message, "the field"))


def filled(typed: Mapping[str, str]) -> TrustForm:
    """Return the submitted form, or the form that matches the page's URL."""
    if FIELD in typed and "target" not in typed:
        return TrustForm(typed[FIELD])
    return TrustForm("\n".join(_names(typed.get("target", ""))))


def is_typed(typed: Mapping[str, str]) -> bool:
    """Return whether the address has what people type, which leads to the address to share: the
    field, or packages with commas between them, which no package's name has."""
    if "target" not in typed:
        return FIELD in typed
    return "," in typed["target"] and SEPARATOR not in typed["target"]


def is_about_field(error: ServiceError) -> bool:
    """Return whether the error is about the field."""
    return error.code is ErrorCode.INVALID_REQUEST and error.details.get("path") == "target"


def asked(text: str) -> dict[str, str]:
    """Return the query parameters of the page for the packages in the field.

    URLs of registries' pages are converted to their packages.

    :raises ServiceError: `invalid_request`, which names the invalid package.
    """
    names = [_translated(name) for name in _names(text)]
    if not names:
        raise refusal("Name a package, such as `react` or `pypi:requests`.")
    most = COMPARED[1]
    if len(names) > most:
        raise refusal(f"At most {most} packages can be compared; these are {len(names)}.")
    keys = set()
    for name in names:
        try:
            key = parse_target(name).key
        except ServiceError as error:
            told = _called(error.message, "the name")
            raise refusal(f"`{_cut(name)}`: {told}" if len(names) > 1 else told) from None
        if key in keys:
            raise refusal(f"`{_cut(name)}` is listed more than once.")
        keys.add(key)
    return address(names)


def address(names: list[str]) -> dict[str, str]:
    """Return the parameters for one package, or for the comparison of several."""
    if len(names) == 1:
        return {"target": names[0]}
    entries = (ENTRY + name for name in names)
    return {"kind": TrustKind.COMPARISON.value, "target": SEPARATOR.join(entries)}


def _translated(name: str) -> str:
    found = package_at(name)
    if found is None and is_address(name):
        raise refusal(
            f"`{_cut(name)}` is not a supported package URL. Enter a name such as `pypi:requests`."
        )
    return found or name


def _names(text: str) -> list[str]:
    parts = _BETWEEN.split(text.replace(SEPARATOR, "\n"))
    return [name for part in parts if (name := part.removeprefix(ENTRY))]


def _called(message: str, name: str) -> str:
    """Return the message, with what people see for the parameter that stands for it."""
    told = message.replace("`target`", name)
    return told[:1].upper() + told[1:]


def _cut(name: str) -> str:
    return name if len(name) <= _SHOWN else name[: _SHOWN - 1] + "…"
