"""A provider for the tests of this folder, which have the marker `oidc`: npm must download it
first, so they run where `-m` asks for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from oidc_server import OidcServer


@pytest.fixture(scope="module")
def provider() -> Iterator[OidcServer]:
    """Return a provider that accepts every user."""
    server = OidcServer()
    try:
        server.start()
        yield server
    finally:
        server.remove()
