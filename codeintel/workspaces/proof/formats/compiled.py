"""Dependencies of `Cargo.toml` and `go.mod`. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codeintel.workspaces.proof.formats.parts import (
    DEVELOPMENT,
    OPTIONAL,
    RUNTIME,
    Written,
    part,
    toml_table,
)

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
"""Hosts of Go modules that anybody can read from."""


def cargo_toml(text: str) -> Iterator[Written]:
    """:raises UnreadableError: if it is no TOML."""
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
        reason = "It comes from a place of its own, not from a registry."
    elif {"registry", "registry-index"} & entry.keys():
        reason = "It comes from a registry that the manifest names."
    return Written(name, requirement, group, reason)


def go_mod(text: str) -> Iterator[Written]:
    """Modules that it requires directly: https://go.dev/ref/mod#go-mod-file"""
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
    """Why a module's name may be nobody else's; empty where it is public."""
    if name in replaced:
        return "It is replaced by another place."
    host, _, path = name.partition("/")
    if host not in PUBLIC_GO:
        return "Its host is not one that anybody can read from."
    owner = f"{host}/{path.partition('/')[0]}/"
    if path and own and f"{own}/".startswith(owner):
        return "It has the owner of this module: it may not be public."
    return ""
