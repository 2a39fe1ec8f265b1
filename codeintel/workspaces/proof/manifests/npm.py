"""Dependencies of `package.json` and `composer.json`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeintel.workspaces.proof.formats.parts import (
    DEVELOPMENT,
    OPTIONAL,
    RUNTIME,
    Written,
    json_object,
    part,
)

_NPM_GROUPS = (
    ("dependencies", RUNTIME),
    ("devDependencies", DEVELOPMENT),
    ("peerDependencies", "peer"),
    ("optionalDependencies", OPTIONAL),
)
# A version, a range or a tag: whatever else stands there names a place.
_RANGE = re.compile(r"[\w\s.^~<>=|*+-]*")
_ALIAS = re.compile(r"npm:((?:@[^@/\s]+/)?[^@/\s]+)(?:@([^/:]*))?")
_PLATFORM = re.compile(
    r"php(?:-64bit|-ipv6|-zts|-debug)?|hhvm|(?:ext|lib)-.*|composer(?:-.*)?", re.IGNORECASE
)
_CONSTRAINT = re.compile(r"[\w\s.^~<>=!|*,@+/#-]*")


def package_json(text: str) -> Iterator[Written]:
    """:raises UnreadableError: if it is no JSON object."""
    document = json_object(text)
    seen = set[str]()
    for key, group in _NPM_GROUPS:
        for name, wanted in part(document, key).items():
            if name not in seen:  # npm has optional ones among the others too
                seen.add(name)
                yield _npm(name, wanted if isinstance(wanted, str) else "", group)


def _npm(name: str, wanted: str, group: str) -> Written:
    """By what stands for its version: a range, another name, or a place."""
    wanted = wanted.strip()
    if alias := _ALIAS.fullmatch(wanted):
        return Written(alias[1], wanted, group)
    if _RANGE.fullmatch(wanted):
        return Written(name, wanted, group)
    kind = wanted.partition(":")[0]
    if kind == "catalog":  # of pnpm: a range that stands elsewhere
        return Written(name, wanted, group)
    if kind in {"file", "link", "portal", "workspace"}:
        reason = "It is a folder of the workspace."
    else:
        reason = "It comes from a place of its own, not from a registry."
    return Written(name, wanted, group, reason)


def composer_json(text: str) -> Iterator[Written]:
    """:raises UnreadableError: if it is no JSON object."""
    document = json_object(text)
    for key, group in (("require", RUNTIME), ("require-dev", DEVELOPMENT)):
        for name, wanted in part(document, key).items():
            if _PLATFORM.fullmatch(name):
                continue
            wanted = wanted if isinstance(wanted, str) else ""
            known = _CONSTRAINT.fullmatch(wanted) is not None
            reason = "" if known else "It comes from a place of its own, not from a registry."
            yield Written(name, wanted, group, reason)
