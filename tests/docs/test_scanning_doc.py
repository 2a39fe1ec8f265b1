"""The guides about scans: their settings, their examples and their CI files."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from doc_blocks import DOCS, Block, blocks

from codeintel.cli.scan.formats import Format
from codeintel.cli.scan.policy.explaining import HELP
from codeintel.cli.scan.policy.layers import VARIABLES, parse
from codeintel.cli.scan.policy.settings import ProjectFile

ROOT = DOCS.parent
GUIDES = ("scanning.md", "codeintel-toml.md")


def blocks_of(*languages: str) -> list[Block]:
    return [
        block
        for guide in GUIDES
        for block in blocks((DOCS / guide).read_text())
        if block.language in languages
    ]


@pytest.mark.parametrize("block", blocks_of("toml"), ids=lambda block: block.section)
def test_settings_in_examples_are_valid(block: Block) -> None:
    assert parse(block.text) != ProjectFile() or 'fail-on = "high"' in block.text


def test_the_table_has_all_settings() -> None:
    defaults = msgspec.to_builtins(ProjectFile())
    rows = []
    for name, text in HELP.items():
        value = defaults[name]
        default = f"`{str(value).lower() if isinstance(value, bool) else value}`"
        variable = f"`{VARIABLES[name]}`" if name in VARIABLES else ""
        cells = (f"`{name}`", default if value not in ([], {}, (), "") else "", variable, text)
        rows.append(f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |"))
    assert "\n".join(rows) in (DOCS / GUIDES[1]).read_text()


def test_the_table_has_all_formats() -> None:
    text = (DOCS / GUIDES[0]).read_text()
    rows = re.findall(r"^\| `(\w+)` \| ", text.partition("| Format |")[2], re.MULTILINE)
    assert rows[: len(Format)] == [each.value for each in Format]


def documents(section: str) -> list[Any]:
    """Return the YAML documents of a section."""
    return [yaml.safe_load(each.text) for each in blocks_of("yaml") if each.section == section]


def test_the_workflow_is_valid(tmp_path: Path) -> None:
    [workflow] = [each for each in blocks_of("yaml") if each.section == "GitHub Actions"]
    path = tmp_path / "scan.yml"
    path.write_text(workflow.text)
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    done = subprocess.run(
        [*command, "vendor.github-workflows", str(path)], capture_output=True, text=True, timeout=90
    )
    assert done.returncode == 0, done.stdout
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    used = yaml.safe_load(workflow.text)["jobs"]["scan"]["steps"]
    [own] = [step for step in used if "codeintel@" in step["uses"]]
    assert set(own["with"]) <= set(action["inputs"])
    assert used[-1]["with"]["sarif_file"] == action["inputs"]["sarif"]["default"]


def test_the_component_has_the_inputs() -> None:
    [included] = documents("GitLab")
    spec = next(yaml.safe_load_all((ROOT / "templates/scan.yml").read_text()))
    assert set(included["include"][0]["inputs"]) <= set(spec["spec"]["inputs"])


def test_the_hooks_exist() -> None:
    [config] = documents("pre-commit")
    hooks = [each["id"] for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())]
    assert {each["id"] for each in config["repos"][0]["hooks"]} <= set(hooks)
    text = (DOCS / GUIDES[0]).read_text()
    assert re.findall(r"^\| `(codeintel-scan[\w-]*)` \|", text, re.MULTILINE) == hooks
