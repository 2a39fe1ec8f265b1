"""What the start page shows: two pieces of code, and what the service says of them.

These are real answers, shortened; a test asks the engines again and compares.
"""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A step of a value's way, on one line. Columns count from 1, the end is exclusive."""

    kind: str
    line: int
    start: int
    end: int
    message: str


class AnalysisSample(NamedTuple):
    """Code, and its one finding by the model `pro`."""

    code: str
    rule: str
    severity: str
    weakness: str
    message: str
    remedy: str
    flow: tuple[Step, ...]


class TransformationSample(NamedTuple):
    """Code, the lines of the diff that a kind makes of it, and what was checked: level, name,
    evidence."""

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
    message=(
        "Request data becomes part of a statement in a database query: whoever chooses it reads "
        "and changes the database."
    ),
    remedy="Keep the statement constant and pass the value as a bound parameter.",
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
        ("V1", "parses", "The whole result parses as python."),
        (
            "V2",
            "equivalent",
            "6 statements of the original and 2 of the result have the same normal form, by "
            "steps that keep the meaning: lists built by loops, variables only returned. Taken "
            "for granted: reading attributes and items, calculating, comparing, counting, "
            "formatting and iterating over values have no side effects; where several steps of "
            "one expression fail, any of their errors may be raised; no other module changes "
            "names of the standard library; an object with `items` also has `keys` and "
            "`values`; nothing depends on function names, on the order of a set or on when "
            "objects are freed; called functions do not raise StopIteration, no exception group "
            "reaches `suppress`, and nothing calls `send` or `throw` on generators.",
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
        ("V2", "stable", "The same transformation changes nothing more in the result."),
    ),
)
