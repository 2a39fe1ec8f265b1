"""Extract the texts that people read from the repository's files, with their line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import yaml
from prose_python import python_texts
from prose_scripts import script_texts, style_texts

ROOT = Path(__file__).parents[2]
PLACEHOLDER = "_"
"""Stands for a value or a piece of code within a sentence."""
PATTERNS = (
    "*.md",
    "docs/**/*.md",
    "benchmarks/**/*.md",
    "deploy/*.md",
    ".github/**/*.md",
    "frontend/src/**/*.js",
    "codeintel/**/*.py",
    "plugins/**/*.py",
    "tests/**/*.py",
    "benchmarks/**/*.py",
    "codeintel/web/templates/*.html",
    "codeintel/web/static/*.css",
    "codeintel/**/*.yml",
    "plugins/**/*.yml",
)
SKIPPED = (
    "benchmarks/corpus/*",
    "benchmarks/languages/*",
    "benchmarks/rewrites/*",
    "tests/grammars/programs/*",
    "*/node_modules/*",
    "*/patterns/pages/*",
    "*.egg-info/*",
)
"""Programs to be analyzed, generated pages and other people's files."""
YAML_KEYS = {"summary", "explanation", "remedy", "message", "description", "title", "note", "why"}


class Text(NamedTuple):
    """A piece of prose."""

    path: str
    line: int
    kind: str
    """`docstring`, `comment`, `message`, `page`, `document` or `rule`."""
    owner: str
    """The kind of definition that a docstring belongs to: `function`, `class` or `module`."""
    body: str


def all_texts(root: Path = ROOT, under: tuple[str, ...] = ()) -> Iterator[Text]:
    """Yield all texts of a tree, or only those below the relative paths `under`."""
    for path in text_files(root):
        if not under or any(f"{path}/".startswith(f"{start}/".lstrip("/")) for start in under):
            yield from file_texts(root, path)


def text_files(root: Path) -> list[str]:
    """Return the relative paths of all files with texts, sorted."""
    found = {
        path.relative_to(root).as_posix() for pattern in PATTERNS for path in root.glob(pattern)
    }
    return sorted(path for path in found if not any(fnmatch(path, each) for each in SKIPPED))


def file_texts(root: Path, path: str) -> Iterator[Text]:
    """Yield the texts of one file."""
    source = (root / path).read_text(encoding="utf-8")
    match Path(path).suffix:
        case ".py":
            has_messages = not path.startswith(("tests/", "benchmarks/"))
            for line, kind, owner, body in python_texts(source, has_messages=has_messages):
                yield Text(path, line, kind, owner, without_code(body))
        case ".js":
            for line, kind, body in script_texts(source):
                yield Text(path, line, kind, "", without_code(body))
        case ".css":
            for line, body in style_texts(source):
                yield Text(path, line, "comment", "", without_code(body))
        case ".md":
            prose = markdown_prose(source, is_guide=path == "docs/style.md")
            yield from _blocks(path, "document", prose)
        case ".html":
            yield from _blocks(path, "page", template_prose(source))
        case ".yml":
            for line, body in yaml_texts(source):
                yield Text(path, line, "rule", "", without_code(body))


def without_code(body: str) -> str:
    """Return a text with placeholders for code in backticks and for the names of parameters."""
    body = re.sub(r":param \w+:", f":param {PLACEHOLDER}:", body)
    return re.sub(r"`[^`\n]+`", f"`{PLACEHOLDER}`", body)


def markdown_prose(source: str, *, is_guide: bool = False) -> str:
    """Return Markdown without code, line by line.

    The tables of the style guide are left out, because they quote bad texts.
    """
    if is_guide:
        source = re.sub(r'^\|.*$|"[^"\n]+"', PLACEHOLDER, source, flags=re.MULTILINE)
    source = re.sub(r"^( *)```.*?^ *```$", _blank, source, flags=re.MULTILINE | re.DOTALL)
    source = re.sub(r"<!--.*?-->", _blank, source, flags=re.DOTALL)
    source = re.sub(r"`[^`]+`", _shortened, source)
    source = re.sub(r"\]\([^)\s]*\)", "]", source)
    return re.sub(r"^(#+ .*|\|.*|)$", r"\1|", source, flags=re.MULTILINE)


def template_prose(source: str) -> str:
    """Return the words of a template and of its labels, without tags and Jinja, line by line."""
    source = re.sub(r"\{#.*?#\}|<(style|script)\b.*?</\1>", _blank, source, flags=re.DOTALL)
    source = re.sub(r"<code\b[^>]*>.*?</code>", _shortened, source, flags=re.DOTALL)
    source = re.sub(r"\{\{.*?\}\}", _kept_words, source, flags=re.DOTALL)
    source = re.sub(r"\{%.*?%\}", _kept_words, source, flags=re.DOTALL)
    source = re.sub(r"</?(?:a|b|em|strong|span|abbr|time|i|small|bdi|kbd)\b[^>]*>", _labels, source)
    return re.sub(r"<[^>]*>", lambda tag: f"|{_labels(tag)}|", source)


def yaml_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each explanation in YAML, and of its comments."""
    root = yaml.compose(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    yield from _yaml_scalars(root)
    yield from (
        (number, line.lstrip("# "))
        for number, line in enumerate(source.splitlines(), 1)
        if line.startswith("#")
    )


def _yaml_scalars(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    if isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _yaml_scalars(each)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(value, yaml.ScalarNode) and key.value in YAML_KEYS:
                yield value.start_mark.line + 1, value.value
            elif key.value != "examples":
                yield from _yaml_scalars(value)


def _blocks(path: str, kind: str, prose: str) -> Iterator[Text]:
    """Yield the parts between separators that have words."""
    line = 1
    for body in prose.split("|"):
        begin = len(body) - len(body.lstrip())
        if re.search(r"[A-Za-z]{2}", body):
            yield Text(path, line + body.count("\n", 0, begin), kind, "", body.strip())
        line += body.count("\n")


def _blank(match: re.Match[str]) -> str:
    """Replace a match by its line ends."""
    return "|" + "\n" * match.group().count("\n")


def _shortened(match: re.Match[str]) -> str:
    return PLACEHOLDER + "\n" * match.group().count("\n")


def _kept_words(match: re.Match[str]) -> str:
    """Keep the strings with several words that Jinja holds."""
    words = [text for text in re.findall(r'"([^"]*)"', match.group()) if text.count(" ") > 1]
    ends = "\n" * match.group().count("\n")
    return (f"|{'|'.join(words)}|" if words else PLACEHOLDER) + ends


def _labels(match: re.Match[str]) -> str:
    """Keep the attributes of a tag that people read."""
    kept = re.findall(
        r'\b(?:aria-label|title|alt|placeholder|content|data-\w+)="([^"]* [^"]*)"', match.group()
    )
    ends = "\n" * match.group().count("\n")
    return (f"|{'|'.join(kept)}|" if kept else "") + ends
