"""Cookies: their flags, and that a session token is never chosen by another person."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask
from signed_browser import OWN
from support import make_user

from codeintel.app import Services


def test_cookies_have_their_flags(make_app: Any) -> None:
    app = make_app({"CODEINTEL_PUBLIC_URL": "https://code.example.org"})
    services: Services = app.extensions["codeintel"]
    token = services.links.make(make_user(services).account.id)
    client, base = app.test_client(), "https://code.example.org"
    own = {"Origin": base, "Sec-Fetch-Site": "same-origin"}
    answers = [
        client.post(f"/signin/{token}", base_url=base, headers=own),
        client.post("/theme", base_url=base, headers=own, data={"theme": "dark"}),
        client.post("/signout", base_url=base, headers=own),
    ]
    cookies = [each for answer in answers for each in answer.headers.getlist("Set-Cookie")]
    assert len(cookies) >= 2
    for cookie in cookies:
        flags = set(cookie.split("; "))
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= flags, cookie
        assert cookie.startswith("__Host-"), cookie
        assert "Domain=" not in cookie
        assert len(cookie.partition(";")[0]) <= 4_096


def test_a_session_that_somebody_else_chose_is_not_taken(app: Flask, services: Services) -> None:
    """Fixation: signing in gives a new cookie, and the planted one is worth nothing."""
    victim, attacker = (make_user(services, f"{name}@example.org") for name in ("v", "a"))
    for planted in ("chosen", services.sessions.open(attacker.account.id, "link")):
        client = app.test_client()
        client.set_cookie("codeintel_session", planted)
        answer = client.post(f"/signin/{services.links.make(victim.account.id)}", headers=OWN)
        [cookie] = answer.headers.getlist("Set-Cookie")
        assert planted not in cookie
        old = app.test_client()
        old.set_cookie("codeintel_session", planted)
        assert old.get("/account/keys").status_code == 303
        kept = re.match(r"codeintel_session=([^;]+)", cookie)
        assert kept is not None
        client.post("/signout", data={"csrf": _csrf(client)}, headers=OWN)
        again = app.test_client()
        again.set_cookie("codeintel_session", kept[1])
        assert again.get("/account/keys").status_code == 303, "signing out ends it on the server"


def _csrf(client: Any) -> str:
    found = re.search(r'name="csrf" value="(\w+)"', client.get("/account/keys").text)
    assert found is not None
    return found[1]
