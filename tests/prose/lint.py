"""List odd phrases in the project's texts: `python tests/prose/lint.py [PATH ...] [--soft]`.

Prints `path:line: phrase -> advice` for each hit. Exits with status 1 if any is forbidden.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from prose_ceilings import hits_by_area, load_ceilings, lower, save
from prose_markers import find_hits
from prose_texts import ROOT, all_texts


def main(arguments: Sequence[str] | None = None) -> int:
    """List the hits below the given paths. Return the exit status."""
    parser = argparse.ArgumentParser(description="List odd phrases in texts.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file or folder (default: all)")
    parser.add_argument("--soft", action="store_true", help="list counted markers, too")
    parser.add_argument("--areas", action="store_true", help="print the number of hits by folder")
    parser.add_argument(
        "--lower", action="store_true", help="lower the ceilings to the number of hits, and end"
    )
    options = parser.parse_args(arguments)
    if options.lower and options.paths:
        parser.error("--lower counts the hits of all folders: leave out PATH")
    hits = find_hits(all_texts(ROOT, tuple(_relative(path) for path in options.paths)))
    if options.lower:
        ceilings = load_ceilings()
        lowered = lower(ceilings, hits_by_area(hits))
        save(lowered)
        print(f"{sum(ceilings.values())} -> {sum(lowered.values())} forbidden phrases allowed")
        return 0
    if options.areas:
        for name, count in sorted(hits_by_area(hits).items()):
            print(f"{count:6} {name}")
    else:
        for hit in hits:
            if options.soft or not hit.is_soft:
                print(f"{hit} (counted)" if hit.is_soft else hit)
    forbidden = sum(not hit.is_soft for hit in hits)
    print(f"{forbidden} forbidden, {len(hits) - forbidden} counted", file=sys.stderr)
    return int(forbidden > 0)


def _relative(path: str) -> str:
    """Return a path relative to the repository, as texts have it."""
    full = Path(path).resolve()
    if not full.exists():
        sys.exit(f"{path} does not exist.")
    return "" if full == ROOT else full.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # the reader, such as `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
