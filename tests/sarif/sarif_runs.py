"""The run and the result of a log that is valid, for tests to import."""

from __future__ import annotations

from typing import Any

from sarif_helpers import CODE, analysis, assert_valid, finding

from codeintel.engine.sarif import Artifact, sarif_log

ARTIFACT = Artifact("src/a.py", CODE, CODE.encode())


def run_of(log: dict[str, Any]) -> dict[str, Any]:
    assert_valid(log)
    (run,) = log["runs"]
    found: dict[str, Any] = run
    return found


def only_result(*args: Any, **more: Any) -> dict[str, Any]:
    (result,) = run_of(sarif_log(analysis(finding(*args, **more)), ARTIFACT))["results"]
    found: dict[str, Any] = result
    return found
