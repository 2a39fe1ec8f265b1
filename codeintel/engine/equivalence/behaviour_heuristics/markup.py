"""Check that pages, style sheets and other texts still show the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.tree_vocabulary import node_text
from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import listed
from codeintel.engine.equivalence.local_edits.runs import tree_of

_ACTIVE = listed("""script style iframe object embed applet link base meta form frame frameset
    portal svg math template slot input button textarea""")
_OTHER_NAMES = {
    # Modern names of elements that look the same or say more.
    "b": "strong",
    "i": "em",
    "strike": "s",
    "tt": "code",
    "acronym": "abbr",
    "big": "span",
    **dict.fromkeys(
        ("section", "article", "main", "header", "footer", "nav", "aside", "figure", "center"),
        "div",
    ),
    "font": "span",
    "thead": "table",
    "tbody": "table",
    "html": "",
    "head": "",
    "body": "",
}
_MAY_APPEAR = listed("alt lang role loading rel charset scope title width height for id class")
_MAY_VANISH = listed("""bgcolor align valign border cellpadding cellspacing language color face size
    clear nowrap marginwidth marginheight class""")
_URL = re.compile(
    r"(?:https?:|data:|javascript:|vbscript:|file:|ftp:|//)[^\s\"'<>)]*", re.IGNORECASE
)
_POINTING = listed("""href src action formaction srcset data poster background cite codebase
    xlink:href ping manifest srcdoc content http-equiv target""")
_WORD = re.compile(r"[^\W_]+|[^\w\s*_#>`|-]")


@dataclass(slots=True)
class _Page:
    """The tags, attributes, words, code and URLs of a page."""

    tags: Counter[str] = field(default_factory=Counter)
    attributes: Counter[tuple[str, str]] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    code: Counter[str] = field(default_factory=Counter)
    urls: Counter[str] = field(default_factory=Counter)


def is_markup(language: str) -> bool:
    """Return whether the language holds strings and values instead of functions."""
    return language in ("css", "html", "markdown", "xml")


def changed_markup(before: str, after: str, language: str) -> list[str] | None:
    """Return the faults of a result: strings and values that vanished or are new, and active
    content.

    Return None if either side cannot be read.
    """
    if language == "css":
        return changed_styles(before, after)
    if language == "markdown":
        return _changed_texts(before, after)
    pages = _page(before, language), _page(after, language)
    if pages[0] is None or pages[1] is None:
        return None
    return list(_changed_page(pages[0], pages[1], language == "html"))


def _changed_texts(before: str, after: str) -> list[str]:
    old, new = (Counter(_WORD.findall(text.lower())) for text in (before, after))
    return [
        f"{what} of the {side} differ."
        for what, side, differ in (
            ("Words", "result", old != new),
            ("Links", "result", _urls(before) != _urls(after)),
            ("Tags", "result", _tags(before) != _tags(after)),
        )
        if differ
    ]


def _urls(text: str) -> Counter[str]:
    return Counter(each.rstrip(".,;") for each in _URL.findall(text))


def _tags(text: str) -> Counter[str]:
    return Counter(re.findall(r"<\s*/?\s*[A-Za-z][\w-]*|\bon\w+\s*=", text))


def _changed_page(before: _Page, after: _Page, is_html: bool) -> Iterable[str]:
    if before.words != after.words:
        yield "The text of the page differs."
    if before.urls != after.urls:
        yield "The links or loaded resources of the page differ."
    if before.code != after.code:
        yield "The scripts or styles of the page differ."
    if not is_html:
        if before.tags != after.tags or before.attributes != after.attributes:
            yield "The elements or their attributes differ."
        return
    new = after.tags - before.tags
    if any(tag in _ACTIVE for tag in new):
        yield "New elements run code, load resources or send data."
    old_names, new_names = _renamed(before.tags), _renamed(after.tags)
    if any(old_names[tag] != new_names[tag] for tag in old_names | new_names if tag not in _FREE):
        yield "The elements differ."
    gone, added = before.attributes - after.attributes, after.attributes - before.attributes
    wrong = [name for name, _ in added if name not in _MAY_APPEAR and name[:5] != "aria-"]
    lost = [name for name, _ in gone if name not in _MAY_VANISH]
    if wrong or lost or {name for name, _ in added} & {name for name, _ in gone} - {"class"}:
        yield "The attributes of elements differ."


_FREE = frozenset(
    {"div", "span", "table", "", "meta", "title", "!doctype", "figcaption", "caption"}
)


def _renamed(tags: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for tag, times in tags.items():
        found[_OTHER_NAMES.get(tag, tag)] += times
    return found


def _page(code: str, language: str) -> _Page | None:
    root = tree_of(code.encode(errors="surrogatepass"), language).root_node
    if root.has_error:
        return None
    page = _Page()
    stack = [root]
    while stack:
        node = stack.pop()
        kind = node.type
        if "omment" in kind:
            continue
        if kind in ("raw_text", "CDSect", "doctype", "doctypedecl", "PI", "XMLDecl"):
            page.code["".join(node_text(node).split()).lower()] += 1
        elif kind in ("attribute", "Attribute"):
            _attribute(node, page)
        elif kind in ("text", "CharData", "entity", "EntityRef", "CharRef"):
            page.words.update(node_text(node).split())
        elif kind in ("start_tag", "self_closing_tag", "STag", "EmptyElemTag"):
            names = [each for each in node.children if each.type in ("tag_name", "Name")]
            name = node_text(names[0]) if names else "?"
            page.tags[name.lower() if language == "html" else name] += 1
            stack.extend(node.children)
        else:
            stack.extend(node.children)
    return page


def _attribute(node: Node, page: _Page) -> None:
    name, _, value = node_text(node).partition("=")
    name, value = name.strip(), " ".join(value.strip().strip("\"'").split())
    low = name.lower()
    if low == "style" or low.startswith(("on", "v-", "@", ":", "x-", "ng-")):
        page.code[f"{low}={''.join(value.split()).rstrip(';')}"] += 1
        return
    if low in _POINTING or _URL.match(value):
        page.urls[f"{low} {value}"] += 1
        return
    if low == "type" and value.lower() in ("text/javascript", "text/css"):
        return
    page.attributes[(name, value)] += 1


_COLOURS = {
    "white": "#ffffff",
    "black": "#000000",
    "red": "#ff0000",
    "blue": "#0000ff",
    "lime": "#00ff00",
    "yellow": "#ffff00",
    "cyan": "#00ffff",
    "aqua": "#00ffff",
    "magenta": "#ff00ff",
    "fuchsia": "#ff00ff",
    "gray": "#808080",
    "grey": "#808080",
    "green": "#008000",
    "navy": "#000080",
    "silver": "#c0c0c0",
    "bold": "700",
    "normal": "400",
}
_VALUE = re.compile(
    r"url\([^)]*\)|\"[^\"]*\"|'[^']*'|#[0-9a-f]{3,8}\b|-?(?:\d*\.)?\d+[a-z%]*|--[\w-]+|-?[a-z_][\w-]*"
    r"|![a-z]+|[*/+](?=\s)",
    re.IGNORECASE,
)
_SHORT = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])$")
_ZERO = re.compile(r"-?0(?:\.0*)?[a-z%]*$")
_VENDOR = re.compile(r"^-(?:webkit|moz|ms|o)-")
_UNTOLD = frozenset({"var", "auto", "0", "solid", "none"})
Said = set[tuple[str, str]]


def changed_styles(before: str, after: str) -> list[str] | None:
    """Return the faults of a style sheet, or None if either side cannot be read."""
    old, new = _sheet(before), _sheet(after)
    if old is None or new is None:
        return None
    faults = []
    if _selectors(old) != _selectors(new):
        faults.append("The selectors or conditions of the styles differ.")
    if _values(old) != _values(new):
        faults.append("The values of the styles differ.")
    return faults


class _Sheet:
    def __init__(self) -> None:
        self.selectors: set[str] = set()
        self.declared: list[tuple[str, str, str]] = []
        self.variables: dict[str, str] = {}


def _sheet(code: str) -> _Sheet | None:
    root = tree_of(code.encode(errors="surrogatepass"), "css").root_node
    if root.has_error:
        return None
    sheet = _Sheet()
    stack: list[tuple[Node, str]] = [(root, "")]
    while stack:
        node, where = stack.pop()
        kind = node.type
        if kind == "comment":
            continue
        if kind == "declaration":
            _declared(node, where, sheet)
            continue
        if kind in ("import_statement", "charset_statement", "namespace_statement"):
            sheet.selectors.add(_plain(node))
            continue
        block = node.child_by_field_name("block") or next(
            (each for each in node.children if each.type in ("block", "keyframe_block_list")), None
        )
        if block is not None and kind != "stylesheet":
            data = node.text or b""
            head = data[: block.start_byte - node.start_byte].decode(errors="replace")
            names = [" ".join(each.split()) for each in head.split(",")]
            sheet.selectors.update(name for name in names if name != ":root")
            where = f"{where}{{{','.join(sorted(names))}"
        stack.extend((each, where) for each in node.children)
    return sheet


def _declared(node: Node, where: str, sheet: _Sheet) -> None:
    name, _, value = _plain(node).rstrip(";").partition(":")
    name = name.strip().lower()
    if name.startswith("--"):
        sheet.variables[name] = value
    sheet.declared.append((where, _VENDOR.sub("", name), value))


def _selectors(sheet: _Sheet) -> set[str]:
    return {re.sub(r"\s*([>+~(){}:])\s*", r"\1", each).lower() for each in sheet.selectors}


def _values(sheet: _Sheet) -> Said:
    """Return the values by selector and property family, so that `margin-top` may become
    `margin`."""
    found: Said = set()
    for where, name, value in sheet.declared:
        if name.startswith("--") and f"var({name}" in "".join(
            each[2] for each in sheet.declared[:2000]
        ):
            continue
        for _ in range(4):
            value = re.sub(
                r"var\(\s*(--[\w-]+)[^)]*\)", lambda match: sheet.variables.get(match[1], ""), value
            )
        family = name.partition("-")[0]
        places = where.rpartition("{")[2].split(",") or [""]
        for token in _VALUE.findall(value):
            said = _same(token.lower())
            if said not in _UNTOLD:
                found.update((f"{place.strip().lower()} {family}", said) for place in places)
    return found


def _same(token: str) -> str:
    """Normalize a value, so that different spellings of it compare equal."""
    token = token.replace("'", '"')
    if _ZERO.match(token):
        return "0"
    if token.startswith("."):
        token = f"0{token}"
    token = _COLOURS.get(token, token)
    short = _SHORT.match(token)
    return "#" + "".join(2 * each for each in short.groups()) if short else token


def _plain(node: Node) -> str:
    return " ".join((node.text or b"").decode(errors="replace").split())
