"""SARIF files of scans, with Microsoft's validator: the format's rules, and those of GitHub."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contract_tools import Tools
from scan_samples import TEXT, file_result, finding, sample, summary

from codeintel.cli.scan.formats import Format, render
from codeintel.cli.scan.policy import ProjectConfig, judge
from codeintel.cli.scan.report import PolicyReport

pytestmark = pytest.mark.contract

ACCEPTED = (
    "SARIF2004",  # the rule's ID twice: readers look for it in either place
    "SARIF2005",  # the tool has no address: each installation has its own
)


def many() -> PolicyReport:
    """Return a report with more findings than one run may have."""
    results = [
        file_result(f"{at}.py", TEXT, finding(), finding("python/exec")) for at in range(3_000)
    ]
    return judge(results, None, summary(*results), ProjectConfig())


@pytest.mark.parametrize("kind", ["Sarif", "Ghas"])
@pytest.mark.parametrize("report", [sample(), many()], ids=["sample", "many"])
def test_the_validator_accepts(
    kind: str, report: PolicyReport, sarif_tools: Tools, tmp_path: Path
) -> None:
    path = tmp_path / "scan.sarif"
    path.write_text(render(report, Format.SARIF))
    found = sarif_tools.sarif_errors(path, kind)
    assert [each for each in found if not each.startswith(ACCEPTED)] == []


def test_the_validator_finds_errors(sarif_tools: Tools, tmp_path: Path) -> None:
    path = tmp_path / "scan.sarif"
    log = json.loads(render(sample(), Format.SARIF))
    log["runs"][0]["results"][0]["rule"]["index"] = 99
    path.write_text(json.dumps(log))
    assert sarif_tools.sarif_errors(path, "Sarif")
