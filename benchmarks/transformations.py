"""How much transformations change, how much of that is proven, and whether anything breaks.

    python benchmarks/transformations.py [--kinds refactor,modernize] [PATH ...]

Each program is transformed by each kind over HTTP, TypeScript to JavaScript too, and then run as it
is and as it became, where this machine has what runs it: one that ended well before, and does not
afterwards or says something else, is broken. TypeScript is run as what it converts to. Python's
function `check` is called if there is one. Without a path the programs of the tests are taken.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transformation_parts.programs import CORPUS, Program, programs, said

from codeintel.client import Client
from codeintel.testing.server import LiveServer

KINDS = ("refactor", "modernize", "optimize", "document", "convert")
TARGETS = {"typescript": "javascript"}
"""What programs are converted to."""


@dataclass
class Row:
    """The results for the programs in one language and one kind of transformation."""

    programs: int = 0
    changed: int = 0
    proven: int = 0
    checked: int = 0
    run: int = 0
    broken: int = 0
    seconds: list[float] = field(default_factory=list)


def transformed(client: Client, code: str, kind: str, language: str) -> dict[str, Any] | None:
    """The result; None where the kind does not do the language."""
    target = TARGETS.get(language) if kind == "convert" else None
    if kind == "convert" and target is None:
        return None
    try:
        for event in client.transform(code, kind, language=language, target=target):
            if event["type"] == "result":
                return dict(event["result"])
    except Exception as error:  # noqa: BLE001 - a refusal, or a run without a result
        if "unsupported_without_model" not in str(getattr(error, "code", "")):
            print(f"{kind} {language}: {error}", file=sys.stderr)
    return None


def says(client: Client, program: Program, code: str, language: str, folder: Path) -> str | None:
    """Return a program's output in its language, or in the language it is converted to for that."""
    if language in TARGETS:
        result = transformed(client, code, "convert", language)
        code, language = (result or {}).get("code", ""), TARGETS[language]
    suffix = program.suffix if program.language == language else ".cjs"
    if suffix == ".cjs" and ("\nexport " in code or "\nimport " in code):
        suffix = ".mjs"
    return said(language, code, suffix, folder)


def measure(
    client: Client, found: Iterable[Program], kinds: list[str]
) -> dict[tuple[str, str], Row]:
    """Return the results of all programs."""
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    with tempfile.TemporaryDirectory() as folder:
        for program in found:
            before = says(client, program, program.code, program.language, Path(folder))
            for kind in kinds:
                begin = time.monotonic()
                result = transformed(client, program.code, kind, program.language)
                if result is None:
                    continue
                row = rows[program.language, kind]
                row.programs += 1
                row.seconds.append(time.monotonic() - begin)
                row.changed += result["changed"]
                row.proven += result["changed"] and result["verdict"] == "proven"
                row.checked += result["changed"] and result["verdict"] == "checked"
                if before is None or not before.startswith("0"):
                    continue
                row.run += 1
                after = says(client, program, result["code"], result["language"], Path(folder))
                if after != before:
                    row.broken += 1
                    print(f"broken: {kind} of {program.title}", file=sys.stderr)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        limits = {"CODEINTEL_TIER_LIMITS_FREE": "1000000,1000000"}
        with LiveServer(Path(folder), **limits) as server:
            client = Client(server.url, server.make_key("user@example.org", "--unlimited"))
            rows = measure(client, programs(options.paths), options.kinds.split(","))
    print(
        f"{'language':<12}{'kind':<12}{'programs':>9}{'changed':>9}{'proven':>9}{'checked':>9}{'run':>6}"
        f"{'broken':>8}{'median s':>10}{'most s':>8}"
    )
    for (language, kind), row in sorted(rows.items()):
        print(
            f"{language:<12}{kind:<12}{row.programs:>9}{row.changed:>9}{row.proven:>9}"
            f"{row.checked:>9}{row.run:>6}{row.broken:>8}{statistics.median(row.seconds):>10.2f}"
            f"{max(row.seconds):>8.2f}"
        )
    if any(row.broken for row in rows.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
