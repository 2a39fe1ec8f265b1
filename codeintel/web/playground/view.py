"""The playground's form, filled, with what scripts need to know of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codeintel.base.text.quantities import counted
from codeintel.contracts import Model
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS
from codeintel.identity.ledger import LONG_CODE_CHARACTERS, analysis_price
from codeintel.runs.capabilities import Capabilities, KindInfo
from codeintel.web.playground.form import ANALYSE
from codeintel.web.samples import curl

_PATH = "/api/v1/analyze/stream"
_EXAMPLE = {"code": "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"}
_ANALYSE_SUMMARY = "Findings as they are found, and a summary in words."
_QUESTION = "What the summary should answer, such as: is this safe?"
_INSTRUCTIONS = "What a model should heed; other engines do not read it."


@dataclass(frozen=True)
class Task:
    """What can be done with code: analysing it, or a kind of transformation. Prices are credits by
    model, for short and for long code."""

    name: str
    title: str
    summary: str
    words: str
    changes_language: bool
    prices: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class PlaygroundView:
    """All of it. `languages` and `targets` are names and titles; `typed` is what the form was sent
    with; `available` are credits, empty where they do not matter; `curl` is a command."""

    tasks: tuple[Task, ...]
    languages: tuple[tuple[str, str], ...]
    targets: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    typed: Mapping[str, str]
    available: str
    cheapest: str
    curl: str
    most: int
    longer: int
    settings: Mapping[str, Any]


def playground_view(
    known: Capabilities,
    typed: Mapping[str, str],
    *,
    is_signed_in: bool,
    origin: str,
    available: int | None,
    addresses: Mapping[str, str],
) -> PlaygroundView:
    """
    :param available: credits that can be spent; None where nothing is charged, or nobody is there.
    :param origin: of the service, for commands.
    :param addresses: of other pages, by the names that scripts know them by.
    """
    tasks = tuple(_tasks(known))
    languages = sorted(((each.name, each.title) for each in known.languages), key=_by_title)
    targets = {*_targets(known)}
    return PlaygroundView(
        tasks=tasks,
        languages=tuple(languages),
        targets=tuple(each for each in languages if each[0] in targets),
        models=tuple(known.models),
        typed=typed,
        available="" if available is None else counted(available, "credit"),
        cheapest=counted(
            min(short for each in tasks for short, _ in each.prices.values()), "credit"
        ),
        curl=curl(origin, "POST", _PATH, key=True, example=_EXAMPLE, stream=True),
        most=MAX_CODE_CHARACTERS,
        longer=LONG_CODE_CHARACTERS,
        settings={
            **addresses,
            "signedIn": is_signed_in,
            "most": MAX_CODE_CHARACTERS,
            "longer": LONG_CODE_CHARACTERS,
            "tasks": {each.name: _for_scripts(each) for each in tasks},
            "prices": {each.name: _prices(each) for each in tasks},
            "extensions": {
                extension: language.name
                for language in known.languages
                for extension in language.extensions
            },
        },
    )


def _by_title(language: tuple[str, str]) -> str:
    return language[1].lower()


def _tasks(known: Capabilities) -> Iterator[Task]:
    prices = {
        model.value: tuple(
            analysis_price(model, length).full for length in (1, LONG_CODE_CHARACTERS + 1)
        )
        for model in Model
    }
    yield Task(ANALYSE, "Analyse", _ANALYSE_SUMMARY, _QUESTION, False, _pairs(prices))
    for kind in known.transformations:
        own = {model.value: (price.full, price.long) for model, price in kind.prices.items()}
        title = kind.name.replace("_", " ").capitalize()
        yield Task(kind.name, title, kind.summary, _INSTRUCTIONS, kind.changes_language, own)


def _pairs(prices: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, int]]:
    return {model: (short, long) for model, (short, long) in prices.items()}


def _targets(known: Capabilities) -> Iterator[str]:
    """Languages that something can be converted to: all, where an engine takes any."""
    for kind in known.transformations:
        if kind.changes_language:
            yield from _targets_of(kind, known)


def _targets_of(kind: KindInfo, known: Capabilities) -> Iterator[str]:
    if kind.engines:
        yield from (each.name for each in known.languages)
    for way in kind.ways:
        yield from way.targets or way.languages


def _for_scripts(task: Task) -> dict[str, Any]:
    return {
        "summary": task.summary,
        "words": task.words,
        "changesLanguage": task.changes_language,
    }


def _prices(task: Task) -> dict[str, dict[str, int]]:
    return {model: {"full": full, "long": long} for model, (full, long) in task.prices.items()}
