"""Every page, in both themes and four widths: accessible, without errors, and never wider than
its window. Screenshots are saved in `screenshots/`, for review."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_site import Browse, Person, Site
from page_checks import moving, too_wide, violations
from page_scenes import SCENES, Scene

SCREENSHOTS = Path(__file__).with_name("screenshots")
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 360, "height": 780}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_a_page_is_as_it_should_be(
    browse: Browse, site: Site, ada: Person, scene: Scene, theme: str
) -> None:
    page = browse(
        ada if scene.signed_in else None,
        expected=scene.expected,
        color_scheme=theme,
        reduced_motion="reduce",
        viewport=WIDE,
    )
    scene.act(page, site, ada)
    SCREENSHOTS.mkdir(exist_ok=True)
    found = {}
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        # Colors are the same at all widths, and targets as large in both themes.
        if (size is WIDE and not scene.is_large) or (size is WIDE) is (theme == "light"):
            found[f"axe at {size['width']}"] = violations(page)
        path = SCREENSHOTS / f"{scene.name}-{theme}-{size['width']}.png"
        page.screenshot(path=path, full_page=not scene.is_large)
    found |= {f"too wide at {width}": too_wide(page, width) for width in (360, 320)}
    found["moving"] = moving(page)
    assert {name: problems for name, problems in found.items() if problems} == {}
