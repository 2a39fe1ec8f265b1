"""A signed-in user with a workspace."""

from __future__ import annotations

import pytest
from flask import Flask
from signed_browser import SignedBrowser
from support import User
from workspace_page_scenes import FILES, push

from codeintel.app import Services
from codeintel.contracts.workspaces.records import LeftOutFile
from codeintel.workspaces.records import WorkspaceRecord


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


@pytest.fixture
def shop(browser: SignedBrowser) -> WorkspaceRecord:
    return push(
        browser,
        FILES,
        branch_name="main",
        remote_url="https://git.example/shop.git",
        skipped=(LeftOutFile("/.env", "dotenv"),),
    )
