"""Compare the behavior of two JavaScript programs, which are called with the same values.

Both run in one process, in separate contexts, and start again for each result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from codeintel.engine.equivalence.comparison import Evidence, failed, not_applicable, passed
from codeintel.engine.sandbox.javascript.evidence import InvalidReportError, evidence
from codeintel.engine.sandbox.javascript.pairs import Pair, Prepared
from codeintel.engine.sandbox.records import Ended, SandboxUnavailableError

CALL_SECONDS = 3.5
"""The time for all calls of both programs, in seconds of wall time."""
SECONDS = 7.0
"""The time after which the process is killed."""
ALL_SECONDS = 45.0
"""The time for one original and all results that are compared with it, in seconds."""
Prepare = Callable[[Pair], Prepared | None]
"""Prepares a pair in a worker process, and returns None if that fails."""


class NodeHost(Protocol):
    """Runs jobs of the script `driver.js`, each in a separate sandbox."""

    def run_node(self, account_id: str, job: dict[str, Any], seconds: float) -> Ended:
        """Run a job when it is the account's turn.

        :raises SandboxUnavailableError: if no sandbox can be trusted.
        """


class JavaScriptBehaviour:
    """The behavior of an original, to compare results with.

    :param language: `javascript` or `typescript`.
    :param target: the language of the results, likewise.
    """

    def __init__(
        self,
        host: NodeHost,
        account_id: str,
        code: str,
        language: str,
        target: str,
        prepare: Prepare,
    ) -> None:
        self._host = host
        self._account_id = account_id
        self._code = code
        self._language = language
        self._target = target
        self._prepare = prepare
        self._spent = 0.0

    def compare(self, code: str) -> Evidence:
        """Run a result and compare it, if the original can be run."""
        if code == self._code and self._language == self._target:
            return passed("Nothing was changed.")
        if self._spent > ALL_SECONDS:
            return not_applicable("There was no time left to run the code.")
        prepared = self._prepare(Pair(self._code, code, self._language, self._target))
        if prepared is None:
            return not_applicable("The code could not be prepared for the sandbox.")
        if prepared.refusal:
            return not_applicable(prepared.refusal)
        job = {**prepared.job, "milliseconds": int(CALL_SECONDS * 1000)}
        try:
            ended = self._host.run_node(self._account_id, job, SECONDS)
        except SandboxUnavailableError as error:
            return not_applicable(f"sandbox_unavailable: {error}.")
        self._spent += ended.seconds
        try:
            return evidence(prepared, ended)
        except InvalidReportError:
            return failed("The programs interfere with the test harness.")
