"""Properties that every page must have."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, TimeoutError as Timeout

SETTLED_MS = 1_000
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLORS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core that depend on the colors of a theme."""
_WIDE = """() => {
  const page = document.scrollingElement;
  if (page.scrollWidth <= innerWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((each) =>
    each.getBoundingClientRect().right > innerWidth + 0.5);
  return [`${page.scrollWidth} > ${innerWidth}`,
          ...wide.slice(0, 5).map((each) => each.outerHTML.slice(0, 120))];
}"""
_FOUND = """async (options) => {
  const { violations, incomplete } = await axe.run(options);
  const unseen = incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter((node) =>
    node.any.some((check) => check.data?.messageKey === "bgGradient")) }));
  return [...violations, ...unseen.filter((rule) => rule.nodes.length)];
}"""
"""Texts on a gradient count as broken, because axe-core cannot check their contrast."""
_MOVING = """() => document.getAnimations()
  .filter((each) => each.playState === "running" && each.effect.getComputedTiming().duration > 1)
  .map((each) => `${each.animationName ?? each.transitionProperty} of `
    + each.effect.target.outerHTML.slice(0, 80))"""


def violations(page: Page, *, colors: bool = True, others: bool = True) -> list[str]:
    """Return rules of WCAG 2.2 A and AA that axe-core finds broken: rule, place, what to do.

    :param colors: whether to check the rules that depend on colors.
    :param others: whether to check the rules that do not.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    options["runOnly"] = {"type": "tag", "values": TAGS}
    if not others:
        options["runOnly"] = {"type": "rule", "values": COLORS}
    elif not colors:
        options["rules"] = {rule: {"enabled": False} for rule in COLORS}
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(_FOUND, options)
    return [
        f"{rule['id']}: {node['target']} {node['html'][:160]} {node.get('failureSummary', '')}"
        for rule in found
        for node in rule["nodes"]
    ]


def too_wide(page: Page, width: int) -> list[str]:
    """Return the elements that make a page scroll sideways in a window of this width, after it
    has settled."""
    page.set_viewport_size({"width": width, "height": 780})
    with suppress(Timeout):
        page.wait_for_function(f"() => ({_WIDE})().length === 0", timeout=SETTLED_MS)
    return page.evaluate(_WIDE)


def moving(page: Page) -> list[str]:
    """Return the running animations."""
    return page.evaluate(_MOVING)
