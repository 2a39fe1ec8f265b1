"""An instance folder for the commands that manage a service."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _instance_of_its_own(instance: object) -> None:
    """Use a separate instance for each command."""
