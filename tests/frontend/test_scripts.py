"""The front end's modules that need no browser, run by Node.js."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from servers import binary

HERE = Path(__file__).parent
SECONDS = 60


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_modules(name: str) -> None:
    ended = subprocess.run(
        [binary("node"), "--test", "--test-reporter=tap", str(HERE / name)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-8_000:] + ended.stderr[-2_000:]
    assert "\n# pass 0" not in ended.stdout
