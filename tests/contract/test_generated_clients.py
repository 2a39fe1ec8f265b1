"""Clients that generators write from the document: they compile, and what they call is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contract_service import Service
from contract_tools import Tools

pytestmark = pytest.mark.contract

CLIENTS = Path(__file__).with_name("clients")
SECONDS = 120
CODE = "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"
COMPILER = {
    "strict": True,
    "noEmitOnError": True,
    "target": "ES2022",
    "module": "commonjs",
    "moduleResolution": "node10",
    "lib": ["ES2022", "DOM", "DOM.Iterable"],
    "types": ["node"],
    "skipLibCheck": True,
    "outDir": "out",
}
# What the generator writes around every client is not in our hands, and not strict.
MYPY = "[mypy]\nstrict = True\n[mypy-codeintel_api.client]\nignore_errors = True\n"
# Bytes are bytes.
GENERATOR = "content_type_overrides:\n  application/zip: application/octet-stream\n"


def run(arguments: list[str], at: Path, environment: dict[str, str] | None = None) -> str:
    """Return the output of a Python program. Fail if the program fails."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=at,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def compiled(tools: Tools, name: str, generated: str) -> str:
    """Return the path of a program in TypeScript, checked and compiled with what was generated."""
    folder = tools.folder / name
    (folder / f"{name}.ts").write_text((CLIENTS / f"{name}.ts").read_text())
    config = {"compilerOptions": COMPILER, "include": [f"{name}.ts", generated]}
    (folder / "tsconfig.json").write_text(json.dumps(config))
    tools.run("tsc", "--project", str(folder))
    return str(folder / "out" / f"{name}.js")


def test_types_of_openapi_typescript(tools: Tools, service: Service, document: Path) -> None:
    types = tools.folder / "use_types/types.d.ts"
    # A field with a default may be left out of a request.
    options = ("--default-non-nullable=false", "--output", str(types))
    tools.run("openapi-typescript", str(document), *options)
    answers = json.loads(tools.node(compiled(tools, "use_types", types.name), service.environment))
    assert answers["rules"] > 50
    assert answers == {
        "tier": "TEAM",
        "rules": answers["rules"],
        "files": ["/.codeintel/local-ide-bridge.json", "/main.py"],
        "code": "not_found",
    }


def test_client_of_hey_api(tools: Tools, service: Service, document: Path) -> None:
    folder = tools.folder / "use_hey_api/hey"
    options = ("--input", str(document), "--output", str(folder), "--no-log-file")
    tools.run("openapi-ts", *options, "--client", "@hey-api/client-fetch")
    answers: dict[str, Any] = json.loads(
        tools.node(compiled(tools, "use_hey_api", folder.name), service.environment)
    )
    types = answers.pop("types")
    assert (types[0], types[-1]) == ("run.created", "run.completed")
    assert {"finding", "result", "usage"} <= set(types)
    assert answers["tier"] == "TEAM"
    assert answers["rules"] == ["python-deserialization"]
    assert answers["run"]["data"]["state"] == "completed"


def test_client_of_openapi_python_client(service: Service, document: Path, tmp_path: Path) -> None:
    (tmp_path / "generator.yaml").write_text(GENERATOR)
    (tmp_path / "mypy.ini").write_text(MYPY)
    program = tmp_path / "use_python_client.py"
    program.write_text((CLIENTS / program.name).read_text())
    generator = "from openapi_python_client.cli import app; app()"
    options = ["--path", str(document), "--output-path", "codeintel_api", "--meta", "none"]
    run(
        ["-c", generator, "generate", *options, "--config", "generator.yaml", "--fail-on-warning"],
        tmp_path,
    )
    run(["-m", "mypy", program.name, "codeintel_api"], tmp_path)
    answers = json.loads(run([program.name], tmp_path, service.environment))
    assert answers.pop("unavailable") == 3
    assert answers == {"tier": "TEAM", "state": "completed", "code": "not_found", "file": CODE}
