"""The playground, ready for its template. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from codeintel.base.wording import counted
from codeintel.contracts import Model
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS
from codeintel.identity.ledger import LONG_CODE_CHARACTERS, analysis_price
from codeintel.runs.capabilities import STATIC
from codeintel.runs.capability_types import Capabilities, KindInfo
from codeintel.web.playground.examples import Example, examples
from codeintel.web.schemas.commands import curl

ANALYSE = "analyse"
"""The task of an analysis, as the form sends it."""
_PATH = "/api/v1/analyze/stream"
_EXAMPLE = {"code": "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"}
_COMMAND = "export CODEINTEL_URL={} CODEINTEL_API_KEY=...\ncodeintel analyze FILE"
_ANALYSE_SUMMARY = "Finds vulnerabilities, bugs and code smells."
_QUESTION = "A question for the summary, such as: is this safe?"
_INSTRUCTIONS = "Instructions for the model."


@dataclass(frozen=True)
class Task:
    """A task for code: an analysis, or a kind of transformation. `prices` are credits by
    model, for short and for long code. `targets` are the languages to convert to by language."""

    name: str
    title: str
    summary: str
    words: str
    changes_language: bool
    prices: Mapping[str, tuple[int, int]]
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class PlaygroundView:
    """The playground. `languages` and `targets` are names and titles; `typed` has the fields that
    were sent; `available` are credits, empty where nothing is charged; `command` and `curl` do the
    same from a terminal. `has_model` is true if a model reads questions and instructions."""

    tasks: tuple[Task, ...]
    languages: tuple[tuple[str, str], ...]
    targets: tuple[tuple[str, str], ...]
    models: tuple[str, ...]
    typed: Mapping[str, str]
    available: str
    cheapest: str
    command: str
    curl: str
    examples: tuple[Example, ...]
    has_model: bool
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
    :param available: credits to spend; None if nothing is charged, or for visitors.
    :param origin: address of the service, for commands.
    :param addresses: addresses of other pages, by the names that scripts use.
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
        command=_COMMAND.format(shlex.quote(origin.rstrip("/"))),
        curl=curl(origin, "POST", _PATH, key=True, example=_EXAMPLE, stream=True),
        examples=tuple(examples().values()),
        has_model=_has_model(known),
        most=MAX_CODE_CHARACTERS,
        longer=LONG_CODE_CHARACTERS,
        settings={
            **addresses,
            "signedIn": is_signed_in,
            "most": MAX_CODE_CHARACTERS,
            "longer": LONG_CODE_CHARACTERS,
            "examples": {each.language: each._asdict() for each in examples().values()},
            "tasks": {each.name: _for_scripts(each) for each in tasks},
            "prices": {each.name: _prices(each) for each in tasks},
            "extensions": {
                extension: language.name
                for language in known.languages
                for extension in language.extensions
            },
        },
    )


def _has_model(known: Capabilities) -> bool:
    """Return whether an engine other than our own takes work: those read what people ask."""
    others = (each for each in known.engines if each.name != STATIC)
    return any(each.models or each.transforms for each in others)


def _by_title(language: tuple[str, str]) -> str:
    return language[1].lower()


def _tasks(known: Capabilities) -> Iterator[Task]:
    prices = {
        model.value: tuple(
            analysis_price(model, length).full for length in (1, LONG_CODE_CHARACTERS + 1)
        )
        for model in Model
    }
    yield Task(ANALYSE, "Analyze", _ANALYSE_SUMMARY, _QUESTION, False, _pairs(prices))
    for kind in known.transformations:
        if not kind.engines and not kind.ways:
            continue
        own = {model.value: (price.full, price.long) for model, price in kind.prices.items()}
        title = kind.name.replace("_", " ").capitalize()
        targets = _targets_by_language(kind, known)
        yield Task(
            kind.name, title, kind.summary, _INSTRUCTIONS, kind.changes_language, own, targets
        )


def _pairs(prices: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, int]]:
    return {model: (short, long) for model, (short, long) in prices.items()}


def _targets(known: Capabilities) -> Iterator[str]:
    """Return the languages that an installed engine can write."""
    for kind in known.transformations:
        for targets in _targets_by_language(kind, known).values():
            yield from targets


def _targets_by_language(kind: KindInfo, known: Capabilities) -> dict[str, tuple[str, ...]]:
    """Return the languages to convert to, by the language of the code: all for any language where
    a model does it."""
    if not kind.changes_language:
        return {}
    every = [each.name for each in known.languages]
    found: dict[str, set[str]] = {name: {*every} - {name} for name in every if kind.engines}
    for way in kind.ways:
        for name in way.languages:
            found.setdefault(name, set()).update({*(way.targets or way.languages)} - {name})
    return {name: tuple(sorted(targets)) for name, targets in sorted(found.items())}


def _for_scripts(task: Task) -> dict[str, Any]:
    return {
        "summary": task.summary,
        "words": task.words,
        "changesLanguage": task.changes_language,
        "targets": task.targets,
    }


def _prices(task: Task) -> dict[str, dict[str, int]]:
    return {model: {"full": full, "long": long} for model, (full, long) in task.prices.items()}
