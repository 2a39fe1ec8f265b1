"""The tables that are written from the code are those of the code."""

from __future__ import annotations

import re

import pytest
from generated_tables import DOCS, TABLES, renewed

COMMAND = "python tests/docs/generated_tables.py"


def counted(text: str) -> str:
    """Return a text without its numbers of files and lines, which change with every commit."""
    return re.sub(r"\| \d+ \| [\d,]+ \|", "| N | N |", text)


@pytest.mark.parametrize("document", sorted({key.partition("#")[0] for key in TABLES}))
def test_the_tables_are_those_of_the_code(document: str) -> None:
    text = (DOCS / document).read_text()
    assert counted(renewed(document, text)) == counted(text), f"{COMMAND} writes it anew"


@pytest.mark.parametrize("key", sorted(TABLES))
def test_each_table_has_rows_of_one_width(key: str) -> None:
    lines = TABLES[key]().splitlines()
    assert len(lines) > 15
    assert len({len(line.replace(r"\|", "").split("|")) for line in lines}) == 1


def test_a_document_without_the_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="no place for the table of errors"):
        renewed("errors.md", "# Errors\n")
