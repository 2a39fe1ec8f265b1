"""`/`: the features of the service with two real results, and its health."""

from __future__ import annotations

from typing import NamedTuple

from flask import Response, current_app

from codeintel.base.entitlements import Scope
from codeintel.base.wording import lasting
from codeintel.http.endpoint import services
from codeintel.http.protection import shown_origin
from codeintel.platform.health import HealthCheck, HealthReport, Status
from codeintel.runs.capability_types import RuleQuery
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.dashboard.pages import dashboard
from codeintel.web.login.require_login import anybody
from codeintel.web.schemas.commands import curl
from codeintel.web.text import inline

_CHECK = {
    HealthCheck.OK: "up",
    HealthCheck.ERROR: "down",
    HealthCheck.NOT_CONFIGURED: "not configured",
}
_CACHE = "codeintel.home"
_CODE = "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"


class Step(NamedTuple):
    """A step of a data flow, on one line. Columns start at 1, the end is exclusive."""

    kind: str
    line: int
    start: int
    end: int
    message: str


class AnalysisSample(NamedTuple):
    """Code with its only finding by the model `pro`."""

    code: str
    rule: str
    severity: str
    weakness: str
    message: str
    remedy: str
    flow: tuple[Step, ...]


class TransformationSample(NamedTuple):
    """Code, the diff of a transformation, and its checks: level, name, evidence."""

    code: str
    kind: str
    diff: tuple[str, ...]
    checks: tuple[tuple[str, str, str], ...]


ANALYSIS = AnalysisSample(
    code="""\
import sqlite3

from flask import request


def orders():
    owner = request.args["owner"]
    query = f"SELECT id, total FROM orders WHERE owner = '{owner}'"
    return sqlite3.connect("shop.db").execute(query).fetchall()
""",
    rule="taint-sql",
    severity="critical",
    weakness="CWE-89",
    message='SQL injection: `query` from `request.args["owner"]` reaches `execute()`.',
    remedy=(
        "Use a parameterized query: keep the statement constant and bind the value as a parameter."
    ),
    flow=(
        Step("source", 7, 13, 34, "request data"),
        Step("step", 7, 5, 10, "assigned to owner"),
        Step("step", 8, 5, 10, "assigned to query"),
        Step("sink", 9, 47, 52, "reaches a database query"),
    ),
)

TRANSFORMATION = TransformationSample(
    code="""\
def adults(people):
    names = []
    for person in people:
        if person["age"] >= 18:
            names.append(person["name"])
    return names
""",
    kind="refactor",
    diff=(
        " def adults(people):",
        "-    names = []",
        "-    for person in people:",
        '-        if person["age"] >= 18:',
        '-            names.append(person["name"])',
        "-    return names",
        '+    return [person["name"] for person in people if person["age"] >= 18]',
    ),
    checks=(
        ("V1", "parses", "The whole result parses as Python."),
        (
            "V2",
            "equivalent",
            "6 statements of the original and 2 of the result have the same normal form, after "
            "steps that keep the meaning: lists built by loops, variables only returned. The "
            "proof assumes: Reading attributes and items, calculating, comparing, counting, "
            "formatting and iterating over values have no side effects. If several steps of one "
            "expression fail, any of their errors may be raised. No other module changes names "
            "of the standard library. An object with `items` also has `keys` and `values`. "
            "Nothing depends on function names, on the order of a set or on when objects are "
            "freed. Called functions do not raise StopIteration. No exception group reaches "
            "`suppress`. Nothing calls `send` or `throw` on generators.",
        ),
        (
            "V3",
            "same_interface",
            "1 public name compared with signatures and bases: none is missing or changed.",
        ),
        (
            "V3",
            "no_new_findings",
            "0 findings about correctness, security and secrets in the result, 0 in the original, "
            "and no new kind.",
        ),
        ("V2", "stable", "The same transformation leaves its own result unchanged."),
    ),
)


class Line(NamedTuple):
    """A line of code: its pieces, each with the kind of its step or "", and its notes."""

    number: int
    pieces: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]


class HealthWords(NamedTuple):
    """The health of the service in words."""

    status: Status
    facts: tuple[tuple[str, str, str], ...]
    """Each with its name in JSON, its title, and its value."""


def annotated(sample: AnalysisSample) -> tuple[Line, ...]:
    """Return the lines of a sample from source to sink, without their common indentation."""
    first, last = sample.flow[0].line, sample.flow[-1].line
    lines = sample.code.splitlines()[first - 1 : last]
    indent = min(len(text) - len(text.lstrip()) for text in lines)
    return tuple(
        _line(number, text, indent, [each for each in sample.flow if each.line == number])
        for number, text in enumerate(lines, first)
    )


def _line(number: int, text: str, indent: int, steps: list[Step]) -> Line:
    pieces = []
    at = indent
    for step in sorted(steps, key=lambda each: each.start):
        start, end = step.start - 1, step.end - 1
        pieces += [(text[at:start], ""), (text[start:end], step.kind)]
        at = end
    pieces.append((text[at:], ""))
    shown = tuple(piece for piece in pieces if piece[0])
    return Line(number, shown, tuple((step.kind, step.message) for step in steps))


def health_words(report: HealthReport) -> HealthWords:
    """Return the report in words."""
    return HealthWords(
        report.status,
        (
            ("database", "Database", _CHECK[report.checks.database]),
            ("redis", "Redis", _CHECK[report.checks.redis]),
            ("uptime", "Uptime", lasting(report.uptime)),
            ("version", "Version", report.version),
        ),
    )


@blueprint.get("/")
def home() -> Response:
    """The home page; the dashboard for visitors who are signed in."""
    caller = anybody()
    if not caller.is_anonymous:
        return dashboard(caller)
    base = shown_origin()
    path = "/api/v1/analyze/stream"
    page = render_page(
        "home.html",
        analysis=ANALYSIS,
        inline=inline,
        lines=annotated(ANALYSIS),
        transformation=TRANSFORMATION,
        counts=_counts(),
        scopes=tuple(Scope),
        health=health_words(services().health.report()),
        command_text=curl(base, "POST", path, key=True, example={"code": _CODE}, stream=True),
    )
    return page_answer(page)


def _counts() -> dict[str, int]:
    """Count rules and languages once, because they do not change after the start."""
    kept: dict[str, int] | None = current_app.extensions.get(_CACHE)
    if kept is None:
        known = services().catalogue.capabilities(RuleQuery())
        kept = current_app.extensions[_CACHE] = {
            "rules": len(services().catalogue.rules(RuleQuery())),
            "languages": sum(bool(each.analyzers) for each in known.languages),
        }
    return kept
