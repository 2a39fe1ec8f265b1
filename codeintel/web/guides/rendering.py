"""Markdown files of guides as HTML, with anchors, a table of contents and links between guides."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token
from markupsafe import Markup

from codeintel.web.guides.catalog import ADDRESS, IMAGES, NAME_OF_PATH, repository_path, root

_EXTERNAL = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?]) |(?<=:)$")
_IN_CONTENTS = ("h2", "h3")
_ROLES = {
    "table_open": "table",
    "thead_open": "rowgroup",
    "tbody_open": "rowgroup",
    "tr_open": "row",
    "th_open": "columnheader",
    "td_open": "cell",
}
"""Narrow screens stack the cells of a table, which then keeps its meaning only through roles."""


class Heading(NamedTuple):
    """An entry of a guide's contents."""

    level: int
    anchor: str
    title: str


class RenderedGuide(NamedTuple):
    """A guide. `summary` is the first sentence of its first paragraph, as plain text."""

    title: str
    summary: str
    headings: tuple[Heading, ...]
    body: Markup


@cache
def rendered(name: str) -> RenderedGuide:
    """Render a guide. The result is cached, because the files do not change while the server runs.

    :param name: one of `catalog.NAMES`.
    """
    path = repository_path(name)
    return render((root() / path).read_text(encoding="utf-8"), path)


@cache
def introduction(name: str) -> RenderedGuide:
    """Render only what precedes the first section of a guide, for lists of all guides."""
    path = repository_path(name)
    text, _, _ = (root() / path).read_text(encoding="utf-8").partition("\n## ")
    return render(text, path)


def render(text: str, path: str) -> RenderedGuide:
    """Render a Markdown text.

    HTML in the text is dropped, so comments stay invisible and no markup gets through.

    :param path: the file's path from the root of the repository, which relative links start from.
    """
    markdown = MarkdownIt("commonmark").enable("table")
    parsed = (each for each in markdown.parse(text) if each.type != "html_block")
    tokens = list(_without_empty_heads(parsed))
    headings = tuple(_mark_headings(tokens))
    for place, token in enumerate(tokens):
        if token.type in _ROLES:
            token.attrSet("role", _ROLES[token.type])
        if token.type == "th_open":
            token.attrSet("scope", "col")
        if token.type == "inline":
            token.children = list(_resolved(token.children or (), path))
            if not token.content and tokens[place - 1].type == "th_open":
                _make_plain_cell(tokens[place - 1], tokens[place + 1])
    markdown.add_render_rule("fence", _code_block)
    markdown.add_render_rule("code_block", _code_block)
    body = markdown.renderer.render(tokens, markdown.options, {})
    title = next((each.title for each in headings if each.level == 1), posixpath.basename(path))
    contents = tuple(each for each in headings if f"h{each.level}" in _IN_CONTENTS)
    # The guides are part of this project, and the renderer escapes everything except Markdown.
    return RenderedGuide(title, _summary(tokens), contents, Markup(body))  # noqa: S704


def _without_empty_heads(tokens: Iterable[Token]) -> Iterator[Token]:
    """Drop the head of a table that has no text."""
    head: list[Token] = []
    for token in tokens:
        if head or token.type == "thead_open":
            head.append(token)
            if token.type == "thead_close":
                yield from head if any(each.content for each in head) else ()
                head = []
        else:
            yield token


def _mark_headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Give each heading an anchor, numbered where a title repeats, and return the headings."""
    taken: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            title = _plain(inline)
            anchor = slug(title)
            repeated = taken[anchor] = taken.get(anchor, -1) + 1
            anchor = f"{anchor}_{repeated}" if repeated else anchor
            opening.attrSet("id", anchor)
            yield Heading(int(opening.tag[1]), anchor, title)


def slug(title: str) -> str:
    """Return the anchor of a title, as repository hosts and the documentation site make it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def _make_plain_cell(opening: Token, closing: Token) -> None:
    """Turn a header without text into a cell, because a header names its column."""
    opening.tag = closing.tag = "td"
    opening.attrs = {"role": "cell"}


def _resolved(children: Sequence[Token], path: str) -> Iterator[Token]:
    """Yield inline tokens with links that work on this site. Links to files that are not guides
    become plain text."""
    is_open = True
    for child in children:
        if child.type == "html_inline":
            child.type = "text"
        if child.type == "image":
            child.attrSet("src", _image_address(str(child.attrGet("src")), path))
        if child.type == "link_open":
            address = link_address(str(child.attrGet("href")), path)
            is_open = bool(address)
            child.attrSet("href", address)
        if child.type not in {"link_open", "link_close"} or is_open:
            yield child


def link_address(target: str, path: str) -> str:
    """Return the address that a link leads to, or an empty string if the site does not have it.

    :param target: as written in the Markdown text.
    :param path: the path of the file that the link is in.
    """
    if target.startswith("#") or _EXTERNAL.match(target):
        return target
    file, mark, anchor = target.partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file)))
    name = NAME_OF_PATH.get(place)
    return f"{ADDRESS}/{name}{mark}{anchor}" if name is not None else ""


def _image_address(target: str, path: str) -> str:
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return f"{ADDRESS}/images/{place.removeprefix(f'{IMAGES}/')}"


def _code_block(_self: object, tokens: Sequence[Token], index: int, *_more: object) -> str:
    """Return a code block that the keyboard can scroll."""
    return f'<pre tabindex="0"><code>{escapeHtml(tokens[index].content)}</code></pre>\n'


def _summary(tokens: Sequence[Token]) -> str:
    for opening, inline in pairwise(tokens):
        if opening.type == "paragraph_open":
            return _SENTENCE.split(_plain(inline))[0]
    return ""


def _plain(inline: Token) -> str:
    """Return the text of an inline token without its markup, on one line."""
    parts = (
        " " if each.type in {"softbreak", "hardbreak"} else each.content
        for each in inline.children or ()
    )
    return " ".join("".join(parts).split())
