"""Drop-in plugins as text, and putting them into an instance folder."""

from __future__ import annotations

from pathlib import Path

HEADER = """
from __future__ import annotations
from codeintel import hookimpl
from codeintel.contracts import *

class Says(Analyzer):
    languages = None
    def __init__(self, name):
        self.name = name
    def analyze(self, request):
        yield Note(f"said by {self.name}")

class Tells(LanguageDetector):
    preference = 10
    def __init__(self, name, language=None):
        self.name, self.language = name, language
    def detect(self, code):
        if self.language == "raise":
            raise RuntimeError(code)
        return Detection(language=self.language, confidence=0.9)

class Thinks(Engine):
    preference = 10
    def __init__(self, name):
        self.name = name
    def available(self, kind, model):
        return True
    def analyze(self, task, context):
        context.progress(f"thought by {self.name}")
        said = list(context.analyze(AnalyzerRequest(task.code, task.language)))
        reports = tuple(each for each in said if isinstance(each, AnalyzerReport))
        return AnalysisResult(language=task.language, engine=self.name, summary="", findings=(),
            metrics={}, analyzers=reports), Usage(input_characters=len(task.code))
"""


def hook(body: str, name: str = "register_analyzers", arguments: str = "register") -> str:
    """Return the text of a hook."""
    return f"@hookimpl\ndef {name}({arguments}):\n    {body}\n"


def says(*names: str) -> str:
    """Return the text of a hook that registers analyzers with output."""
    return hook("; ".join(f"register(Says({name!r}))" for name in names))


def drop(instance: Path, **sources: str) -> Path:
    """Write drop-ins by file name, each with the header before it."""
    folder = instance / "plugins"
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(HEADER + source)
    return instance
