"""Dependencies of Gemfiles, Dockerfiles, GitHub workflows, `go.mod` and `Cargo.toml`.

Programs are not executed, so only what a single line says is reported. Pure functions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from codeintel.workspaces.proof.manifests.formats import (
    DEVELOPMENT,
    OPTIONAL,
    RUNTIME,
    Written,
    is_public_registry,
    part,
    toml_table,
)

_GEM = re.compile(r"gem[ (]\s*['\"]([\w.-]{1,200})['\"](.*)")
# Runs of blanks occur in one part of each, because a push must not make the search of a line slow.
_GROUP = re.compile(r"group[ (](.*?)\bdo\b")
_SOURCE = re.compile(r"(?:source|git|path|github|gist|git_source)[ (].*\bdo\b")
_BLOCK = re.compile(r"\bdo\b\s*+(?:\|[^|]*+\|\s*+)?\Z|(?:if|unless|case|def|begin|while)\b")
_ELSEWHERE = re.compile(r"(?:\b(?:git|github|gitlab|bitbucket|gist|path|source)\s*:|:\w+\s*=>)")
_VERSION = re.compile(r"['\"]\s{0,20}+([<>=~!]{0,2}\s{0,20}+[0-9][\w. -]{0,60})['\"]")
_ELSEWHERE_BLOCK = "source"
_DEVELOPMENT = re.compile(r":?['\"]?(?:development|test|lint|ci|docs?)\b")


_IN_GROUP = re.compile(r"s?:.*(?:test|development)")
"""Matches the text after `group` in a line."""
_FROM = re.compile(r"(?i)FROM\s+(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<stage>\S+))?")
_USES = re.compile(
    r"(?:-\s+)?uses:\s*['\"]?(?P<name>[\w.-]{1,100}/[\w.-]{1,100})(?:/[^@\s'\"]*)?"
    r"@(?P<version>[^\s'\"#]{1,200})"
)
_SHARED = frozenset({"actions", "github", "docker"})
"""Owners whose actions are public."""
_CARGO_GROUPS = (
    ("dependencies", RUNTIME),
    ("dev-dependencies", DEVELOPMENT),
    ("build-dependencies", "build"),
)
PUBLIC_GO = frozenset(
    {
        *("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "golang.org", "gopkg.in"),
        *("google.golang.org", "cloud.google.com", "k8s.io", "sigs.k8s.io", "go.uber.org"),
        *("go.opentelemetry.io", "go.etcd.io", "gorm.io", "gonum.org", "honnef.co", "rsc.io"),
        *("modernc.org", "mvdan.cc"),
    }
)
"""Hosts of public Go modules."""


def gemfile(text: str) -> Iterator[Written]:
    """Yield the gems of simple lines, `gem "name", "version"`, and of the blocks around them."""
    blocks = _Blocks()
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("#") or not line:
            continue
        if line == "end":
            blocks.end()
        elif found := _GEM.match(line):
            yield _gem(found[1], found[2], blocks)
        elif group := _GROUP.match(line):
            blocks.begin(DEVELOPMENT if _DEVELOPMENT.search(group[1]) else RUNTIME)
        elif _SOURCE.match(line):
            blocks.begin(_ELSEWHERE_BLOCK)
        elif _BLOCK.search(line):
            blocks.begin("")


class _Blocks:
    """The blocks around a line, as counts, because a hostile file may have a hundred thousand."""

    def __init__(self) -> None:
        self._kinds: list[str] = []
        self._counts: Counter[str] = Counter()

    def __contains__(self, kind: str) -> bool:
        return self._counts[kind] > 0

    def begin(self, kind: str) -> None:
        self._kinds.append(kind)
        self._counts[kind] += 1

    def end(self) -> None:
        if self._kinds:
            self._counts[self._kinds.pop()] -= 1


def _gem(name: str, rest: str, blocks: _Blocks) -> Written:
    versions = ", ".join(match[1].strip() for match in _VERSION.finditer(rest))
    _, _, groups = rest.partition("group")
    is_development = DEVELOPMENT in blocks or _IN_GROUP.match(groups)
    reason = ""
    if _ELSEWHERE_BLOCK in blocks or _ELSEWHERE.search(rest):
        reason = "It comes from another source, not from the registry."
    return Written(name, versions, DEVELOPMENT if is_development else RUNTIME, reason)


def dockerfile(text: str) -> Iterator[Written]:
    """Yield the base images, without the file's own stages."""
    stages = {"scratch"}
    for line in text.splitlines():
        found = _FROM.match(line.strip())
        if found is None:
            continue
        if found["image"].lower() not in stages:
            yield _image(found["image"])
        if found["stage"]:
            stages.add(found["stage"].lower())


