"""Every route has a row, and public routes answer without a credential."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient
from route_table import EXEMPT, PAGE, PUBLIC, ROUTES, Things, code_of, of_kind

from codeintel.base.key_format import make_token


def test_every_route_has_a_row(app: Flask) -> None:
    found = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert found == set(ROUTES)


# Public routes that do not answer 200, for other reasons: an unknown link or provider, or no query.
NOT_200 = {
    "/signin/<token>": 410,
    "/auth/login": 404,
    "/auth/callback/<provider>": 404,
    "/api/v1/search": 400,
}


def test_what_needs_no_credential_is_there_for_anybody(client: FlaskClient, things: Things) -> None:
    for method, path in of_kind(PAGE, PUBLIC, EXEMPT):
        answer = client.open(things.address(path), method=method)
        assert answer.status_code == NOT_200.get(path, 200), path
        answer.close()


def test_a_bad_credential_is_refused_where_none_is_needed(client: FlaskClient) -> None:
    path = "/api/v1/openapi.json"
    assert client.get(path).status_code == 200
    answer = client.get(path, headers={"x-api-key": make_token()})
    assert code_of(answer) == (401, "unauthorized")
