"""A registry for the tests of this folder, which have the marker `verdaccio`: npm must download it
first, so they run where `-m` asks for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from verdaccio_server import Verdaccio


@pytest.fixture(scope="module")
def verdaccio() -> Iterator[Verdaccio]:
    """Provide an empty registry."""
    server = Verdaccio()
    try:
        server.start()
        yield server
    finally:
        server.remove()
