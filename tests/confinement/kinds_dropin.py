"""A drop-in that tries to escape from each kind of job. The job's text names a secret file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from escapes import escapes

from codeintel import hookimpl
from codeintel.contracts import (
    Check,
    CheckStatus,
    Detection,
    LanguageDetector,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import NAMES
from codeintel.engine.equivalence.sql.apart import apart
from codeintel.platform.workers.text_functions import TextFunction


class Detects(LanguageDetector):
    name = "escaping"
    version = "1"

    def detect(self, code: str) -> Detection:
        # A language's name is one short word, so the alternatives report the escapes that worked.
        found = escapes(code).replace(", ", ",").replace(" ", "-").replace("'", "")
        return Detection(
            language="held" if not found else "escaped",
            confidence=0.5,
            alternatives=tuple(each for each in found.split(",") if each),
        )


class Rewrites(Transformation):
    name = "escaping"
    kind = "refactor"
    languages = frozenset({"python"})

    def rewrite(self, request: RewriteRequest) -> Any:
        raise Unsupported(f"worked: {escapes(request.code)}")


def told(parts: Iterable[str]) -> Iterator[str]:
    return map(escapes, parts)


TELL = TextFunction("escaping", told, str, str)


def compared(comparison: Comparison) -> Iterator[Check]:
    """Replace the real checks: report the escapes that work in such a job, and in an SQL engine
    in it."""
    inner = apart(lambda: escapes(comparison.before), str)
    evidence = f"worked: {escapes(comparison.before)}; in an engine: {inner}"
    for name in NAMES:
        yield Check(name=name, level="V1", status=CheckStatus.PASSED, evidence=evidence)


@hookimpl
def register_language_detectors(register: Callable[[LanguageDetector], None]) -> None:
    register(Detects())


@hookimpl
def register_transformations(register: Callable[[Transformation], None]) -> None:
    register(Rewrites())


_main = sys.modules["__main__"].__spec__
if _main is not None and _main.name == "codeintel.platform.workers.zygote":
    from codeintel.platform.workers import child

    child.compare = compared
