"""Running the commands that manage a service, for tests to import."""

from __future__ import annotations

from click.testing import CliRunner, Result

from codeintel.cli import main

EMAIL = "ann@example.org"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def ok(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str) -> str:
    """Return the message of a command that must fail without a traceback."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert isinstance(result.exception, SystemExit)
    return result.stderr


def make_key(*more: str) -> str:
    return ok("keys", "create", EMAIL, "--name", "ci", "--scope", "analysis:write", *more)
