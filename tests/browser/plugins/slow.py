"""An engine in no hurry, for runs that are stopped and resumed: its model is PRO."""

from __future__ import annotations

import re
from collections.abc import Callable

import gevent

from codeintel import hookimpl
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Engine,
    Model,
    RunContext,
    RunKind,
    Usage,
)


class Slow(Engine):
    """Says a word each 50 ms, for as many seconds as the code says: `# seconds: 3`."""

    name = "slow"
    preference = 100

    def available(self, kind: RunKind, model: Model) -> bool:
        return kind is RunKind.ANALYSIS and model is Model.PRO

    def analyze(self, task: AnalysisTask, context: RunContext) -> tuple[AnalysisResult, Usage]:
        asked = re.search(r"seconds: (\d+)", task.code)
        for number in range(int(asked[1] if asked else 1) * 20):
            context.output(f"word {number} ")
            gevent.sleep(0.05)
        result = AnalysisResult(
            language=task.language,
            engine=self.name,
            summary="Read slowly.",
            findings=(),
            metrics={},
            analyzers=(),
        )
        return result, Usage(input_characters=len(task.code))


@hookimpl
def register_engines(register: Callable[[Engine], None]) -> None:
    register(Slow())
