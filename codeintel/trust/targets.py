"""Parse what users write for a package. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from packageurl import PackageURL

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.wording import pypi_name
from codeintel.contracts import Ecosystem, Target

MAX_TARGET_CHARACTERS = 400
MAX_NAME_CHARACTERS = 214
MAX_KEY_CHARACTERS = 255
"""Maximum length of a job's key."""
SEPARATOR = "..vs.."
ENTRY = "package:"
COMPARED = (2, 10)
"""Minimum and maximum number of packages in a comparison."""
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+_~^!-]{0,99}")
_WORD = r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*"
_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)


def _image(name: str) -> str:
    return name.lower().removeprefix("library/")


@dataclass(frozen=True)
class _Names:
    """An ecosystem's naming rules: a pattern, an example, and the canonical spelling."""

    pattern: str
    example: str
    spelling: Callable[[str], str] = str
    has_versions: bool = True


_NAMES: Mapping[Ecosystem, _Names] = {
    Ecosystem.NPM: _Names(rf"(?:@{_WORD}/)?{_WORD}", "`react` or `@babel/core`"),
    Ecosystem.PYPI: _Names(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", "`requests`", pypi_name),
    Ecosystem.CARGO: _Names(r"[A-Za-z][A-Za-z0-9_-]{0,63}", "`serde`"),
    Ecosystem.GOLANG: _Names(
        rf"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:/{_WORD})*", "`github.com/gorilla/mux`"
    ),
    Ecosystem.MAVEN: _Names(
        r"[A-Za-z0-9_.-]+[/:][A-Za-z0-9_.-]+",
        "`org.slf4j/slf4j-api`",
        lambda name: name.replace(":", "/"),
    ),
    Ecosystem.NUGET: _Names(r"[A-Za-z0-9_][A-Za-z0-9._-]*", "`newtonsoft.json`", str.lower),
    Ecosystem.GEM: _Names(r"[A-Za-z0-9_][A-Za-z0-9._-]*", "`rails`"),
    Ecosystem.COMPOSER: _Names(
        r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*", "`monolog/monolog`", str.lower
    ),
    Ecosystem.GITHUB: _Names(
        r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}",
        "`pallets/flask`",
        str.lower,
        has_versions=False,
    ),
    Ecosystem.DOCKER: _Names(
        r"(?:[a-z0-9]+(?:[._-]+[a-z0-9]+)*/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*",
        "`redis` or `grafana/grafana`",
        _image,
        has_versions=False,
    ),
}
_ALIASES = {"go": "golang", "rubygems": "gem", "crates": "cargo", "packagist": "composer"}


def _target_pattern() -> str:
    """Return the part of the rules for targets that a regular expression can express, for the
    API's description.

    Other spellings also work, such as ecosystems in capital letters.
    """
    named, purls = [_NAMES[Ecosystem.NPM].pattern], []
    for ecosystem, names in _NAMES.items():
        named.append(rf"{ecosystem}:(?:{names.pattern})")
        version = rf"(?:@{_VERSION.pattern})?" if names.has_versions else ""
        purls.append(rf"pkg:{ecosystem}/(?:{names.pattern}){version}")
    one = rf"(?:{'|'.join((*named, *purls))})"
    fewest, most = (count - 1 for count in COMPARED)
    return rf"^(?:{one}|{ENTRY}{one}(?:\.\.vs\.\.{ENTRY}{one}){{{fewest},{most}}})$"


TARGET_PATTERN = _target_pattern()


def parse_target(text: str) -> Target:
    """Return the package of a target: a name (npm's), `ecosystem:name`, or a package URL.

    :raises ServiceError: `invalid_request` with a description of valid targets.
    """
    if not text.strip():
        raise refusal("`target` is empty. Name a package, such as `react` or `pypi:requests`.")
    if len(text) > MAX_TARGET_CHARACTERS:
        raise refusal(
            f"`target` has {len(text):,} characters; at most {MAX_TARGET_CHARACTERS} are allowed."
        )
    if not text.isascii() or not text.isprintable() or " " in text.strip():
        raise refusal("`target` may have printable ASCII characters only, and no spaces.")
    text = text.strip()
    if text.lower().startswith("pkg:"):
        return _of_purl(text)
    if text.startswith(ENTRY):
        raise refusal("Unknown ecosystem `package`. For a comparison, set `kind=comparison`.")
    found = _PREFIX.fullmatch(text)
    if found is None:
        return _target(Ecosystem.NPM, text)
    return _target(_ecosystem(found[1]), found[2])


