"""Compare the behavior of original and result, which are called with the same values.

Reject results that use anything that could detect the sandbox or reach its harness.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Evidence, failed, not_applicable, passed
from codeintel.engine.sandbox.comparing import compared
from codeintel.engine.sandbox.records import (
    InterferenceError,
    Record,
    SandboxHost,
    SandboxUnavailableError,
    recorded,
    said,
)

_IMPORTS = re.compile(r"^[ \t]*(?:from|import)[ \t]+([^\n]*)", re.MULTILINE)
_MODULE = re.compile(
    r"\b(?:sys|os|gc|inspect|ctypes|importlib|builtins|signal|traceback|tracemalloc|linecache|"
    r"threading|multiprocessing|subprocess|socket|resource|faulthandler|types|runpy|code|platform|"
    r"pathlib|io|harness|atexit|weakref)\b"
)
_WORD = re.compile(
    r"\b(?:eval|exec|(?<!re\.)compile|globals|locals|vars|open|breakpoint|settrace|setprofile|modules|"
    r"_getframe|environ|argv|getattr|setattr|delattr|__\w+__)\b"
)
_USUAL = frozenset(
    f"__{name}__"
    for name in re.findall(
        r"\w+",
        """init name main repr str eq hash len iter next contains getitem setitem delitem enter
        exit aenter aexit call add sub mul truediv floordiv mod neg abs lt le gt ge bool
        post_init slots all annotations doc future""",
    )
)
_MAX_NAMED = 3


def reaches_out(before: str, after: str) -> str:
    """Return the suspicious modules and names that only the result uses, for a sentence, or an
    empty string.

    The harness runs in the same process, so a program that searches for it could find it.
    """
    new = _used(after) - _used(before) - _USUAL
    return ", ".join(f"`{each}`" for each in sorted(new)[:_MAX_NAMED])


def _used(code: str) -> set[str]:
    imports = " ".join(_IMPORTS.findall(code))
    return {*_MODULE.findall(imports), *_WORD.findall(code)}


ORIGINAL_SECONDS = 7.0
"""The time for running the original twice, or more often if it ends the process, in seconds."""
RESULT_SECONDS = 5.0
ALL_SECONDS = 45.0
"""The time for one original and all results that are compared with it, in seconds."""
_ATTEMPTS = 3
_ATTEMPT_SECONDS = 3.8
_FIRST = {"seconds": 0.25, "load": 1.0, "budget": 1.2}
_RESULT = {"seconds": 1.0, "load": 1.5, "budget": 1.9}
_SECOND = {"seconds": 1.0, "load": 1.5, "budget": 2.5}
"""The time limits in seconds: per call, for loading the module, and for all calls together.

The last one is processor time, or twice as much wall time. The original's first run gets less time
than the result, so that a busy machine makes no difference between them.
"""


class _CannotBeRunError(Exception):
    """The original cannot be run. The message says why."""


class Behaviour:
    """The behavior of an original, to compare results with.

    The original runs first, to find values that reach all branches of the changed code. After the
    result it runs again, with sets in another order. What differs between these runs depends on
    chance and is not compared. The result may add values for its own branches.
    """

    def __init__(self, sandbox: SandboxHost, account_id: str, code: str) -> None:
        self._sandbox = sandbox
        self._account_id = account_id
        self._code = code
        self._seed = hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()
        self._refusal = ""
        self._spent = 0.0
        """Seconds spent in the sandbox, without waiting for a free one."""
        self._has_failed = False

    def compare(self, code: str) -> Evidence:
        """Run a result and compare it, if the original can be run."""
        if code == self._code:
            return passed("Nothing was changed.")
        if self._spent > ALL_SECONDS:
            sentence = "There was no time left to run the code."
            return failed(sentence) if self._has_failed else not_applicable(sentence)
        try:
            evidence = self._compare(code)
        except SandboxUnavailableError as error:
            return not_applicable(f"sandbox_unavailable: {error}.")
        except UnicodeEncodeError:
            return not_applicable("The code contains an unpaired surrogate.")
        except _CannotBeRunError as error:
            self._refusal = str(error)
            return not_applicable(self._refusal)
        self._has_failed |= evidence.status == "failed"
        return evidence

    def _compare(self, code: str) -> Evidence:
        if self._refusal:
            raise _CannotBeRunError(self._refusal)
        end = self._spent + ORIGINAL_SECONDS
        first = self._first(code, end)
        plan = first.repeatable()
        try:
            result = self._run(
                code, self._code, plan, RESULT_SECONDS, _RESULT, hash_seed=1, extend=True
            )
        except InterferenceError:
            self._second(code, plan, end + RESULT_SECONDS)
            return failed("The result interferes with the test harness.")
        plan = result.extended(plan)
        end += result.seconds
        second = self._second(code, plan, end)
        evidence = compared(first, second, result, reaching=reaches_out(self._code, code))
        if evidence.status is CheckStatus.FAILED and result.plan:
            # The added calls have run once. Find out whether they always do the same.
            third = self._second(code, plan, self._spent + _ATTEMPT_SECONDS, hash_seed=2)
            evidence = compared(third, second, result, reaching=reaches_out(self._code, code))
        return evidence

    def _first(self, other: str, end: float) -> Record:
        """Run the original and make the plan of calls."""
        skipped: list[str] = []
        try:
            for _ in range(_ATTEMPTS):
                left = min(_ATTEMPT_SECONDS, end - self._spent)
                first = self._run(self._code, other, None, left, _FIRST, skip=skipped)
                if first.finished or not first.begun or self._spent >= end:
                    break
                skipped.append(first.begun)
        except InterferenceError:
            raise _CannotBeRunError("The original interferes with the test harness.") from None
        _refuse(first)
        first.skipped = len(skipped)
        return first

    def _second(
        self, other: str, plan: list[dict[str, Any]], end: float, hash_seed: int = 1
    ) -> Record:
        """Run the original again with the same plan."""
        left = max(end - self._spent, 0.5)
        try:
            second = self._run(self._code, other, plan, left, _SECOND, hash_seed=hash_seed)
        except InterferenceError:
            raise _CannotBeRunError("The original interferes with the test harness.") from None
        if not second.finished:
            raise _CannotBeRunError("The original ended differently when it was run twice.")
        return second

    def _run(
        self,
        code: str,
        other: str,
        plan: list[dict[str, Any]] | None,
        seconds: float,
        limits: dict[str, float],
        *,
        skip: list[str] | None = None,
        hash_seed: int = 0,
        extend: bool = False,
    ) -> Record:
        job = {
            "do": "run",
            "code": code,
            "other": other,
            "extend": extend,
            "seed": self._seed,
            "plan": plan,
            "skip": skip or [],
            **limits,
        }
        ended = self._sandbox.run(self._account_id, job, max(seconds, 0.1), hash_seed=hash_seed)
        self._spent += ended.seconds
        return recorded(said(ended), plan, ended.seconds, killed=ended.status is None)


def _refuse(record: Record) -> None:
    """Check that the original ran to its end.

    :raises _CannotBeRunError: if it did not.
    """
    if record.load is None:
        raise _CannotBeRunError(
            "The original ended the process or did not finish when it was loaded."
        )
    if not record.is_loaded:
        why = f" ({record.error})" if record.error else ""
        raise _CannotBeRunError(f"The original cannot be loaded on its own{why}.")
    if not record.finished:
        raise _CannotBeRunError("The original ended the process or did not finish.")
