"""A drop-in plugin that takes its time for each file, and notes which it has analyzed."""

COUNTING_ENGINE = '''
from pathlib import Path

import gevent
from codeintel import hookimpl
from codeintel.contracts import AnalysisResult, Engine, Finding, Range, Usage

class Counting(Engine):
    """Finds one thing in each file."""
    name = "counting"
    preference = 100
    repeatable = True

    def __init__(self, notes):
        self._notes = notes

    def available(self, kind, model):
        return True

    def analyze(self, task, context):
        with self._notes.open("a") as notes:
            notes.write(task.code.splitlines()[0] + "\\n")
        gevent.sleep(0.2)
        finding = Finding(rule_id="found", engine=self.name, severity="low", confidence="low",
                          cwe=None, message="It is there.", range=Range(1, 1, 1, 2))
        result = AnalysisResult(language=task.language, engine=self.name, summary="",
                                findings=(finding,), metrics={}, analyzers=())
        return result, Usage(input_characters=len(task.code))

@hookimpl
def register_engines(register, config):
    register(Counting(Path(config["CODEINTEL_INSTANCE"]) / "analysed.txt"))
'''
