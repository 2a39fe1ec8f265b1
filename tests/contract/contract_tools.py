"""Tools of npm, installed by it into a temporary folder."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from servers import binary

SECONDS = 300
PACKAGES = (
    "@redocly/cli@2",
    "openapi-typescript@7",
    "openapi-fetch@0.17",
    # The last one for Node.js 20.
    "@hey-api/openapi-ts@0.95",
    # openapi-typescript uses this version.
    "typescript@5",
    "@types/node@20",
)
# Earlier versions fail on Linux.
SARIF_PACKAGES = ("@microsoft/sarif-multitool@^5.0.8",)
OPTIONS = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
QUIET = {
    "NO_UPDATE_NOTIFIER": "1",
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
}


class Tools:
    """The tools, in a folder in which their output lies, too."""

    def __init__(self, folder: Path, packages: Sequence[str] = PACKAGES) -> None:
        self.folder = folder
        npm, self._node = binary("npm"), binary("node")
        (folder / "package.json").write_text(json.dumps({"private": True}))
        # From the registry that this machine's npm knows; no lock file, which would name it.
        self._run([npm, "install", *OPTIONS, *packages, "--cache", str(folder / "cache")])

    def run(self, name: str, *arguments: str) -> str:
        """Return the output of a tool. Fail if the tool fails."""
        return self._run([self._node, str(self.folder / "node_modules/.bin" / name), *arguments])

    def sarif_errors(self, path: Path, kind: str) -> list[str]:
        """Return the rules of Microsoft's validator that a SARIF file breaks, with messages.

        :param kind: `Sarif`, or `Ghas` for the rules of GitHub.
        """
        [program] = self.folder.glob("node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool")
        program.chmod(0o755)  # npm runs no script that would do this
        found = path.with_suffix(".found.sarif")
        options = ("--rule-kind", kind, "--output", str(found), "--log", "ForceOverwrite")
        # Its own texts need no data about languages, which the machine may not have.
        self._run(
            [str(program), "validate", str(path), *options, "--quiet"],
            {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"},
        )
        [run] = json.loads(found.read_text("utf-8-sig"))["runs"]
        problems = run.get("invocations", [{}])[0].get("toolExecutionNotifications", [])
        assert not problems, problems
        return [f"{each['ruleId']}: {each['message']}" for each in run["results"]]

    def node(self, script: str, environment: dict[str, str]) -> str:
        """Return the output of a script."""
        return self._run([self._node, script], environment)

    def _run(self, command: list[str], environment: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, **QUIET, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        told = f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        assert done.returncode == 0, f"{' '.join(command[1:3])} failed:\n{told}"
        return done.stdout