def _image(text: str) -> Written:
    image, at, digest = text.partition("@")
    head, slash, last = image.rpartition("/")
    last, colon, tag = last.partition(":")
    name, requirement = f"{head}{slash}{last}", tag if colon else digest if at else ""
    first, _, rest = name.partition("/")
    if "$" in text:
        return Written(name, requirement, RUNTIME, "Its name depends on variables.")
    if rest and is_public_registry("docker", f"https://{first}"):
        return Written(rest, requirement)
    if rest and ("." in first or ":" in first or first == "localhost"):
        return Written(
            name, requirement, RUNTIME, "It comes from a registry that the file specifies."
        )
    return Written(name, requirement)


def workflow(text: str) -> Iterator[Written]:
    """Yield the actions that a GitHub workflow uses.

    Repositories may be private, unless their owner is known for public actions.
    """
    seen = set[tuple[str, str]]()
    for line in text.splitlines():
        found = _USES.match(line.strip())
        if found is None or (found["name"], found["version"]) in seen:
            continue
        seen.add((found["name"], found["version"]))
        is_shared = found["name"].partition("/")[0].lower() in _SHARED
        reason = "" if is_shared else "Its repository may be private."
        yield Written(found["name"], found["version"], "build", reason)


def cargo_toml(text: str) -> Iterator[Written]:
    """Yield the crates of a `Cargo.toml`.

    :raises UnreadableError: if it is not TOML.
    """
    document = toml_table(text)
    patched = {name for each in part(document, "patch").values() for name in part(each)}
    places = [document, *(part(each) for each in part(document, "target").values())]
    for place in places:
        for key, group in _CARGO_GROUPS:
            for name, wanted in part(place, key).items():
                yield _crate(name, wanted, group, patched)
    for name, wanted in part(document, "workspace", "dependencies").items():
        yield _crate(name, wanted, RUNTIME, patched)


def _crate(name: str, wanted: object, group: str, patched: set[str]) -> Written:
    entry: dict[str, Any] = {"version": wanted} if isinstance(wanted, str) else part(wanted)
    real = entry.get("package")
    name = real if isinstance(real, str) else name
    version = entry.get("version")
    requirement = version if isinstance(version, str) else ""
    if entry.get("optional") is True:
        group = OPTIONAL
    reason = ""
    if {"path", "git"} & entry.keys() or name in patched:
        reason = "It comes from another source, not from a registry."
    elif {"registry", "registry-index"} & entry.keys():
        reason = "It comes from a registry that the manifest specifies."
    return Written(name, requirement, group, reason)


def go_mod(text: str) -> Iterator[Written]:
    """Yield the modules that it requires directly: https://go.dev/ref/mod#go-mod-file"""
    own, replaced = "", set[str]()
    required: list[tuple[str, str]] = []
    block = ""
    for raw in text.splitlines():
        line, _, comment = raw.partition("//")
        words = line.replace('"', "").split()
        if not words:
            continue
        if words == [")"]:
            block = ""
            continue
        if block:
            words = [block, *words]
        elif words[-1] == "(":
            block = words[0]
            continue
        if words[0] == "module" and len(words) > 1:
            own = words[1]
        elif words[0] == "replace" and len(words) > 1:
            replaced.add(words[1])
        elif words[0] == "require" and len(words) > 2 and comment.strip() != "indirect":
            required.append((words[1], words[2]))
    for name, version in required:
        yield Written(name, version, RUNTIME, _go_privacy(name, own, replaced))


def _go_privacy(name: str, own: str, replaced: set[str]) -> str:
    """Return why a module's name may be private, or an empty text."""
    if name in replaced:
        return "It is replaced by another source."
    host, _, path = name.partition("/")
    if host not in PUBLIC_GO:
        return "Its host is not public."
    owner = f"{host}/{path.partition('/')[0]}/"
    if path and own and f"{own}/".startswith(owner):
        return "It has the same owner as this module, so it may be private."
    return ""
