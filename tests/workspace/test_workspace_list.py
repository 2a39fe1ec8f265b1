"""The list of an account's workspaces, in pages."""

from __future__ import annotations

from flask.testing import FlaskClient
from proof_work import push
from support import User, make_user

from codeintel.app import Services


def test_pages_have_each_workspace_once(services: Services, user: User) -> None:
    pushed = [push(services, user, {"/a": "a\n"}, name=f"w{number}").id for number in range(5)]
    push(services, make_user(services, "other@example.org"), {"/a": "a\n"}, name="other")
    workspaces = services.workspaces
    found, before, pages = [], "", 0
    while True:
        page = workspaces.sessions(user.account.id, 2, before)
        found += [each.id for each in page.sessions]
        pages += 1
        before = page.older
        if not before:
            break
    assert (sorted(found), pages) == (sorted(pushed), 3)
    assert workspaces.session_count(user.account.id) == 5
    assert found == [each.id for each in workspaces.sessions(user.account.id).sessions]
    assert workspaces.demo(user.account.id) is None


def test_a_page_stays_where_it_was_after_a_deletion(services: Services, user: User) -> None:
    for number in range(4):
        push(services, user, {"/a": "a\n"}, name=f"w{number}")
    first = services.workspaces.sessions(user.account.id, 2)
    rest = services.workspaces.sessions(user.account.id, 2, first.older)
    services.workspaces.delete(first.sessions[1])  # the one that the cursor names
    again = services.workspaces.sessions(user.account.id, 2, first.older)
    assert [each.id for each in again.sessions] == [each.id for each in rest.sessions]
    assert services.workspaces.session_count(user.account.id) == 3


def test_the_api_has_pages(services: Services, client: FlaskClient) -> None:
    user = make_user(services, scopes=("workspace:write",))
    for number in range(3):
        push(services, user, {"/a": "a\n"}, name=f"w{number}")
    headers = user.headers
    whole = client.get("/api/workspace", headers=headers).json
    assert (len(whole["sessions"]), whole["older"]) == (3, None)
    cursor = services.workspaces.sessions(user.account.id, 1).older
    behind = client.get("/api/workspace", query_string={"before": cursor}, headers=headers).json
    assert behind["sessions"] == whole["sessions"][1:]
    assert client.get("/api/workspace?before=x", headers=headers).status_code == 400
