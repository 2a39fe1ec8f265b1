"""Functions with rewrites, right and wrong ones, as models write them.

In the files, `##` names a sample and begins the original; `==` begins a rewrite that means the
same, and `!=` one that does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "rewrites"
LANGUAGES = {"py": "python", "ts": "typescript"}


class Rewrite(NamedTuple):
    """One pair.

    :param name: of the sample, with its file and the number of the rewrite.
    """

    name: str
    language: str
    is_right: bool
    before: str
    after: str


def rewrites() -> Iterator[Rewrite]:
    """Yield all pairs of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        language = LANGUAGES[path.name.split(".")[1]]
        for sample in path.read_text(encoding="utf-8").split("\n## "):
            name, _, rest = sample.removeprefix("## ").partition("\n")
            parts: list[tuple[str, list[str]]] = [("", [])]
            for line in rest.splitlines():
                if line.strip() in {"==", "!="}:
                    parts.append((line.strip(), []))
                else:
                    parts[-1][1].append(line)
            codes = [(mark, "\n".join(lines) + "\n") for mark, lines in parts]
            for number, (mark, code) in enumerate(codes[1:], 1):
                label = f"{path.name.split('.')[0]}: {name} {number}"
                yield Rewrite(label, language, mark == "==", codes[0][1], code)
