"""Count texts with odd phrases, by package, in the working tree or in a revision.

    python benchmarks/prose.py [REV] [--json]
    python benchmarks/prose.py [REV] --draw 60 --seed 7

The phrases are those of `tests/prose/markers.yml`. A *marked* text has at least one forbidden
phrase or start. *Counted* phrases, such as long sentences, are right in some places. *Other* texts
are comments, messages, pages, documents and rules.

`--draw` prints random texts to judge by reading: a third each from the pages and the front end,
from documents, and from docstrings and messages of the service and its plugins. The same seed on
the same revision draws the same texts.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/prose"))

from prose_ceilings import area  # noqa: E402
from prose_markers import find_hits  # noqa: E402
from prose_texts import PLACEHOLDER, Text, all_texts  # noqa: E402

COLUMNS = ("docstrings", "marked docstrings", "other", "marked other", "forbidden", "counted")
WIDTH = 19
INTERFACE = ("codeintel/web/", "frontend/")
"""Folders whose messages are read on pages."""
CODE = ("codeintel/", "plugins/")
SHORTEST_DRAWN = 4
"""The number of words that a text needs to be drawn."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", nargs="?", metavar="REV", help="default: the working tree")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--draw", type=int, metavar="COUNT", help="print random texts instead")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    options = parser.parse_args(arguments)
    with tree(options.revision) as root:
        if options.draw:
            for group, text in drawn(root, options.draw, options.seed):
                print(f"{group:<9} {text.path}:{text.line}: {' '.join(text.body.split())}")
            return
        packages, total = count(root)
    if options.json:
        rows = {name: figures(each) for name, each in packages.items()}
        print(json.dumps({"packages": rows, "total": figures(total)}, indent=2))
        return
    print(f"{'package':<52}" + "".join(f"{column:>{WIDTH}}" for column in COLUMNS))
    for name, each in [*packages.items(), ("total", total)]:
        cells = "".join(f"{_cell(each, column):>{WIDTH}}" for column in COLUMNS)
        print(f"{name:<52}{cells}")


def _cell(counts: Counter[str], column: str) -> str:
    """Return a figure, with its share of all texts of the kind."""
    of = counts[column.removeprefix("marked ")]
    share = f" ({100 * counts[column] / of:.1f} %)" if column.startswith("marked ") and of else ""
    return f"{counts[column]}{share}"


@contextmanager
def tree(revision: str | None) -> Iterator[Path]:
    """Yield the root of the working tree, or of a temporary folder with the files of a revision."""
    if revision is None:
        yield ROOT
        return
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", revision], capture_output=True, check=True
    ).stdout
    with (
        tempfile.TemporaryDirectory() as folder,
        tarfile.open(fileobj=io.BytesIO(archive)) as files,
    ):
        files.extractall(folder, filter="data")
        yield Path(folder)


def drawn(root: Path, number: int, seed: int) -> Iterator[tuple[str, Text]]:
    """Yield random texts with their groups, equally many from each group."""
    groups: dict[str, list[Text]] = {"interface": [], "document": [], "code": []}
    for text in all_texts(root):
        group = _group(text)
        if group and len(text.body.replace(PLACEHOLDER, " ").split()) >= SHORTEST_DRAWN:
            groups[group].append(text)
    chance = random.Random(seed)
    for group, texts in groups.items():
        for text in chance.sample(texts, min(number // len(groups), len(texts))):
            yield group, text


def _group(text: Text) -> str:
    """Return the group that a text is drawn from, or empty."""
    if text.kind == "page" or (text.kind == "message" and text.path.startswith(INTERFACE)):
        return "interface"
    if text.kind == "document":
        return "document"
    is_code = text.kind in {"docstring", "message"} and text.path.startswith(CODE)
    return "code" if is_code else ""


def count(root: Path) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """Return the figures of each package, and those of all."""
    texts = list(all_texts(root))
    hits = find_hits(texts)
    marked = {id(hit.text) for hit in hits if not hit.is_soft}
    packages: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        kind = "docstrings" if text.kind == "docstring" else "other"
        packages[area(text.path)][kind] += 1
        packages[area(text.path)][f"marked {kind}"] += id(text) in marked
    for hit in hits:
        packages[area(hit.text.path)]["counted" if hit.is_soft else "forbidden"] += 1
    total: Counter[str] = Counter()
    for each in packages.values():
        total.update(each)
    return dict(sorted(packages.items())), total


def figures(counts: Counter[str]) -> dict[str, Any]:
    """Return the figures in the order of the columns."""
    return {column: counts[column] for column in COLUMNS}


if __name__ == "__main__":
    main()
