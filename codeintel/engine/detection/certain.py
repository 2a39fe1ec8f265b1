"""What a text says of itself: its first line, the tags that it begins with, its comments."""

from __future__ import annotations

import re

from codeintel.contracts.languages import canonical_language, is_known
from codeintel.engine.detection.sample import Sample

_SURE = 80.0
_SHEBANG = re.compile(r"#! ?(?:[\w/.-]*/)?(?:env (?:-S )?)?([\w.+-]+)")
_HTML = re.compile(
    r"(?:<\?xml[^>]{0,200}>\s*|<!--(?:[^-]|-(?!->)){0,2000}-->\s*)*<(?:!doctype html|html)\b",
    re.IGNORECASE,
)
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+", re.MULTILINE)
# Kinds of comments at the beginnings of lines, by who has them, with a weight.
_COMMENTS = (
    (("slashes", "/*"), 1.5, "javascript typescript java go php c cpp csharp rust kotlin swift"),
    (("slashes", "/*"), 1.5, "scala dart"),
    (("hash",), 1.5, "python ruby bash perl r yaml toml php elixir powershell dockerfile make"),
    (("hash",), 1.5, "cmake"),
    (("dashes",), 3.0, "sql lua haskell"),
)


def certain_scores(sample: Sample) -> dict[str, float]:
    """Scores by language, in the unit of the words' weights."""
    text = sample.text.lstrip()
    scores: dict[str, float] = {}
    for kinds, weight, languages in _COMMENTS:
        if any(sample.comments[kind] for kind in kinds):
            scores.update(dict.fromkeys(languages.split(), weight))
    for language in _said(sample, text):
        scores[language] = _SURE
    if "<?php" in text or "<?=" in text:
        scores["php"] = 1.5 * _SURE  # whatever it is put into
    return scores


def _said(sample: Sample, text: str) -> list[str]:
    said = []
    shebang = _SHEBANG.match(text)
    if shebang:
        interpreter = canonical_language(shebang[1].rpartition("/")[2].rstrip("0123456789."))
        if is_known(interpreter):
            said.append(interpreter)
    if _HTML.match(text):
        said.append("html")
    elif text.startswith("<?xml"):
        said.append("xml")
    if sample.is_json:
        said.append("json")
    if _HUNK.search(text):
        said.append("diff")
    return said
