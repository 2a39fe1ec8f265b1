"""`codeintel demo` loads the demo data and removes it, for an account and for the operator."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeintel.cli import main


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a separate instance folder, with the plugins that ship with codeintel."""
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(tmp_path / "own"))
    return tmp_path / "own"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["demo", *arguments])


def test_it_loads_and_removes_the_demo_of_the_operator(own: Path) -> None:
    loaded = run()
    assert loaded.exit_code == 0, loaded.output
    assert "Loaded “Parcel desk (demo)” with " in loaded.stdout
    assert " findings for operator@localhost." in loaded.stdout
    assert (own / "codeintel.db").exists()

    again = run()
    assert (again.exit_code, again.stdout) == (0, "operator@localhost has the demo data already.\n")

    removed = run("--remove")
    assert (removed.exit_code, removed.stdout) == (
        0,
        "Removed the demo data of operator@localhost.\n",
    )
    nothing = run("--remove")
    assert nothing.stdout == "There is no demo data of operator@localhost.\n"


def test_it_rejects_unknown_accounts(own: Path) -> None:
    assert CliRunner().invoke(main, ["accounts", "create", "ann@example.org"]).exit_code == 0
    refused = run("bob@example.org")
    assert refused.exit_code == 2
    assert "No account exists for bob@example.org" in refused.stderr
    assert own.exists()
