"""Relative times, and icons."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from codeintel.base.wording import relative
from codeintel.web import blueprint
from codeintel.web.template_functions import ago, icon

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "told"),
    [
        ({"seconds": 3}, "just now"),
        ({"seconds": 59}, "59 seconds ago"),
        ({"minutes": 1}, "1 minute ago"),
        ({"hours": 23, "minutes": 59}, "23 hours ago"),
        ({"days": 29}, "29 days ago"),
        ({"days": 31}, "1 month ago"),
        ({"days": 800}, "2 years ago"),
        ({"days": -3}, "in 3 days"),
        ({"minutes": -90}, "in 1 hour"),
    ],
)
def test_relative_times(passed: dict[str, int], told: str) -> None:
    assert relative(NOW - timedelta(**passed), NOW) == told


def test_the_absolute_time_is_the_title() -> None:
    assert ago(NOW - timedelta(hours=3), NOW) == (
        '<time datetime="2026-03-03T09:00:00+00:00" title="March 3, 2026, 09:00 UTC" '
        "data-relative>3 hours ago</time>"
    )


def test_icons(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blueprint, "_manifest", lambda: {"icons.svg": "icons-ABC12345.svg"})
    with app.test_request_context():
        assert icon("key") == (
            '<svg class="icon" aria-hidden="true">'
            '<use href="/static/web/dist/icons-ABC12345.svg#key"/></svg>'
        )
        assert 'role="img" aria-label="Key"' in icon("key", "Key")
        monkeypatch.setattr(blueprint, "_manifest", dict)
        assert icon("key") == ""
