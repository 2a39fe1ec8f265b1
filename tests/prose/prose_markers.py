"""Find the phrases of `markers.yml` in texts, with proselint."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from prose_texts import Text
from proselint.checks import __register__ as proselint_checks
from proselint.registry import CheckRegistry
from proselint.registry.checks import Check
from proselint.registry.checks.engine import Fast, RegexOptions
from proselint.registry.checks.types import ExistenceSimple

MARKERS = Path(__file__).with_name("markers.yml")
SEPARATOR = "\n\n|\n"
LONGEST_SENTENCE = 25
FORBIDDEN = "forbidden"
SOFT = "soft"
FUNCTION_STARTS = "function_starts"
OTHER_STARTS = "other_starts"
SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n\s*\n|\||\n\s*(?:[-*:]|\d+\.)\s?")
FIELD_LISTS = re.compile(r"\s*(?::|`|\"|[A-Z]+ /|$)")
"""Starts of docstrings that are not sentences: a field list, code, or a route."""


class Hit(NamedTuple):
    """A marker in a text. Soft hits are only counted."""

    text: Text
    line: int
    phrase: str
    advice: str
    is_soft: bool

    def __str__(self) -> str:
        """Return the hit as a line that editors can jump to."""
        return f"{self.text.path}:{self.line}: {self.phrase} -> {self.advice}"


@cache
def markers() -> dict[str, Any]:
    """Return the content of the file of markers."""
    loaded: dict[str, Any] = yaml.safe_load(MARKERS.read_text(encoding="utf-8"))
    return loaded


def find_hits(texts: Iterable[Text]) -> list[Hit]:
    """Return all hits in the texts, by path and line."""
    texts = list(texts)
    docstrings = [text for text in texts if text.kind == "docstring"]
    functions = [text for text in docstrings if text.owner == "function"]
    others = [text for text in docstrings if text.owner in {"class", "module"}]
    hits = [
        *_matches(texts, _phrase_checks(FORBIDDEN)),
        *_matches(texts, _phrase_checks(SOFT)),
        *_matches(texts, _proselint_checks()),
        *_matches(functions, _start_checks(FUNCTION_STARTS), separator="\n\n\x00"),
        *_matches(others, _start_checks(OTHER_STARTS), separator="\n\n\x00"),
    ]
    started = {hit.text for hit in hits if hit.advice and hit.phrase.endswith(" ...")}
    hits += (hit for text in functions if text not in started for hit in _missing_verbs(text))
    hits += (hit for text in texts for hit in _british_words(text))
    hits += (hit for text in texts if text.kind != "rule" for hit in _long_sentences(text))
    return sorted(set(hits), key=lambda hit: (hit.text.path, hit.line, hit.is_soft, hit.phrase))


@cache
def _phrase_checks(level: str) -> tuple[Check, ...]:
    return tuple(
        _check(level, rf"\b(?:{_spaced(pattern)})\b", advice)
        for pattern, advice in markers()[level].items()
    )


@cache
def _start_checks(level: str) -> tuple[Check, ...]:
    return tuple(
        _check(level, rf"\x00\s*(?:{_spaced(pattern)})\b", advice, ignores_case=False)
        for pattern, advice in markers()[level].items()
    )


@cache
def _proselint_checks() -> tuple[Check, ...]:
    """Return proselint's own checks that apply here."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(proselint_checks)
    chosen = dict.fromkeys(markers()["proselint_ignored"], False)
    chosen.update(dict.fromkeys(markers()["proselint"], True))
    return tuple(registry.get_all_enabled(chosen))


def _check(level: str, pattern: str, advice: str, *, ignores_case: bool = True) -> Check:
    return Check(
        check_type=ExistenceSimple(pattern),
        engine=Fast(RegexOptions(case_insensitive=ignores_case, multi_line=True)),
        path=level,
        message=advice.replace("{", "{{").replace("}", "}}"),
    )


def _spaced(pattern: str) -> str:
    """Let a space match the end of a line, too, where a comment or a sentence was wrapped."""
    return pattern.strip().replace(" ", r"\s+")


def _matches(
    texts: Sequence[Text], checks: Sequence[Check], separator: str = SEPARATOR
) -> Iterator[Hit]:
    """Run checks over all texts in one go, which is many times faster than text by text."""
    starts, offset = [], len(separator)
    for text in texts:
        starts.append(offset)
        offset += len(text.body) + len(separator)
    joined = separator + separator.join(text.body for text in texts)
    for check in checks:
        for result in check.check_with_flags(joined):
            first, last = result.span
            begin = first + len(joined[first:last]) - len(joined[first:last].lstrip("\x00\n "))
            index = max(bisect_right(starts, begin) - 1, 0)
            text = texts[index]
            found = " ".join(joined[begin:last].split()).strip("|")
            is_start = check.path in {FUNCTION_STARTS, OTHER_STARTS}
            yield Hit(
                text,
                text.line + text.body.count("\n", 0, begin - starts[index]),
                f"{found} ..." if is_start else found,
                result.message,
                check.path == SOFT,
            )


def _missing_verbs(text: Text) -> Iterator[Hit]:
    """Yield a soft hit if the docstring of a function does not start with a verb."""
    if FIELD_LISTS.match(text.body):
        return
    word = text.body.split(None, 1)[0]
    if word.strip(",.:;").lower() not in _verbs():
        yield Hit(text, text.line, f"{word} ...", "start with a verb", is_soft=True)


def _british_words(text: Text) -> Iterator[Hit]:
    """Yield a hit for each word in British spelling."""
    for found in re.finditer(r"[A-Za-z]+", text.body):
        if american := _american().get(found.group().lower()):
            line = text.line + text.body.count("\n", 0, found.start())
            yield Hit(text, line, found.group(), american, is_soft=False)


@cache
def _american() -> dict[str, str]:
    """Return the American spelling of British words, from the dictionary of codespell."""
    dictionary = files("codespell_lib") / "data/dictionary_en-GB_to_en-US.txt"
    rows = dictionary.read_text(encoding="utf-8").split()
    words = dict(row.split("->") for row in rows)
    for word in markers()["spellings_ignored"]:
        words.pop(word, None)
    return words


def _long_sentences(text: Text) -> Iterator[Hit]:
    """Yield a soft hit for each sentence that is too long."""
    begin = 0
    for end in [*(found.end() for found in SENTENCE_END.finditer(text.body)), len(text.body)]:
        count = len(re.findall(r"[A-Za-z][\w'-]*", text.body[begin:end]))
        if count > LONGEST_SENTENCE:
            first = re.search(r"\S", text.body[begin:end])
            line = text.line + text.body.count("\n", 0, begin + (first.start() if first else 0))
            yield Hit(text, line, f"{count} words", "split the sentence", is_soft=True)
        begin = end


@cache
def _verbs() -> frozenset[str]:
    return frozenset(markers()["verbs"].split())
