"""The permitted content of an access log."""

from __future__ import annotations

import pytest

from codeintel.identity.links import shown_path


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/signin", "/signin"),
        ("/signin/", "/signin/"),
        ("/signin/very-secret", "/signin/…"),
        ("/signin/very-secret/more", "/signin/…"),
        ("/api/v1/search", "/api/v1/search"),
        ("", ""),
    ],
)
def test_tokens_of_links_are_left_out(path: str, shown: str) -> None:
    assert shown_path(path) == shown
