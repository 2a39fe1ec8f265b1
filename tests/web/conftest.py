"""Fixtures that tests of pages share."""

from __future__ import annotations

from typing import Any

import pytest
from trust_pages import Look

from codeintel.trust.shapes import TrustQuery


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Look:
    """Return a function that makes the page show an object, or raise an exception."""

    def put(body: Any) -> None:
        def look(_query: TrustQuery) -> Any:
            if isinstance(body, Exception):
                raise body
            return body

        monkeypatch.setattr("codeintel.web.trust.pages.look", look)

    return put
