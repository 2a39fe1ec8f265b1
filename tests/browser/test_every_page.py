"""Every page, in both themes and four widths: accessible, without errors, and never wider than
its window.

With PAGE_SCREENSHOTS=1, screenshots are saved in `screenshots/`, for review.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from browser_site import Browse, Person, Site
from page_checks import moving, too_wide, violations
from page_scenes import SCENES, Scene
from playwright.sync_api import Page

SCREENSHOTS = Path(__file__).with_name("screenshots")
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 360, "height": 780}


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_a_page_is_as_it_should_be(browse: Browse, site: Site, ada: Person, scene: Scene) -> None:
    page = browse(
        ada if scene.signed_in else None,
        expected=scene.expected,
        color_scheme="light",
        reduced_motion="reduce",
        viewport=WIDE,
    )
    scene.act(page, site, ada)
    found = {}
    # Colors are the same at all widths, and everything else is in both themes.
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found[f"axe in the {theme} theme"] = violations(page, others=theme == "light")
        save(page, scene, f"{theme}-wide")
    found["moving"] = moving(page)
    page.set_viewport_size(NARROW)
    if not scene.is_large:
        found["axe in a narrow window"] = violations(page, colors=False)
    save(page, scene, "dark-narrow")
    found |= {f"too wide at {width}": too_wide(page, width) for width in (360, 320)}
    assert {name: problems for name, problems in found.items() if problems} == {}


def save(page: Page, scene: Scene, name: str) -> None:
    """Save a screenshot, if PAGE_SCREENSHOTS is set."""
    if os.environ.get("PAGE_SCREENSHOTS"):
        SCREENSHOTS.mkdir(exist_ok=True)
        path = SCREENSHOTS / f"{scene.name}-{name}.png"
        page.screenshot(path=path, full_page=not scene.is_large)
