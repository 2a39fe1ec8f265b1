"""The locations of pages' scripts."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from codeintel.web import blueprint


@pytest.fixture(autouse=True)
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Provide the folder of the bundles, empty."""
    monkeypatch.setattr(blueprint, "_DIST", tmp_path)
    blueprint._manifest.cache_clear()
    yield tmp_path
    blueprint._manifest.cache_clear()


def test_the_address_changes_with_the_file(app: Flask, dist: Path) -> None:
    (dist / "manifest.json").write_text('{"site.js": "site-ABC12345.js"}')
    with app.test_request_context():
        assert blueprint.bundle("site.js") == "/static/web/dist/site-ABC12345.js"
        assert blueprint.bundle("other.js") == ""


def test_what_was_not_built_is_said_once(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    with app.test_request_context(), caplog.at_level(logging.WARNING):
        assert [blueprint.bundle(name) for name in ("site.js", "run.js")] == ["", ""]
    (record,) = caplog.records
    assert "not built" in record.message
