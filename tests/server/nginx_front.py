"""nginx with the shipped example configuration, changed in no more than where things are here."""

from __future__ import annotations

import os
import pwd
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import requests
from registry_certificates import Authority
from servers import Server, binary, free_port

EXAMPLE = Path(__file__).parents[2] / "deploy/nginx/codeintel.conf"
NAME = "codeintel.example.org"
_MAIN = """
daemon off;
worker_processes 2;
pid {folder}/pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/codeintel.conf;
}}
"""


class NginxServer(Server):
    """nginx as an unprivileged user.

    :param nodes: the ports of the nodes behind it.
    """

    def __init__(self, nodes: Sequence[int]) -> None:
        self._nginx = binary("nginx")
        super().__init__("nginx")
        self.plain_port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.bundle = self.folder / "authority.pem"
        Authority(self.bundle).certificate(self.folder / "certificate.pem")
        example = localized(EXAMPLE.read_text(), nodes, self.port, self.plain_port, self.folder)
        (self.folder / "codeintel.conf").write_text(example)
        (self.folder / "nginx.conf").write_text(_MAIN.format(folder=self.folder))
        user = self._user()
        for path in (self.folder, *self.folder.iterdir()) if user else ():
            shutil.chown(path, user["user"], user["group"])

    @property
    def access_log(self) -> str:
        """What it has written of requests."""
        return (self.folder / "codeintel.log").read_text()

    @property
    def error_log(self) -> str:
        """What went wrong."""
        return (self.folder / "codeintel-error.log").read_text()

    def _user(self) -> dict[str, Any]:
        if os.geteuid() == 0:
            with suppress(KeyError):
                user = pwd.getpwnam("nobody")
                return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        return {}

    def _command(self) -> list[str]:
        configuration = str(self.folder / "nginx.conf")
        return [self._nginx, "-p", str(self.folder), "-e", "stderr", "-c", configuration]

    def _answers(self) -> bool:
        try:
            url = f"http://127.0.0.1:{self.plain_port}/"
            return requests.get(url, timeout=1, allow_redirects=False).status_code == 308
        except requests.RequestException:
            return False


def localized(example: str, nodes: Sequence[int], port: int, plain_port: int, folder: Path) -> str:
    """Return the example with addresses, name, certificate and logs of here.

    :param nodes: the ports of the nodes on this machine.
    """
    changes = [
        (r"^ *listen \[::\]:\d+.*\n", "", 2),
        (r"listen 80;", f"listen 127.0.0.1:{plain_port};", 1),
        (r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl", 1),
        (rf"return 308 https://{re.escape(NAME)}", f"return 308 https://localhost:{port}", 1),
        (rf"server_name {re.escape(NAME)};", "server_name localhost;", 2),
        (r"/etc/ssl/codeintel/(fullchain|privkey)\.pem", f"{folder}/certificate.pem", 2),
        (r"/var/log/nginx/", f"{folder}/", 2),
        *((rf"10\.0\.0\.{at}:8000", f"127.0.0.1:{node}", 1) for at, node in enumerate(nodes, 11)),
    ]
    for pattern, replacement, count in changes:
        example, made = re.subn(pattern, replacement, example, flags=re.MULTILINE)
        assert made == count, f"{EXAMPLE.name} has {made} times {pattern}"
    return example
