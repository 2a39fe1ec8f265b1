"""Sandboxes for tests that run JavaScript, and the programs of these tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml
from execution_samples import a_sandbox
from servers import binary

from codeintel.engine.equivalence.comparison import Evidence
from codeintel.engine.sandbox.javascript.behaviour import JavaScriptBehaviour
from codeintel.engine.sandbox.javascript.plan import prepared
from codeintel.platform.node_sandbox import NodeSandbox

FOLDER = Path(__file__).parent / "javascript"


@cache
def node_sandbox() -> NodeSandbox:
    """Return a sandbox for Node.js. The test is skipped as in `execution_samples.a_sandbox`."""
    binary("node")
    a_sandbox()
    return NodeSandbox(2)


def compared(before: str, after: str, language: str = "javascript", target: str = "") -> Evidence:
    """Return the evidence for a result."""
    behaviour = JavaScriptBehaviour(
        node_sandbox(), "somebody", before, language, target or language, prepared
    )
    return behaviour.compare(after)


def pairs(*names: str) -> dict[str, tuple[str, str]]:
    """Return the programs of some files before and after the change."""
    found: dict[str, tuple[str, str]] = {}
    for name in names:
        cases = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
        for case, texts in cases.items():
            before, old, new = texts["before"], texts["old"], texts["new"]
            assert before.count(old) == 1, case
            assert case not in found, case
            found[case] = before, before.replace(old, new)
    return found
