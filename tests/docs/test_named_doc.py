"""Files, link targets and commands with their options exist if documents name them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from doc_blocks import DOCS, blocks

from codeintel.cli import main

ROOT = DOCS.parent
DOCUMENTS = sorted({*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("*/README.md")})
MADE = {"codeintel/web/static/dist/", "tests/browser/screenshots/"}
"""What an installation or a test run makes."""
IN_THE_REPOSITORY = re.compile(
    r"`((?:benchmarks|codeintel|deploy|docs|frontend|plugins|tests)/[\w./@-]*\w/?)`"
)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_documents_name_exists(document: Path) -> None:
    text = document.read_text()
    named = set(IN_THE_REPOSITORY.findall(text)) - MADE
    assert {each for each in named if not (ROOT / each).exists()} == set()
    linked = set(re.findall(r"\]\((?!\w+:)([^)\s#]+)", text))
    assert {each for each in linked if not (document.parent / each).exists()} == set()


def test_the_tour_shows_the_code_of_the_view() -> None:
    shown = re.search(r"```python\n(.+?)```", (DOCS / "tour.md").read_text(), re.DOTALL)
    assert shown is not None
    view = (ROOT / "codeintel/api/analyze.py").read_text()
    assert shown[1].rstrip() in view


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield each use of the command in a shell block, with its document."""
    for document in DOCUMENTS:
        for block in blocks(document.read_text()):
            if block.language == "sh":
                for line in block.text.replace("\\\n", " ").splitlines():
                    for use in re.findall(r"(?:^|\$\(|&& )codeintel ([^|>)#;&]+)", line):
                        yield document.name, use.split()


@pytest.mark.parametrize(("document", "words"), sorted(commands()))
def test_every_command_can_be_given(document: str, words: list[str]) -> None:
    command: click.Command | None = main
    context = click.Context(main)
    while isinstance(command, click.Group):
        command = command.get_command(context, words[0])
        words = words[1:]
    assert command is not None, document
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
    assert {each for each in words if each.startswith("--")} <= known, document
