"""Load the findings that a scan compares with: those of a baseline, and those of a base commit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import UNSET

from codeintel.cli.scan.policy import (
    BASELINE_FILE,
    BaseCommit,
    Baseline,
    Known,
    ProjectConfig,
    plan_base,
    read_baseline,
    texts_of,
)
from codeintel.cli.scan.runners import Collected
from codeintel.client.repository.discovery import Discovery

NO_BASELINE = "none"
Scan = Callable[[Discovery], Collected]


def known_of(
    config: ProjectConfig, discovery: Discovery, collected: Collected, scan: Scan
) -> list[Known]:
    """Return the known findings of a scan.

    :param collected: the results of the scan itself.
    :param scan: scans the files of another discovery.
    :raises DiscoveryError: if the base commit cannot be read.
    :raises ProjectError: if the baseline cannot be read.
    """
    found: list[Known] = []
    path = baseline_path(config, discovery.root)
    if path is not None:
        today = datetime.now(UTC).date()
        scanned = [each.path for each in collected.files if each.cause is UNSET]
        found.append(
            Baseline(
                path.name, read_baseline(path), discovery.text, scanned, today, discovery.exists
            )
        )
    if config.base:
        found.append(_base(config.base, discovery, collected, scan))
    return found


def baseline_path(config: ProjectConfig, root: Path) -> Path | None:
    """Return the path of the baseline, or None without one.

    Without a setting, it is the default file if that exists.
    """
    if config.baseline == NO_BASELINE:
        return None
    if config.baseline:
        return root / config.baseline
    default = root / BASELINE_FILE
    return default if default.is_file() else None


def _base(ref: str, discovery: Discovery, collected: Collected, scan: Scan) -> BaseCommit:
    """Scan the files of a commit that differ. If values cross files, scan all of its files,
    because the other end of such a path may be in an unchanged file."""
    plan = plan_base(discovery, ref)
    crosses = collected.cross is not None and bool(collected.cross.findings)
    changed = plan.discovery if crosses else plan.discovery._replace(files=plan.changed)
    former = scan(changed)
    wanted = {each.path for each in plan.changed}
    results = [each for each in former.files if each.path in wanted]
    return BaseCommit(
        plan,
        results,
        texts_of(plan, results),
        collected.files,
        source=discovery.text,
        cross=former.cross,
        errors=former.errors,
    )
