"""`docs/analysis.md` says what is true."""

from __future__ import annotations

import re
from pathlib import Path

from codeintel_plugins.patterns.building import overview, renewed
from codeintel_plugins.patterns.catalogue import shipped_rules
from codeintel_plugins.taint import TaintAnalyzer
from flask import Flask

from codeintel.app import Services
from codeintel.contracts.languages import language_title

PATH = Path(__file__).parents[2] / "docs" / "analysis.md"
TEXT = PATH.read_text()


def test_the_table_of_weaknesses_is_that_of_the_rules() -> None:
    assert renewed(TEXT, overview(shipped_rules())) == TEXT, (
        "python -m codeintel_plugins.patterns.building docs/analysis.md updates it"
    )


def test_exactly_the_shipped_analysers_are_described(app: Flask, services: Services) -> None:  # noqa: ARG001
    table = TEXT.partition("## The analyzers")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ((?:`[a-z]+`(?:, )?)+)(?: \(`pro` only\))? \|", table, re.MULTILINE)
    described = {name for row in rows for name in re.findall(r"`([a-z]+)`", row)}
    assert described == set(services.plugins.registry.analyzers)


def test_the_languages_of_taint_are_named() -> None:
    row = next(line for line in TEXT.splitlines() if line.startswith("| `taint`"))
    named = {each.strip() for each in row.split("|")[2].split(",")}
    assert named == {language_title(name) for name in TaintAnalyzer.languages or ()}


def test_the_tables_of_flows_are_where_the_document_says() -> None:
    folder = PATH.parents[1] / "codeintel/engine/dataflow/tables"
    assert str(folder.relative_to(PATH.parents[1])) in TEXT
    for language in ("python", "javascript", "java", "php", "go"):
        assert (folder / f"{language}.yml").is_file()
