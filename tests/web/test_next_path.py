"""The redirect after signing in never leads to another site."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, strategies as st

from codeintel.web.login.require_login import MAX_CHARACTERS, path_after_sign_in, safe_path


@pytest.mark.parametrize(
    "text",
    ["/", "/search?q=a%20b&limit=10", "/docs#limits", "/trust?target=npm:react", "/a//b", "/@x"],
)
def test_a_path_of_ours_is_kept(text: str) -> None:
    assert safe_path(text) == path_after_sign_in(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "search",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        " //evil.example",
        "https://evil.example/",
        "https:evil.example",
        "javascript:alert(1)",
        "/a\\b",
        "/a\r\nSet-Cookie: a=b",
        "/\u2215evil",
        "/a\n",
        "/" + "a" * MAX_CHARACTERS,
    ],
)
def test_anything_else_is_the_start_page(text: str) -> None:
    assert safe_path(text) == path_after_sign_in(text) == "/"


@pytest.mark.parametrize("text", ["/signin", "/signin/token", "/signout", "/auth/login?provider=a"])
def test_signing_in_leads_to_no_page_that_signs_in(text: str) -> None:
    assert safe_path(text) == text
    assert path_after_sign_in(text) == "/"


@given(st.text(st.sampled_from("/\\:@.ahtps?#\t\n\r %0e"), max_size=12))
def test_a_browser_stays_here(text: str) -> None:
    # What browsers do before they read an address: https://url.spec.whatwg.org/#url-parsing
    read = safe_path(text).strip().translate({9: None, 10: None, 13: None}).replace("\\", "/")
    assert urlsplit(urljoin("http://ours.example/here", read)).netloc == "ours.example"
