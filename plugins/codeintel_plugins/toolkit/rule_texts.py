"""Texts about the rules of other tools: title, explanation, remedy and examples.

An adapter has a folder with `*.yml` files. Each file maps the IDs of rules to their texts. Tests
run the tool on the examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from codeintel.contracts import RuleInfo
from codeintel.engine.data_files import DataFileError, read_data
from codeintel_plugins.toolkit.rule_pages import fragment

_SENTENCE = re.compile(r".*?[.](?=\s|\Z)", re.DOTALL)


class RuleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our text about a rule.

    `bad` is code that the rule reports, `good` the same code without the defect. `language` is
    the language of both, if it is not the first one of the rule.
    """

    title: str
    explanation: str
    remedy: str
    bad: str
    good: str
    language: str = ""

    @property
    def summary(self) -> str:
        """The first sentence of the explanation."""
        first = _SENTENCE.match(self.explanation)
        return first[0] if first else self.explanation

    @property
    def page(self) -> str:
        """The page of the rule, as an HTML fragment."""
        return fragment(self.title, self.explanation, self.remedy, [self.bad], [self.good])


@cache
def rule_texts(folder: Path) -> Mapping[str, RuleText]:
    """Return the texts in the files of a folder, by rule.

    :raises DataFileError: if a file is invalid, or if two files describe one rule.
    """
    texts: dict[str, RuleText] = {}
    for path in sorted(folder.glob("*.yml")):
        for rule_id, text in read_data(path, dict[str, RuleText]).items():
            if rule_id in texts:
                raise DataFileError(f"{path.name}: another file describes {rule_id}")
            texts[rule_id] = text
    return texts


def with_texts(rules: Iterable[RuleInfo], texts: Mapping[str, RuleText]) -> Sequence[RuleInfo]:
    """Return the rules with the titles and remedies of the texts. A rule without a summary gets the
    first sentence of its explanation. Rules without a text stay."""
    return tuple(_with_text(rule, texts.get(rule.id)) for rule in rules)


def _with_text(rule: RuleInfo, text: RuleText | None) -> RuleInfo:
    if text is None:
        return rule
    summary = rule.summary or text.summary
    return replace(rule, title=text.title, remedy=text.remedy, summary=summary)


def page_of(rule_id: str, texts: Mapping[str, RuleText]) -> str | None:
    """Return the page of a rule, or None if the rule has no text."""
    text = texts.get(rule_id)
    return None if text is None else text.page
