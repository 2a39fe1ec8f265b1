"""What tests of pages share."""

from __future__ import annotations

from typing import Any

import pytest
from trust_pages import Look

from codeintel.trust.shapes import TrustQuery


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Look:
    """Has the page show something, or raise it."""

    def put(body: Any) -> None:
        def look(_query: TrustQuery) -> Any:
            if isinstance(body, Exception):
                raise body
            return body

        monkeypatch.setattr("codeintel.web.trust.pages.look", look)

    return put
