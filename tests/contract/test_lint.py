"""Redocly's rules for OpenAPI documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contract_tools import Tools

pytestmark = pytest.mark.contract

CONFIG = Path(__file__).with_name("redocly.yaml")


def test_redocly_finds_nothing(tools: Tools, document: Path) -> None:
    told = tools.run(
        *("redocly", "lint", str(document), "--config", str(CONFIG), "--format", "json")
    )
    found = json.loads(told)
    assert (found["totals"]["errors"], found["totals"]["warnings"]) == (0, 0), found["problems"]
    assert found["totals"]["ignored"] == 0
