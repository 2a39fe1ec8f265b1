"""Workspaces with reports, for pages in a browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import report_samples as samples
from browser_site import SECONDS, Person, Site
from playwright.sync_api import Page, expect
from report_storage import Going, keep, keep_all

from codeintel.base.entitlements import Tier
from codeintel.contracts.workspaces.records import ProofState
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.requests import SyncBody

GOING = (ProofState.QUEUED, ProofState.RUNNING)
MOMENT = 0.1
FILES = {"/README.md": "# Shop\n", "/src/cart.py": "import pickle\npickle.loads(input())\n"}


def pushed(site: Site, person: Person, files: Mapping[str, str] = FILES) -> WorkspaceRecord:
    """Push a workspace, and analyze it in the server."""
    body = SyncBody(files=dict(files), name="Shop of Ada", branch_name="main")
    found = site.services.workspaces.sync(person.account_id, Tier.PRO, body).session
    ends = time.monotonic() + SECONDS
    while site.services.proof.status(found).status in GOING:
        assert time.monotonic() < ends, "the proof loop has not ended"
        time.sleep(MOMENT)
    return found


def path_of(session: WorkspaceRecord, revision: int = 0) -> str:
    """Return the address of the list, or of a report."""
    return f"/workspace/{session.id}/reports" + (f"/{revision}" if revision else "")


def with_reports(site: Site, person: Person) -> WorkspaceRecord:
    """Push a workspace with reports of all kinds. The report on revision 9 has every kind of
    content."""
    session = pushed(site, person)
    told = samples.history(9)
    reports = [samples.report(summary=each) for each in told if 1 < each.revision < 9]
    keep_all(site.engine, session, reports)
    whole = samples.report()
    keep(site.engine, session, samples.renumbered(whole, 9))
    return session


def see_reports(page: Page, site: Site, person: Person) -> None:
    """Show the list."""
    show(page, path_of(with_reports(site, person)))


def see_report(query: str = "") -> Callable[[Page, Site, Person], None]:
    """Show one of the reports."""

    def act(page: Page, site: Site, person: Person) -> None:
        show(page, path_of(with_reports(site, person), 9) + query)

    return act


def see_analysis(page: Page, site: Site, person: Person) -> None:
    """Show an analysis in progress."""
    session = pushed(site, person)
    Going(site.engine, session).at(12, 40)
    show(page, path_of(session))
    expect(page.get_by_role("status").get_by_text("12 of 40 files")).to_be_visible()


def show(page: Page, path: str) -> None:
    """Open a page, and wait until it is there."""
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
