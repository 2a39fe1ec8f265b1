"""Bound the forbidden phrases of each folder by a number that only falls: `ceilings.yml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml
from prose_markers import Hit

CEILINGS = Path(__file__).with_name("ceilings.yml")
HEAD = """\
# The most forbidden phrases that each folder may have. `python tests/prose/lint.py --lower` lowers
# these numbers, and nothing raises them. A number has its own line, so that Git merges changes.
"""
DEEPER = {
    "codeintel/engine": 3,
    "plugins/codeintel_plugins": 3,
    "plugins/codeintel_plugins/patterns/rules": 5,
}
"""Folders that are divided further than the usual two levels."""
SLACK = 10
"""How many hits a ceiling may be too high by, with a tenth of itself."""


def area(path: str) -> str:
    """Return the folder that a file is counted in."""
    folders = path.split("/")[:-1]
    depth = max(
        (depth for start, depth in DEEPER.items() if path.startswith(f"{start}/")), default=2
    )
    return "/".join(folders[:depth]) or "."


def hits_by_area(hits: Iterable[Hit]) -> Counter[str]:
    """Count the forbidden phrases of each folder."""
    return Counter(area(hit.text.path) for hit in hits if not hit.is_soft)


def load_ceilings() -> dict[str, int]:
    """Return the ceiling of each folder; that of a folder without an entry is 0."""
    loaded: dict[str, int] = yaml.safe_load(CEILINGS.read_text(encoding="utf-8")) or {}
    return loaded


def lower(ceilings: Mapping[str, int], counts: Mapping[str, int]) -> dict[str, int]:
    """Return the ceilings with those lowered that are too high."""
    lowered = {name: min(most, counts.get(name, 0)) for name, most in ceilings.items()}
    return {name: most for name, most in lowered.items() if most}


def problems(ceilings: Mapping[str, int], counts: Mapping[str, int]) -> list[str]:
    """Return a sentence for each folder that has too many hits, or too high a ceiling."""
    found = []
    for name in sorted({*ceilings, *counts}):
        most, count = ceilings.get(name, 0), counts.get(name, 0)
        if count > most:
            found.append(
                f"{name}: {count} forbidden phrases, {most} allowed. "
                f"List them with `python tests/prose/lint.py {name}`."
            )
        elif most > count + SLACK + most // 10:
            found.append(
                f"{name}: {most} forbidden phrases allowed, {count} left. "
                "Run `python tests/prose/lint.py --lower`."
            )
    return found


def save(ceilings: Mapping[str, int]) -> None:
    """Write the file of ceilings."""
    rows = "".join(f"{name}:\n  {most}\n" for name, most in sorted(ceilings.items()))
    CEILINGS.write_text(HEAD + (rows or "{}\n"), encoding="utf-8")
