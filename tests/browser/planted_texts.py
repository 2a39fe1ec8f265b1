"""Texts that would run in a page that does not escape them, and upstreams that answer with them."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

from trust_upstreams import FakeUpstreams

BODIES = Path(__file__).parents[1] / "registries/bodies"
RUN = "window.__planted('%s')"
TEXTS = (
    '"><img data-planted src=x onerror="' + RUN % "img" + '">',
    "</script><script data-planted>" + RUN % "script" + "</script>",
    "'><svg data-planted onload=" + RUN % "svg" + ">",
    "</title></textarea></style><iframe data-planted srcdoc='<b>'></iframe>",
    "{{ 7 * 7 }}${7 * 7}<%= 7 * 7 %>#{7 * 7}<b data-planted>",
    "<a data-planted href=javascript:" + RUN % "link" + ">x</a>",
    "--><base data-planted href=//evil.example/>",
)
"""`data-planted` is on an element only if one of them became markup."""
ADDRESSES = (
    "javascript:" + RUN % "address",
    "JaVaScRiPt:" + RUN % "address",
    "data:text/html,<script>" + RUN % "data" + "</script>",
    "https://evil.example/\"onmouseover='" + RUN % "over" + "'",
    "vbscript:x",
)
_KEPT = {
    *("purl", "ecosystem", "system", "version", "name", "full_name", "fullName", "type"),
    *("versionKey", "relation", "introduced", "fixed", "score", "id", "error", "spdx_id"),
}
"""What upstreams are known by: other tests have strange names."""
_TEXT_OF = {"name": "planted"}


def text(number: int = 0) -> str:
    """Return one of the planted texts."""
    return TEXTS[number % len(TEXTS)]


def planted(document: Any, kept: frozenset[str] | set[str] = frozenset(_KEPT)) -> Any:
    """Return a document with one of them in every text but those that are kept, and dates."""
    texts, addresses = cycle(TEXTS), cycle(ADDRESSES)

    def plant(value: Any, name: str) -> Any:
        if isinstance(value, dict):
            return {key: plant(each, key) for key, each in value.items()}
        if isinstance(value, list):
            return [plant(each, name) for each in value]
        if not isinstance(value, str) or name in kept or value[:3] in {"201", "202"}:
            return value
        if "://" in value or name.endswith(("url", "uri", "homepage")):
            return next(addresses)
        return f"{value[:20]} {next(texts)}"

    return plant(document, "")


def plant_upstreams(fake: FakeUpstreams) -> dict[str, str]:
    """Set up trust upstreams, npm and GitHub search to answer with planted texts. Return the
    settings."""
    answer = fake.answer
    searches = {
        name: planted(json.loads((BODIES / f"{name}.json").read_text()), {"id", "type"})
        for name in ("npm", "github")
    }

    def told(path: str, body: bytes) -> tuple[int, Any]:
        if path.startswith("/npm/"):
            return 200, searches["npm"]
        if path.startswith("/github/search/"):
            return 200, searches["github"]
        status, document = answer(path, body)
        return status, planted(document)

    fake.answer = told  # type: ignore[method-assign]
    return {"CODEINTEL_NPM_REGISTRY": f"{fake.url}/npm"}


PLUGIN = '''
"""A model that says what was planted in it."""
from codeintel import hookimpl
from codeintel.contracts import (
    AnalysisResult, Category, Confidence, Engine, Finding, FlowStep, Range, RuleRef, Severity,
    StepKind, Usage,
)

TEXTS = {texts!r}


class Planted(Engine):
    name = "planted"
    preference = 200

    def available(self, kind, model):
        return kind.value == "analysis"

    def analyze(self, task, context):
        place = Range(1, 1, 1, 2)
        findings = []
        for text in TEXTS:
            context.output(text)
            finding = Finding(
                rule_id=text, engine=text, severity=Severity.HIGH, confidence=Confidence.HIGH,
                cwe="CWE-79", message=text, range=place, category=Category.SECURITY, remedy=text,
                flow=(FlowStep(StepKind.SOURCE, place, text),), also=(RuleRef(text, text),),
            )
            context.finding(finding)
            findings.append(finding)
        result = AnalysisResult(
            language=task.language, engine=self.name, summary=TEXTS[0], findings=tuple(findings),
            metrics={{}}, analyzers=(), unchecked=(TEXTS[1],),
        )
        return result, Usage(input_characters=len(task.code))


@hookimpl
def register_engines(register):
    register(Planted())
'''
