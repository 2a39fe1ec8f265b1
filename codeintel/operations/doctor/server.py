"""Query several services in parallel, and check a running server and its version."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from codeintel.base.version import DEFAULT_URL, __version__
from codeintel.contracts import SourceAnswer, SourceError, SourceProblem, SourceRequest
from codeintel.http.served import last_listening
from codeintel.operations.doctor.installation import Installation, shown_url
from codeintel.operations.doctor.results import Finding, error, ok, skipped, warning
from codeintel.platform.upstreams.fetching import Fetcher

SECONDS = 4.0
SLOW_SECONDS = 2.0
NETWORK_FIX = (
    "Check that this machine can reach it (name resolution, firewall, HTTPS_PROXY, certificates), "
    "and that its URL in the settings is right."
)


@dataclass(frozen=True)
class Question:
    """A service to query.

    :param check: name of the finding.
    :param title: the display name, with its address.
    :param ask: queries the service and returns a finding. It may raise :class:`SourceError`.
    :param failure: makes the finding for a service that does not answer.
    """

    check: str
    title: str
    ask: Callable[[], Finding]
    failure: Callable[[str, str, str], Finding] = error


def fetch(
    base_url: str, title: str, request: SourceRequest, contact: str
) -> tuple[SourceAnswer, float]:
    """Return a service's answer, and the seconds until it arrived.

    :raises SourceError: if the service does not answer.
    """
    began = time.monotonic()
    answer = Fetcher(base_url, title, contact).send(request, SECONDS)
    return answer, time.monotonic() - began


def ask_all(questions: Iterable[Question], seconds: float) -> list[Finding]:
    """Return the findings in question order, within the given number of seconds."""
    deadline = time.monotonic() + seconds
    asked = [(each, *_begin(each)) for each in questions]
    found = []
    for question, thread, answers in asked:
        thread.join(max(0.0, deadline - time.monotonic()))
        # An answer that arrives between these two lines is late.
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
            f"{question.title}: the request failed with {type(failure).__name__}.",
            "Check that its plugin is up to date.",
        )


def _late(question: Question, seconds: float) -> Finding:
    return question.failure(
        question.check,
        f"{question.title} did not answer within {seconds:.1f} s.",
        NETWORK_FIX,
    )


HEALTH, VERSION = "server.health", "server.version"
REFUSED = 400
"""The service's status for requests with a host name that it does not have."""


def look_at_server(installation: Installation) -> Iterator[Finding]:
    """Check the service at CODEINTEL_URL, or the one that last ran in this folder. That one is
    queried at its own address, because a proxy may answer with another node.
    """
    named = installation.environ.get("CODEINTEL_URL", "").rstrip("/")
    url = named or last_listening(installation.settings.instance) or DEFAULT_URL
    if not url.startswith(("http://", "https://")):
        yield error(
            HEALTH, "CODEINTEL_URL is not an HTTP URL.", f"Set it to a URL like {DEFAULT_URL}."
        )
        return
    status_code = 0
    try:
        answer, seconds = _ask(url, installation.settings.public_url, is_named=bool(named))
        status_code = answer.status
        report = json.loads(answer.body)["data"]
        status, version, checks = (report[name] for name in ("status", "version", "checks"))
    except SourceError as failure:
        yield _silent(failure, shown_url(url), is_named=bool(named))
    except (ValueError, RecursionError, LookupError, TypeError):
        yield _foreign(shown_url(url), status_code, is_named=bool(named))
    else:
        yield _health(f"The server at {shown_url(url)}", str(status), checks, seconds)
        yield _version(str(version))


def _ask(url: str, public_url: str, *, is_named: bool) -> tuple[SourceAnswer, float]:
    """Return the service's health, and the seconds until it arrived.

    A service with a public URL rejects other host names, even its own address. So its own address
    is queried with the public name. A configured address may belong to a proxy that routes by name.
    There the public name is used only after a rejection.

    :raises SourceError: if the service does not answer.
    """
    host = urlsplit(public_url).netloc.encode("idna").decode() or "localhost"
    by_its_name = SourceRequest("/api/v1/health", headers={"Host": host})
    if not is_named:
        return fetch(url, "The server", by_its_name, "")
    answer, seconds = fetch(url, "The server", SourceRequest("/api/v1/health"), "")
    if answer.status == REFUSED:
        return fetch(url, "The server", by_its_name, "")
    return answer, seconds


def _silent(failure: SourceError, where: str, *, is_named: bool) -> Finding:
    """Report a service that does not answer. It is an error only if CODEINTEL_URL names it."""
    if failure.problem is SourceProblem.UNREACHABLE and not is_named:
        return skipped(HEALTH, f"No server answers at {where}.")
    return error(
        HEALTH,
        f"{failure.message.rstrip('.')} ({where}).",
        "Check that the service is running there and see its log, or correct CODEINTEL_URL.",
    )


def _foreign(where: str, status: int, *, is_named: bool) -> Finding:
    told = f"The server at {where} is not codeintel."
    if not is_named:  # another program may use the port now
        return skipped(HEALTH, told)
    if status == REFUSED:
        return error(
            HEALTH,
            f"The server at {where} rejects the request. It is not codeintel or expects another "
            "host name.",
            "Set CODEINTEL_URL to the service's address, and CODEINTEL_PUBLIC_URL to its value.",
        )
    return error(HEALTH, told, "Set CODEINTEL_URL to the service's address.")


def _health(title: str, status: str, checks: Any, seconds: float) -> Finding:
    told = f"{title} is {status}, answered in {seconds * 1000:.0f} ms"
    if status == "healthy":
        return ok(HEALTH, f"{told}.")
    known = checks if isinstance(checks, dict) else {}
    bad = [str(name) for name, each in known.items() if each == "error"]
    why = f": {', '.join(bad)} cannot be used" if bad else ""
    if status == "degraded" and bad:
        return warning(HEALTH, f"{told}{why}.", "All requests work. Check its Redis.")
    if status == "degraded":
        why = ": its clock is more than 5 s from the database's"
        return warning(HEALTH, f"{told}{why}.", "Synchronize the clocks of all machines with NTP.")
    return error(
        HEALTH,
        f"{told}{why}.",
        "Check its database. If the database works, the service is shutting down, so wait.",
    )


def _version(found: str) -> Finding:
    if found == __version__:
        return ok(VERSION, f"{found}, the same as here.")
    return warning(
        VERSION,
        f"The server has version {found[:40]}, but this command has {__version__}.",
        "Restart the service after an upgrade, or run this command from its environment.",
    )