def parse_comparison(text: str) -> tuple[Target, ...]:
    """Return the packages of a comparison: `package:react..vs..package:pypi:flask`.

    :raises ServiceError: `invalid_request`.
    """
    fewest, most = COMPARED
    entries = text.split(SEPARATOR)
    if not fewest <= len(entries) <= most:
        raise refusal(
            f"A comparison has {fewest} to {most} entries joined by `{SEPARATOR}`, such as "
            f"`package:react{SEPARATOR}package:vue`; this one has {len(entries)}."
        )
    for position, entry in enumerate(entries, 1):
        if not entry.startswith(ENTRY):
            raise refusal(f"Entry {position} of the comparison does not start with `{ENTRY}`.")
    targets = tuple(parse_target(entry.removeprefix(ENTRY)) for entry in entries)
    if len({target.key for target in targets}) < len(targets):
        raise refusal("The comparison names a package more than once.")
    return targets


def parse_key(key: str) -> Target:
    """Return the package of a stored key.

    :raises ServiceError: `invalid_request` if the key is invalid.
    """
    ecosystem, _, rest = key.partition(":")
    name, at, version = rest.rpartition("@")
    if not name:  # the only `@` starts a scope
        name, at, version = rest, "", ""
    return _target(_ecosystem(ecosystem), name, version if at else "")


def without_version(key: str) -> str:
    """Return the key of a package without its version, because all versions share one history."""
    ecosystem, colon, rest = key.partition(":")
    name, _, _ = rest.rpartition("@")  # the only `@` starts a scope
    return f"{ecosystem}{colon}{name or rest}"


def purl_of(target: Target) -> str:
    """Return the package URL (https://github.com/package-url/purl-spec)."""
    namespace, _, name = target.name.rpartition("/")
    return PackageURL(
        str(target.ecosystem), namespace or None, name, target.version or None
    ).to_string()


def _of_purl(text: str) -> Target:
    try:
        purl = PackageURL.from_string(text)
    except ValueError:
        raise refusal(
            "`target` is not a valid package URL. An example is `pkg:npm/%40babel/core@7.28.0`."
        ) from None
    if purl.qualifiers or purl.subpath:
        raise refusal("Remove `?`, `#` and the text after them from the package URL.")
    ecosystem = _ecosystem(purl.type)
    name = f"{purl.namespace}/{purl.name}" if purl.namespace else purl.name
    return _target(ecosystem, name, purl.version or "")


def _ecosystem(text: str) -> Ecosystem:
    text = text.lower()
    try:
        return Ecosystem(_ALIASES.get(text, text))
    except ValueError:
        raise refusal(
            f"Unknown ecosystem `{text[:40]}`. Known ecosystems: {', '.join(sorted(Ecosystem))}."
        ) from None


def _target(ecosystem: Ecosystem, name: str, version: str = "") -> Target:
    names = _NAMES[ecosystem]
    segments = re.split(r"[/:]", name)
    is_path = "." in segments or ".." in segments
    if is_path or len(name) > MAX_NAME_CHARACTERS or not re.fullmatch(names.pattern, name):
        hint = ""
        if "%" in name:
            hint = "Percent-encoding is decoded once, but this name is encoded twice."
        elif "@" in name[1:] and names.has_versions:
            hint = f"A version requires a package URL, such as `pkg:{ecosystem}/name@1.0.0`."
        raise refusal(f"This is not a valid {ecosystem} name. An example is {names.example}.{hint}")
    if version and not names.has_versions:
        raise refusal(f"Packages of {ecosystem} are scored without a version. Remove the version.")
    if version and not _VERSION.fullmatch(version):
        raise refusal("The version in `target` has invalid characters.")
    target = Target(ecosystem, names.spelling(name), version)
    if len(target.key) > MAX_KEY_CHARACTERS:
        raise refusal(
            f"Name and version in `target` have {len(target.key)} characters together; at most "
            f"{MAX_KEY_CHARACTERS} are allowed."
        )
    return target


def refusal(message: str) -> ServiceError:
    """Return the error for an invalid `target`."""
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": "target"})
