"""Runs of `codeintel scan` in separate processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

# A shell starts background jobs, among them those of CI, with Ctrl+C ignored.
_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from codeintel.cli import run
run()
"""
# -P as for an installed command, which does not import from the current folder.
COMMAND = (sys.executable, "-P", "-c", _PROGRAM, "scan")
HARMLESS = "def double(number):\n    return 2 * number\n"
RISKY = "import os\nfrom flask import request\n\nos.system(request.args['name'])\n"


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Return the output of the format json."""
        return json.loads(self.out)

    @property
    def rules(self) -> list[tuple[str, str]]:
        """Return the path and the rule of each finding."""
        return [(each["path"], each["finding"]["ruleId"]) for each in self.document["findings"]]


def started(
    folder: Path, *arguments: str, environment: dict[str, str] | None = None, **more: Any
) -> subprocess.Popen[bytes]:
    """Start a scan. Its cache is in `cache` next to the folder."""
    given = {"XDG_CACHE_HOME": str(folder.parent / "cache"), **(environment or {})}
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, **given},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **more,
    )


def ended(process: subprocess.Popen[bytes], given: bytes | None = None) -> Ended:
    """Wait for a scan."""
    try:
        out, err = process.communicate(given, timeout=150)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return Ended(process.returncode, out.decode(), err.decode())


def scan(
    folder: Path,
    *arguments: str,
    given: bytes | None = None,
    environment: dict[str, str] | None = None,
) -> Ended:
    """Scan a folder, with JSON as the output unless another is named."""
    outputs: Sequence[str] = () if "-o" in arguments else ("-o", "json")
    stdin = subprocess.DEVNULL if given is None else subprocess.PIPE
    process = started(folder, *arguments, *outputs, environment=environment, stdin=stdin)
    return ended(process, given)


def project(folder: Path, **files: str) -> Path:
    """Write files into a new folder. In their names, `_py` stands for `.py`."""
    root = folder / "project"
    root.mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name.replace("_py", ".py")).write_text(text)
    return root
