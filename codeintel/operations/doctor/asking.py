"""Asking other services once, all at the same time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from codeintel.contracts import SourceAnswer, SourceError, SourceRequest
from codeintel.operations.doctor.results import Finding, error
from codeintel.platform.upstreams.fetching import Fetcher

SECONDS = 4.0
SLOW_SECONDS = 2.0
NETWORK_FIX = (
    "See whether this machine reaches it (name resolution, firewall, HTTPS_PROXY, certificates), "
    "and whether its URL in the settings is right."
)


@dataclass(frozen=True)
class Question:
    """One service to be asked.

    :param check: name of the finding.
    :param title: for people, with its address.
    :param ask: does it, and says what was found. It may raise :class:`SourceError`.
    :param failure: makes the finding of one that does not answer.
    """

    check: str
    title: str
    ask: Callable[[], Finding]
    failure: Callable[[str, str, str], Finding] = error


def fetch(
    base_url: str, title: str, request: SourceRequest, contact: str
) -> tuple[SourceAnswer, float]:
    """What a service answers, and after how many seconds.

    :raises SourceError: if it does not.
    """
    began = time.monotonic()
    answer = Fetcher(base_url, title, contact).send(request, SECONDS)
    return answer, time.monotonic() - began


def ask_all(questions: Iterable[Question], seconds: float) -> list[Finding]:
    """The findings, in the order of the questions, after so many seconds at most."""
    deadline = time.monotonic() + seconds
    asked = [(each, *_begin(each)) for each in questions]
    found = []
    for question, thread, answers in asked:
        thread.join(max(0.0, deadline - time.monotonic()))
        # What comes in between these two lines is late.
        found.append(answers[0] if answers else _late(question, seconds))
    return found


def _begin(question: Question) -> tuple[threading.Thread, Sequence[Finding]]:
    answers: list[Finding] = []
    thread = threading.Thread(target=lambda: answers.append(_asked(question)), daemon=True)
    thread.start()
    return thread, answers


def _asked(question: Question) -> Finding:
    try:
        return question.ask()
    except SourceError as failure:
        return question.failure(question.check, f"{question.title}: {failure.message}", NETWORK_FIX)
    except Exception as failure:  # noqa: BLE001 - what asks may be a plugin's
        return error(
            question.check,
            f"{question.title}: asking it failed with {type(failure).__name__}.",
            "See whether its plugin is up to date.",
        )


def _late(question: Question, seconds: float) -> Finding:
    return question.failure(
        question.check,
        f"{question.title} did not answer within {seconds:.1f} s.",
        NETWORK_FIX,
    )
