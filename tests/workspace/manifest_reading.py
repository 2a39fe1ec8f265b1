"""A short helper that reads a manifest."""

from __future__ import annotations

from msgspec import UNSET

from codeintel.workspaces.proof.manifests.reader import manifests
from codeintel.workspaces.proof.shapes import Manifest


def read(path: str, text: str, *more: tuple[str, str]) -> Manifest:
    return next(each for each in manifests([(path, text), *more]) if each.path == path)


def told(manifest: Manifest) -> list[tuple[str, str, str]]:
    assert manifest.problem is UNSET
    return [
        (each.name, each.requirement, each.group)
        for each in manifest.dependencies
        if each.private is UNSET
    ]


def private(manifest: Manifest) -> list[str]:
    return [each.name for each in manifest.dependencies if each.private is not UNSET]
