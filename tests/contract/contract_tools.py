"""Tools of npm, installed by it into a temporary folder."""

from __future__ import annotations

import json
import os
import subprocess
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
OPTIONS = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
QUIET = {
    "NO_UPDATE_NOTIFIER": "1",
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
}


class Tools:
    """The tools, in a folder in which their output lies, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        npm, self._node = binary("npm"), binary("node")
        (folder / "package.json").write_text(json.dumps({"private": True}))
        # From the registry that this machine's npm knows; no lock file, which would name it.
        self._run([npm, "install", *OPTIONS, *PACKAGES, "--cache", str(folder / "cache")])

    def run(self, name: str, *arguments: str) -> str:
        """Return the output of a tool. Fail if the tool fails."""
        return self._run([self._node, str(self.folder / "node_modules/.bin" / name), *arguments])

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
