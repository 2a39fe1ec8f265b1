"""Analysers and their rules, ready for templates. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from codeintel.base.text.quantities import counted
from codeintel.contracts.languages import language_title
from codeintel.runs.capabilities.shapes import AnalyzerInfo, ListedRule

CWE_URL = "https://cwe.mitre.org/data/definitions/{}.html"
MAX_NAMED = 12
"""Languages of an analyser that its row names; more are counted."""


class AnalyzerRow(NamedTuple):
    """An analyser in a table; `looks_at` tells the languages, `runs_in` the models."""

    name: str
    looks_at: str
    runs_in: str
    rules: int


def analyzer_row(analyzer: AnalyzerInfo) -> AnalyzerRow:
    """The languages by name where they are few."""
    titles = [language_title(each) for each in analyzer.languages or ()]
    told = ", ".join(titles) or "any language"
    if len(titles) > MAX_NAMED:
        told = counted(len(titles), "language")
    models = " and ".join(each.value for each in analyzer.models)
    return AnalyzerRow(analyzer.name, told, models, analyzer.rules)


def by_analyzer(found: Iterable[ListedRule]) -> list[tuple[str, list[ListedRule]]]:
    """The rules of each analyser: they come in its order."""
    groups = groupby(found, key=lambda each: each.analyzer)
    return [(name, list(members)) for name, members in groups]


def cwe_url(cwe: str) -> str:
    """The page of a weakness class, such as `CWE-89`."""
    return CWE_URL.format(cwe.removeprefix("CWE-"))
