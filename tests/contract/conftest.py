"""Fixtures of this folder's tests, which have the marker `contract`. They need tools that npm
downloads, and the extra `contract`, so they only run if `-m` selects them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from contract_service import SECONDS, Service, contract_service
from contract_tools import SARIF_PACKAGES, Tools


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Provide the service, for all of these tests."""
    with contract_service(tmp_path_factory.mktemp("instance")) as found:
        yield found


@pytest.fixture(scope="session")
def document(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the document as it is served."""
    answer = requests.get(f"{service.url}/api/v1/openapi.json", timeout=SECONDS)
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    path.write_text(answer.text)
    return path


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    """Return tools of npm."""
    return Tools(tmp_path_factory.mktemp("tools"))


@pytest.fixture(scope="session")
def sarif_tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    """Return Microsoft's validator of SARIF."""
    return Tools(tmp_path_factory.mktemp("sarif-tools"), SARIF_PACKAGES)
