"""`/docs/guides`: all guides by section, and a page for each guide."""

from __future__ import annotations

from flask import Response, abort, send_from_directory

from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.guides.catalog import ADDRESS, IMAGES, NAMES, SECTIONS, neighbors, root
from codeintel.web.guides.rendering import RenderedGuide, introduction, rendered


@blueprint.get(ADDRESS)
def guides() -> Response:
    """List the guides by section."""
    return page_answer(render_page("guides.html", sections=_sections()))


@blueprint.get(f"{ADDRESS}/<path:name>")
def guide(name: str) -> Response:
    """Show a guide."""
    if name not in NAMES:
        abort(404, f"There is no guide with this name. `{ADDRESS}` lists all guides.")
    before, after = neighbors(name)
    page = render_page(
        "guide.html",
        sections=_sections(),
        current=name,
        guide=rendered(name),
        before=(before, introduction(before).title) if before else None,
        after=(after, introduction(after).title) if after else None,
    )
    return page_answer(page)


@blueprint.get(f"{ADDRESS}/images/<name>")
def guide_image(name: str) -> Response:
    """Send an image of a guide."""
    return send_from_directory(root() / IMAGES, name)


def _sections() -> dict[str, list[tuple[str, RenderedGuide]]]:
    return {
        title: [(name, introduction(name)) for name in names] for title, names in SECTIONS.items()
    }
