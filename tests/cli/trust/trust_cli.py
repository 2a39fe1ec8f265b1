"""`codeintel trust`, run."""

from __future__ import annotations

from typing import Any

from click.testing import CliRunner, Result

from codeintel.cli import main

Document = dict[str, Any]


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["trust", *arguments], input=stdin)


def failed(result: Result, told: str) -> None:
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output
