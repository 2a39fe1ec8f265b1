"""The code of a run on its page: from its workspace, or recognized by its digest."""

from __future__ import annotations

import hashlib
import hmac
import json

import msgspec
import pytest
from flask import Flask
from proof_work import push
from scripted_runs import Scripted, finding, result
from signed_browser import SignedBrowser
from signed_pages import page_of
from sqlalchemy import update
from support import User, make_user

from codeintel.app import Services
from codeintel.contracts import AnalysisTask, Model
from codeintel.contracts.findings import Range
from codeintel.contracts.states import RunSource
from codeintel.identity.auth.caller import Caller, Proof
from codeintel.platform.db import db
from codeintel.platform.db.models import RunRow
from codeintel.runs.listing import RunOrigin
from codeintel.web.text import prose

CODE = "import os\nname = input()\nos.system(name)\n"
CHOICE = {"class_": "code-choice"}
FRAME = {"class_": "code-frame"}


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


@pytest.fixture(autouse=True)
def _engine(services: Services) -> None:
    """Report line 3 of any code."""
    made, usage = result("One finding.")
    found = msgspec.structs.replace(finding(3), range=Range(3, 1, 3, 16))
    made = msgspec.structs.replace(made, findings=(found,))
    services.runs.registry.engines.registrar("tests")(Scripted(lambda *_: (made, usage)))


def ran(services: Services, user: User, origin: RunOrigin) -> str:
    """Return the id of a completed analysis of `CODE`."""
    caller = Caller(proof=Proof.SESSION, account_id=user.account.id)
    task = AnalysisTask(CODE, "python", "", Model.FLASH)
    run = services.runs.start(services.runs.plan_analysis(caller, task), origin=origin)
    assert run is not None
    position = 0
    while not run.log.ended:
        _, position = run.log.wait(position, 10)
    return run.plan.id


def test_the_owner_can_recognize_the_code(
    browser: SignedBrowser, services: Services, user: User
) -> None:
    run_id = ran(services, user, RunOrigin(file="app.py"))
    page = page_of(browser, f"/runs/{run_id}")
    assert page.root.one("title").text == "app.py \N{EN DASH} analysis · codeintel"
    choice = json.loads(page.root.one("div", **CHOICE)["data-code"])
    assert (choice["name"], choice["run"]) == ("app.py", run_id)
    key = bytes.fromhex(choice["key"])
    assert choice["digest"] == hmac.digest(key, CODE.encode(), hashlib.sha256).hex()
    item = page.root.one("li", class_="finding")
    assert json.loads(item["data-finding"])["range"]["startLine"] == 3
    assert not page.root.all("pre", **FRAME)


def test_a_digest_tells_nothing_without_the_key(services: Services, user: User) -> None:
    one, two = (ran(services, user, RunOrigin(file="app.py")) for _ in range(2))
    found = [services.runs.records.find(each, with_result=True) for each in (one, two)]
    digests = [each.code_digest for each in found if each is not None]
    assert len({*digests, hashlib.sha256(CODE.encode()).hexdigest()}) == 3
    known = services.runs.digests
    assert known.matches(one, digests[0], CODE)
    assert known.matches(one, digests[0], CODE.replace("\n", "\r\n"))
    assert not known.matches(two, digests[0], CODE)
    assert not known.matches(one, digests[0], CODE + " ")
    assert not known.matches(one, None, CODE)


def test_a_run_of_an_earlier_version_has_no_digest(
    app: Flask, browser: SignedBrowser, services: Services, user: User
) -> None:
    run_id = ran(services, user, RunOrigin(file="app.py"))
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(update(RunRow).values(code_digest=None))
    choice = page_of(browser, f"/runs/{run_id}").root.one("div", **CHOICE)
    assert json.loads(choice["data-code"])["digest"] == ""


@pytest.mark.parametrize("file", ["src/app.py", "shop/src/app.py"])
def test_a_workspace_shows_the_code_of_its_run(
    browser: SignedBrowser, services: Services, user: User, file: str
) -> None:
    session = push(services, user, {"/src/app.py": CODE.replace("\n", "\r\n")}, name="shop")
    origin = RunOrigin(source=RunSource.EDITOR, file=file, workspace_id=session.id)
    run_id = ran(services, user, origin)
    push(services, user, {"/src/app.py": "pass\n"}, name="shop", base_revision=1)
    page = page_of(browser, f"/runs/{run_id}")
    frame = page.root.one("pre", **FRAME)
    assert [each.text.strip() for each in frame.all("mark")] == ["os.system(name)"]
    assert not page.root.all("div", **CHOICE)
    assert "The code is from revision 1 of the workspace." in page.text
    links = {each["href"] for each in page.root.one("main").all("a")}
    assert f"/workspace/{session.id}?path=/src/app.py" in links
    assert f"/workspace/{session.id}?path=/src/app.py&line=3&revision=1" in links


def test_a_file_that_has_changed_is_not_shown_as_the_code(
    browser: SignedBrowser, services: Services, user: User
) -> None:
    session = push(services, user, {"/app.py": "pass\n"}, name="shop")
    run_id = ran(services, user, RunOrigin(file="app.py", workspace_id=session.id))
    page = page_of(browser, f"/runs/{run_id}")
    assert not page.root.all("pre", **FRAME)
    assert "The file in the workspace has changed since this run." in page.text
    assert page.root.all("div", **CHOICE)


def test_the_workspace_of_another_account_is_never_read(
    browser: SignedBrowser, services: Services, user: User
) -> None:
    session = push(services, make_user(services, "other@example.org"), {"/app.py": CODE})
    run_id = ran(services, user, RunOrigin(file="app.py", workspace_id=session.id))
    page = page_of(browser, f"/runs/{run_id}")
    assert not page.root.all("pre", **FRAME)
    assert session.id not in page.text


def test_summaries_have_paragraphs_and_lists() -> None:
    text = "2 findings.\n\nMost severe:\n- line 3: `x` <b>\n- line 5\n\n"
    assert prose(text) == (
        "<p>2 findings.</p><p>Most severe:</p>"
        "<ul><li>line 3: <code>x</code> &lt;b&gt;</li><li>line 5</li></ul>"
    )
    assert prose("one\ntwo") == "<p>one<br>two</p>"
    assert prose(" \n\n ") == ""
