"""How much transformations change, how much of that is verified, and whether anything breaks.

    python benchmarks/transformations.py [--kinds refactor,modernize] [PATH ...]

Each program is transformed by each kind over HTTP, and then run as it is and as it became: one that
ended well before and does not afterwards is broken. Python is run by this Python, its function
`check` called if it has one; JavaScript and TypeScript by Node.js. Other languages are not run.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeintel.client import Client
from codeintel.languages import language_of_path
from codeintel.testing.server import LiveServer

PROGRAMS = Path(__file__).parent.parent / "tests" / "transformations"
KINDS = ("refactor", "modernize", "optimize", "document")
RUN_SECONDS = 60
CALL = "\n\nif 'check' in globals():\n    check()\n"


@dataclass
class Row:
    """What became of the programs in one language by one kind."""

    programs: int = 0
    changed: int = 0
    verified: int = 0
    broken: int = 0
    seconds: list[float] = field(default_factory=list)


def programs(paths: Iterable[Path]) -> Iterator[Path]:
    """The files in a language that is known, in folders too."""
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (each for each in files if each.is_file() and language_of_path(each))


def ends_well(code: str, path: Path, folder: Path) -> bool | None:
    """Whether a program runs to its end; None where nobody runs it."""
    file = folder / path.name
    if path.suffix == ".py":
        file.write_text(code + CALL)
        command = [sys.executable, "-W", "ignore", str(file)]
    elif path.suffix in {".js", ".mjs", ".cjs", ".ts"} and (node := shutil.which("node")):
        file.write_text(code)
        command = [node, "--no-warnings", str(file)]
    else:
        return None
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=RUN_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def transformed(client: Client, code: str, kind: str, language: str) -> dict[str, Any] | None:
    """The result; None where the kind does not do the language."""
    try:
        for event in client.transform(code, kind, language=language):
            if event["type"] == "result":
                return dict(event["result"])
    except Exception as error:  # noqa: BLE001 - a refusal, or a run without a result
        if "unsupported_without_model" not in str(getattr(error, "code", "")):
            print(f"{kind} {language}: {error}", file=sys.stderr)
    return None


def measure(client: Client, paths: list[Path], kinds: list[str]) -> dict[tuple[str, str], Row]:
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            code, language = path.read_text(), language_of_path(path) or ""
            was_well = ends_well(code, path, Path(folder))
            for kind in kinds:
                begin = time.monotonic()
                result = transformed(client, code, kind, language)
                if result is None:
                    continue
                row = rows[language, kind]
                row.programs += 1
                row.seconds.append(time.monotonic() - begin)
                row.changed += result["changed"]
                row.verified += result["changed"] and result["verified"]
                is_broken = was_well and not ends_well(result["code"], path, Path(folder))
                row.broken += bool(is_broken)
                if is_broken:
                    print(f"broken: {kind} of {path}", file=sys.stderr)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[PROGRAMS])
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        limits = {"CODEINTEL_TIER_LIMITS_FREE": "1000000,1000000"}
        with LiveServer(Path(folder), **limits) as server:
            client = Client(server.url, server.make_key("user@example.org", "--unlimited"))
            rows = measure(client, list(programs(options.paths)), options.kinds.split(","))
    print(
        f"{'language':<12}{'kind':<12}{'programs':>9}{'changed':>9}{'verified':>9}{'broken':>8}"
        f"{'median s':>10}{'most s':>8}"
    )
    for (language, kind), row in sorted(rows.items()):
        print(
            f"{language:<12}{kind:<12}{row.programs:>9}{row.changed:>9}{row.verified:>9}"
            f"{row.broken:>8}{statistics.median(row.seconds):>10.2f}{max(row.seconds):>8.2f}"
        )


if __name__ == "__main__":
    main()
