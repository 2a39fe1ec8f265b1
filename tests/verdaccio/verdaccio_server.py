"""Verdaccio, the npm registry that people run themselves: installed by npm into a temporary folder,
and with no registry behind it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import requests
from servers import Server, binary

VERSION = "6"
INSTALL_SECONDS = 300
SECONDS = 120
USER = {"name": "ada", "password": "a-password-of-a-test"}
# One of its dependencies names this one by a tag, and mirrors have versions but not always tags.
PROGRAM = {"private": True, "overrides": {"node-fetch": "^2.6.7"}}
CONFIG = """\
storage: {folder}/storage
auth:
  htpasswd:
    file: {folder}/htpasswd
uplinks: {{}}
packages:
  'hidden-*':
    access: $authenticated
    publish: $authenticated
  '**':
    access: $all
    publish: $authenticated
log: {{type: stdout, format: pretty, level: warn}}
"""


class Verdaccio(Server):
    """A registry with one user, and packages that only users see: those named `hidden-`."""

    def __init__(self) -> None:
        self._npm, self._node = binary("npm"), binary("node")
        super().__init__("verdaccio")
        try:
            self._install()
        except BaseException:
            self.remove()
            raise
        (self.folder / "config.yaml").write_text(CONFIG.format(folder=self.folder))

    @property
    def url(self) -> str:
        """Its URL, as `base_url` takes it."""
        return f"http://127.0.0.1:{self.port}"

    def sign_up(self) -> str:
        """Make the user; returns a token."""
        path = f"/-/user/org.couchdb.user:{USER['name']}"
        answer = requests.put(f"{self.url}{path}", json=USER, timeout=SECONDS)
        answer.raise_for_status()
        token: str = answer.json()["token"]
        return token

    def publish(self, name: str, description: str, token: str) -> None:
        """Publish a package as its author would, with npm."""
        folder = self.folder / "packages" / name.replace("/", "-")
        folder.mkdir(parents=True)
        package = {"name": name, "version": "1.0.0", "description": description}
        (folder / "package.json").write_text(json.dumps(package))
        address = self.url.removeprefix("http:")
        config = self.folder / "npmrc"
        config.write_text(f"registry={self.url}/\n{address}/:_authToken={token}\n")
        self._run("publish", "--userconfig", str(config), f"--registry={self.url}/", at=folder)

    def _install(self) -> None:
        """Install from the npm registry that this machine is configured for. A lock file would
        name it, so none is used."""
        folder = self.folder / "program"
        folder.mkdir()
        (folder / "package.json").write_text(json.dumps(PROGRAM))
        options = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
        self._run("install", *options, f"verdaccio@{VERSION}", at=folder)

    def _run(self, *arguments: str, at: Path) -> None:
        done = subprocess.run(
            [self._npm, *arguments, "--cache", str(self.folder / "cache")],
            cwd=at,
            env={**os.environ, "NO_UPDATE_NOTIFIER": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
        )
        assert done.returncode == 0, f"npm {arguments[0]} failed: {done.stderr[-2000:]}"

    def _command(self) -> list[str]:
        program = self.folder / "program/node_modules/verdaccio/bin/verdaccio"
        config = self.folder / "config.yaml"
        return [self._node, str(program), "--config", str(config), "--listen", self.url]

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/-/ping", timeout=1).ok
        except requests.RequestException:
            return False
