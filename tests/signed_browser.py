"""A browser that is signed in, without scripts."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.identity.sessions import LINK

OWN = {"Sec-Fetch-Site": "same-origin"}
COOKIE = "codeintel_session"
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
_CSRF = re.compile(r'name="csrf" value="(\w+)"')


class SignedBrowser:
    """Sends requests like a browser, with a separate session."""

    def __init__(self, app: Flask, services: Services, account_id: str, agent: str = AGENT) -> None:
        self.services = services
        self.account_id = account_id
        self.client: FlaskClient = app.test_client()
        self._token = services.sessions.open(account_id, LINK, agent=agent, address="192.0.2.7")
        self.client.set_cookie(COOKIE, self._token)

    @property
    def session_id(self) -> str:
        match = self.services.sessions.find(self._token)
        assert match is not None
        return match.session_id

    @property
    def is_signed_in(self) -> bool:
        return self.client.get("/account/keys").status_code == 200

    def csrf(self) -> str:
        """Return the token that forms of this session send."""
        found = _CSRF.search(self.client.get("/account/keys").text)
        assert found is not None
        return found[1]

    def send(self, path: str, **fields: Any) -> TestResponse:
        """Send a form of a page of the service."""
        return self.client.post(path, data={"csrf": self.csrf(), **fields}, headers=OWN)
