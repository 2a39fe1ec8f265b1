"""docs/workspace.md agrees with the code."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from codeintel.cli import main
from codeintel.cli.workspaces.pull import BESIDE, REPLACED
from codeintel.client.workspaces.walk import Left
from codeintel.contracts.workspaces.paths import REASONS
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_PATH_BYTES,
    MAX_TOTAL_BYTES,
    ProofState,
)
from codeintel.platform.config import SETTINGS, Settings
from codeintel.workspaces.proof.withheld import RULES

TEXT = (Path(__file__).parents[2] / "docs" / "workspace.md").read_text()
MIB = 1024**2


def test_every_setting_exists() -> None:
    known = {info.name for info in SETTINGS} | {"CODEINTEL_API_KEY", "CODEINTEL_URL"}
    assert set(re.findall(r"CODEINTEL_[A-Z_]+[A-Z]", TEXT)) <= known


def test_limits_are_the_real_ones() -> None:
    told = Settings()
    tiers = (told.workspace_bytes_free, told.workspace_bytes_pro, told.workspace_bytes_team)
    assert [size // MIB for size in tiers] == [200, 1024, 5 * 1024]
    assert "200 MiB, 1 GiB, 5 GiB" in TEXT
    assert f"{MAX_FILE_BYTES // MIB} MiB of UTF-8 text, a path of {MAX_PATH_BYTES:,} bytes" in TEXT
    assert f"{MAX_FILES:,} files, {MAX_TOTAL_BYTES // MIB} MiB" in TEXT
    assert told.proof_interval == 600


def test_names_exist() -> None:
    states = set(re.findall(r"`(\w+)`", TEXT.partition("| State |")[2].partition("\n\n")[0]))
    assert states == set(ProofState)
    left = TEXT.partition("| Left out |")[2].partition("\n\n")[0]
    named = {each for each in re.findall(r"`([a-z]+(?:-[a-z0-9]+)*)`", left) if each != "ignored"}
    assert named <= {*Left, *REASONS, *RULES}
    assert {f"`name{BESIDE}`", f"`{REPLACED[1:]}/`"} <= set(re.findall(r"`[^`]+`", TEXT))


@pytest.mark.parametrize("command", ["push", "pull", "status"])
def test_every_option_exists(command: str) -> None:
    group = main
    assert isinstance(group, click.Group)
    found = group.get_command(click.Context(group), command)
    assert found is not None
    options = {option for each in found.params for option in (*each.opts, *each.secondary_opts)}
    told = re.findall(rf"\b{command} (--[a-z-]+)(?: [A-Z]+)?(?: (--[a-z-]+))?", TEXT)
    assert {option for pair in told for option in pair if option} <= options
