"""A certified OpenID provider, npm's `oidc-provider`: installed by npm into a temporary folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import subprocess
from base64 import urlsafe_b64encode
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from joserfc.jwk import RSAKey
from servers import Server, binary

VERSION = "9"
INSTALL_SECONDS = 300
SECONDS = 120
STEPS = 20
RESOURCE = "https://code.example.org"
DONE = "http://127.0.0.1/done"


class OidcServer(Server):
    """The provider with two clients: `browser`, which is codeintel's login, and `script`."""

    def __init__(self) -> None:
        self._npm, self._node = binary("npm"), binary("node")
        super().__init__("oidc")
        try:
            self._install()
            self.rotate()
        except BaseException:
            self.remove()
            raise

    @property
    def issuer(self) -> str:
        """Its name, which is its address."""
        return f"http://127.0.0.1:{self.port}"

    def rotate(self) -> None:
        """Use another key after the next start."""
        key = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"})
        document = {"keys": [key.as_dict(private=True, kid=key.thumbprint())]}
        (self.folder / "keys.json").write_text(json.dumps(document))

    def asked(self, path: str) -> int:
        """Return the number of requests of a path, since its first start."""
        return self._log_lines().count(f"asked {path}")

    def access_token(self, person: str, scope: str = "openid code.account") -> str:
        """Return a token for the API, as a script gets it for a person: with a code and PKCE."""
        verifier = secrets.token_urlsafe(32)
        challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
        request = {
            "response_type": "code",
            "client_id": "script",
            "redirect_uri": DONE,
            "scope": scope,
            "resource": RESOURCE,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        url = requests.Request("GET", f"{self.issuer}/auth", params=request).prepare().url
        with requests.Session() as session:
            end = sign_in(session, str(url), person, until=DONE)
        [code] = parse_qs(urlsplit(end).query)["code"]
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": DONE,
            "code_verifier": verifier,
            "resource": RESOURCE,
        }
        answer = requests.post(
            f"{self.issuer}/token", data=form, auth=("script", "script-secret"), timeout=SECONDS
        )
        answer.raise_for_status()
        token: str = answer.json()["access_token"]
        return token

    def _install(self) -> None:
        """Install from the npm registry that this machine is configured for. A lock file would
        name it, so none is used."""
        program = self.folder / "program"
        program.mkdir()
        (program / "package.json").write_text('{"private": true, "type": "module"}')
        shutil.copy(Path(__file__).with_name("provider.mjs"), program)
        options = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
        done = subprocess.run(
            [
                *(self._npm, "install", *options, f"oidc-provider@{VERSION}"),
                *("--cache", str(self.folder / "cache")),
            ],
            cwd=program,
            env={**os.environ, "NO_UPDATE_NOTIFIER": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
        )
        assert done.returncode == 0, f"npm install failed: {done.stderr[-2000:]}"

    def _log_lines(self) -> list[str]:
        return (self.folder / "log").read_text().splitlines()

    def _command(self) -> list[str]:
        program = self.folder / "program" / "provider.mjs"
        keys = self.folder / "keys.json"
        return [self._node, str(program), str(self.port), str(keys), RESOURCE]

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.issuer}/ready", timeout=1).status_code == 404
        except requests.RequestException:
            return False


def sign_in(session: requests.Session, url: str, person: str, *, until: str) -> str:
    """Follow redirects and fill in the provider's forms, as a browser and its user do, up to a
    redirect to an address that begins with `until`; returns that."""
    answer = session.get(url, allow_redirects=False, timeout=SECONDS)
    for _ in range(STEPS):
        if answer.is_redirect:
            target = urljoin(answer.url, answer.headers["Location"])
            if target.startswith(until):
                return target
            answer = session.get(target, allow_redirects=False, timeout=SECONDS)
            continue
        assert answer.status_code == 200, f"{answer.url}: {answer.text[:2000]}"
        action = re.search(r'action="([^"]+)" method="post"', answer.text)
        prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
        assert action is not None, answer.text[:2000]
        assert prompt is not None, answer.text[:2000]
        form = {"prompt": prompt[1], "login": person, "password": "any"}
        answer = session.post(
            urljoin(answer.url, action[1]), data=form, allow_redirects=False, timeout=SECONDS
        )
    raise AssertionError(f"this does not end: {answer.url}")
