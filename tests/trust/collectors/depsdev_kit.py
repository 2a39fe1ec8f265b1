"""A package of deps.dev with the bodies that are recorded of it."""

from __future__ import annotations

from typing import Any

from collector_bodies import KIT, collected, document

from codeintel.contracts import Target
from codeintel.testing.conversations import Conversed


def kit(version: Any = None, package: Any = None, target: Target = KIT) -> Conversed:
    return collected(
        "depsdev",
        target,
        document("depsdev_package") if package is None else package,
        document("depsdev_version") if version is None else version,
    )
