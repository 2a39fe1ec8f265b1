"""Schemathesis against the live service: many requests that the document allows, and that it does
not, and chains of them along its links."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from contract_service import Service

pytestmark = pytest.mark.contract

HERE = Path(__file__).parent
SECONDS = 290
PHASES = ("examples", "coverage", "fuzzing", "stateful")
COMMAND = "from schemathesis.cli import schemathesis; schemathesis()"
# `CONTRACT_SEED=$RANDOM pytest -m contract tests/contract` looks elsewhere.
SEED = os.environ.get("CONTRACT_SEED", "1")


def test_it_finds_nothing(service: Service, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        [
            *(sys.executable, "-c", COMMAND, "--config-file", str(HERE / "schemathesis.toml")),
            *("run", f"{service.url}/api/v1/openapi.json", "--no-color", "--seed", SEED),
            *("--phases", ",".join(PHASES)),
            *("--report", "json", "--report-json-path", str(report)),
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            **service.environment,
            "CONTRACT_HOOKS": str(HERE / "contract_hooks.py"),
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]
    told = json.loads(report.read_text())
    assert told["operations"]["tested"] == told["operations"]["total"] > 25
    assert {told["phases"][phase]["status"] for phase in PHASES} == {"success"}
    assert told["test_cases"]["generated"] > 1_000
