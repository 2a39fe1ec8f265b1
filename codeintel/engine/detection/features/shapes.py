"""Languages that are told by the shape of their lines: data, markup, queries, prose.

The share of the lines that could stand in a language counts, and more lines are surer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from codeintel.engine.detection.features.lines import (
    MARKDOWN_FENCE,
    MARKDOWN_HEADING,
    MARKDOWN_MARK,
    OF_BARE,
    OF_TEXT,
    REQUIRED,
    SENTENCE,
    TOML_HEADER,
    YAML_BLOCK,
    YAML_KEY,
    YAML_NOT,
    YAML_OTHER,
    Matches,
)
from codeintel.engine.detection.languages import NO_CODE
from codeintel.engine.detection.sample import Sample

_FULL = 34.0
"""What a text is worth of which all lines fit."""
_SURE_LINES = 15
_WITHOUT_HEADER = 0.4  # `key = "value"` is an assignment in many languages


def shape_scores(sample: Sample) -> dict[str, float]:
    """Scores by language, in the unit of the words' weights; only of those that may be it."""
    text, bare = _filled(sample.text), _filled(sample.bare)
    shares = _line_shares(sample, text, bare)
    if "dockerfile" in shares:  # with shell commands that go on over lines
        whole = _filled(sample.bare.replace("\\\n", " "))
        shares["dockerfile"] = 2 * _share(whole, OF_BARE["dockerfile"]) ** 2
    if "toml" in shares and not TOML_HEADER.search(sample.text):
        shares["toml"] *= _WITHOUT_HEADER
    if "scss" in shares:  # it has all that CSS has
        of_either = OF_BARE["css"], OF_BARE["scss"]
        shares["scss"] = _share(bare, lambda line: any(each(line) for each in of_either)) ** 2
    if shares.get("html", 0) * 3 > shares.get("xml", 0):
        shares["xml"] = shares.get("xml", 0) / 3
    shares["yaml"] = _yaml_share(text) ** 3
    if REQUIRED["markdown"].search(sample.text):
        shares["markdown"] = _markdown_share(sample.text.split("\n")) ** 2
    shares[NO_CODE] = _share(bare, SENTENCE.match) - shares.get("markdown", 0)
    sure = min(1.0, math.log2(1 + len(text)) / math.log2(1 + _SURE_LINES))
    return {language: share * _FULL * sure for language, share in shares.items() if share > 0}


def _line_shares(sample: Sample, text: Sequence[str], bare: Sequence[str]) -> dict[str, float]:
    shares = {}
    for lines, shapes in ((text, OF_TEXT), (bare, OF_BARE)):
        for language, matches in shapes.items():
            if REQUIRED[language].search(sample.text):
                power = 1.5 if language == "sql" else 2  # many dialects, many kinds of lines
                shares[language] = _share(lines, matches) ** power
    return shares


def _filled(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _share(lines: Sequence[str], matches: Matches) -> float:
    return sum(1 for line in lines if matches(line)) / len(lines) if lines else 0.0


def _markdown_share(lines: Sequence[str]) -> float:
    """Where there are enough marks, sentences and what is fenced belong to it."""
    marked = good = filled = 0
    fenced = False
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        filled += 1
        if MARKDOWN_FENCE.match(line):
            fenced = not fenced
            marked += 2
            good += 1
        elif MARKDOWN_HEADING.match(line):
            # Above other lines it is a comment of some language.
            alone = number + 1 == len(lines) or not lines[number + 1].strip()
            marked += alone
            good += alone
        elif not fenced and MARKDOWN_MARK.match(line):
            marked += 1
            good += 1
        elif fenced or SENTENCE.match(line):
            good += 1
    return min(1.0, 6 * marked / filled) * good / filled if filled else 0.0


def _yaml_share(lines: Sequence[str]) -> float:
    """The share of lines that could stand in YAML, where a block of text counts as its key does."""
    good = keys = 0
    block = -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if 0 <= block < indent:
            good += 1
            continue
        block = indent if YAML_BLOCK.match(line) else -1
        if YAML_NOT.match(line):
            continue
        if YAML_KEY.match(line):
            keys += 1
            good += 1
        elif YAML_OTHER.match(line):
            good += 1
    return good / len(lines) if keys and keys >= len(lines) / 8 else 0.0
