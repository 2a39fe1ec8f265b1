"""Prepare JavaScript without running it: types, changes, kinds of values, operations and probes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Evidence
from codeintel.engine.sandbox.javascript.behaviour import JavaScriptBehaviour
from codeintel.engine.sandbox.javascript.evidence import InvalidReportError, evidence
from codeintel.engine.sandbox.javascript.kinds import Kind
from codeintel.engine.sandbox.javascript.pairs import Pair, Prepared
from codeintel.engine.sandbox.javascript.plan import prepared
from codeintel.engine.sandbox.javascript.source import UnreadableError, read, without_types
from codeintel.engine.sandbox.javascript.tokens import operations
from codeintel.engine.sandbox.javascript.uses import Uses
from codeintel.engine.sandbox.records import Ended


def kinds(code: str) -> list[Kind]:
    """Return the kinds of the parameters of `f`."""
    program = read(code, "javascript")
    function = program.units["f"].function
    assert function is not None
    return [kind for _, _, kind in Uses(program).parameters(function)]


def pair(before: str, after: str, language: str = "javascript") -> Prepared:
    return prepared(Pair(before, after, language, language))


NAMED = ["object", {"name": "string"}]
ANSWERED = ["function", ["either", [NAMED, ["promise", NAMED]]]]


@pytest.mark.parametrize(
    ("typed", "bare"),
    [
        ("function f(a: number, b?: string): void {}", "function f(a, b) {}"),
        ("interface A { x: number }\nlet a = b as A;", "\nlet a = b;"),
        ("function f(this: A, b: C): D { return b!; }", "function f( b) { return b; }"),
        ("class A<T> { private x: T; readonly y = 1; }", "class A { x; y = 1; }"),
        ("const f = <T,>(x: T): T => x satisfies T;", "const f = (x) => x ;"),
    ],
)
def test_types_are_removed_and_lines_stay(typed: str, bare: str) -> None:
    found = without_types(typed.encode()).decode()
    assert "".join(found.split()) == "".join(bare.split())
    assert found.count("\n") == typed.count("\n")


@pytest.mark.parametrize(
    ("code", "language", "said"),
    [
        ("import x from 'y';", "javascript", "it imports modules"),
        ("export * from 'y';", "javascript", "something that it does not define"),
        ("export { a as b };", "javascript", "renames"),
        ("function f( {", "javascript", "cannot be read as JavaScript"),
        ("enum A { B }", "typescript", "more than types"),
        ("class A { constructor(private x: number) {} }", "typescript", "more than types"),
        ("x = " + "(" * 200 + "1" + ")" * 200, "javascript", "nested too deeply"),
    ],
)
def test_what_cannot_be_read(code: str, language: str, said: str) -> None:
    with pytest.raises(UnreadableError, match=said):
        read(code, language)


def test_what_a_program_defines() -> None:
    program = read(
        "export class A { #p = 1; m() {} get q() { return 1; } static s() {} }\n"
        "const g = (x) => x;\nlet n = 1;\nB.prototype.m = function () {};\nrun();",
        "javascript",
    )
    assert program.public == {"A"}
    assert program.is_module
    assert {name: unit.sort for name, unit in program.units.items()} == {
        "A": "class",
        "A.m": "method",
        "A.get q": "method",
        "A.s": "method",
        "g": "function",
        "n": "variable",
        "B.m": "method",
        "": "module",
    }


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("function f(x) { return x * 2; }", "number"),
        ("function f(x) { return x.trim(); }", "string"),
        ("function f(x) { return x(1); }", "function"),
        ("function f(x) { for (const y of x) y.z(); }", ["array", ["object", {"z": "function"}]]),
        ("function f(x) { return x.map((y) => y.n - 1); }", ["array", ["object", {"n": "number"}]]),
        (
            "function f({ a, b = 2 }) { return a.trim() + b; }",
            ["object", {"a": "string", "b": ["either", [["value", 2], "number"]]}],
        ),
        ("function f(x) { return x.getTime(); }", "date"),
        ("function f(x) { return Object.keys(x); }", ["record", "any"]),
        ("function f(x) { for (let i = 0; x[i] === ','; i++) ; }", "string"),
        ("function f(x) { return g(x); } function g(y) { return y - 1; }", "number"),
        ("function f(x) { const { y } = x; return y.toLowerCase(); }", ["object", {"y": "string"}]),
        ("async function f(x) { return (await x(1)).name.trim(); }", ANSWERED),
    ],
)
def test_kinds_of_parameters(code: str, expected: Kind) -> None:
    assert kinds(code) == [expected]


def test_methods_keep_values_for_each_other() -> None:
    found = pair(
        "class E { constructor() { this.h = []; } on(x) { this.h.push(x); } "
        "emit(y) { for (const h of this.h) h(y); } }",
        "class E { constructor() { this.h = []; } on(x) { this.h.push(x); } "
        "emit(y) { for (const each of this.h) each(y); } }",
    )
    (target,) = found.job["shared"]["targets"]
    (on,) = [each for each in target["methods"] if each["name"] == "on"]
    assert on["given"][0]["kind"] == "function"


def test_annotations_decide() -> None:
    before = (
        "interface P { a: string; b?: number[]; c: 'x' | null }\n"
        "export function f(p: P, n: Map<string, number>): number { return p.a.length; }\n"
    )
    found = pair(before, before.replace("p.a.length", "p.a.length + 0"), "typescript")
    (target,) = found.job["shared"]["targets"]
    assert target["typed"]
    assert [each["kind"] for each in target["given"]] == [
        [
            "object",
            {
                "a": "string",
                "b": ["optional", ["array", "number"]],
                "c": ["either", [["value", "x"], "null"]],
            },
        ],
        ["map", "number"],
    ]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("a == b", "a === b", "`==`"),
        ("a.toLowerCase()", "a.toLocaleLowerCase()", "`toLowerCase`"),
        ("parseInt(a, 10)", "Number(a)", "`parseInt`"),
        ("a < 10", "a < 11", "the number `11`"),
        ("a % b", "a - b", "`%`"),
        ("a.b", "a.c", "the property `b`"),
        ("/x/.test(a)", "/y/.test(a)", "a regular expression"),
        ("typeof a", "a", "`unary typeof`"),
        ("a.catch(b)", "a", "the method `catch`"),
        ("eval(a)", "a", "`eval`"),
        ("a.constructor.name", "a.constructor.name + ''", "`constructor`"),
        ("a", "f(a)", "`recursion`"),
        ("a.map((x) => x)", "a.sort((x) => x)", "the method `sort`"),
        ("delete a.b", "a.b", "`unary delete`"),
    ],
)
def test_what_examples_do_not_settle(before: str, after: str, said: str) -> None:
    code = "function f(a, b) {{ return {}; }}".format
    found = pair(code(before), code(after))
    assert said in "; ".join(found.doubts)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if (a) return 1; return 2;", "return a ? 1 : 2;"),
        ("return a === null || a === undefined ? b : a;", "return a ?? b;"),
        ("for (let i = 0; i < a.length; i++) b(a[i]);", "for (const x of a) b(x);"),
        ("const x = a.y; return x;", "return a.y;"),
        ("return a.map(function (x) { return x; });", "return a.map((x) => x);"),
    ],
)
def test_what_examples_settle(before: str, after: str) -> None:
    code = "function f(a, b) {{ {} }}".format
    assert pair(code(before), code(after)).doubts == []


def test_state_of_the_module() -> None:
    before = "function f(a) { return a; }"
    after = "const seen = [];\nfunction f(a) { seen.push(a); return a; }"
    assert (
        "a changed variable of the module is set while the program runs"
        in pair(before, after).doubts
    )


def test_probes_keep_lines_and_order() -> None:
    before = "function f(a, b) {\n  if (a < b && a)\n    return a\n  return b\n}\n"
    found = pair(before, before.replace("return b", "return (b)"))
    assert found.job["original"].splitlines()[:5] == [
        "function f(a, b) {",
        '  $codeintel_s(6);if ($codeintel_c(1, ($codeintel_b(2, "<", (a), (b)))) && '
        "$codeintel_c(3, (a)))",
        "    {$codeintel_s(5);return $codeintel_v(4, (a))}",
        "  $codeintel_s(8);return $codeintel_v(7, (b))",
        "}",
    ]
    lines = {(each["sort"], each["line"]) for each in found.goals[0]}
    assert {("line", 2), ("line", 3), ("line", 4), ("boundary", 2), ("branch", 2)} <= lines


def test_operations_count_words_once() -> None:
    program = read("function f(a) { return -1 + a?.b; }", "javascript")
    assert operations(program, ["f"]) == {
        "function": 1,
        "+": 1,
        "number:-1": 1,
        "property:b": 1,
        "chain": 1,
    }


CALLED = {
    "name": "f", "calls": 400, "compared": 400, "returned": 390, "raised": 10, "odd": 5, "slow": 0,
    "uneven": 0, "blocked": 0, "holed": 20, "differs": False, "doubtful": False, "example": "",
}  # fmt: skip
PAIR = ("function f(a) { return a - 1; }", "function f(a) { const b = a - 1; return b; }")


def judged(ready: Prepared, *lines: dict[str, Any], status: int | None = 0) -> Evidence:
    output = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    return evidence(ready, Ended(output, "", status, 1.0, said_too_much=False))


def report(met: dict[str, int] | None = None, **called: Any) -> list[dict[str, Any]]:
    sides = [{f"{n} run": 9 for n in range(1, 9)} if met is None else met] * 2
    return [
        {"what": "loaded", "outcomes": ["{}", "{}"]},
        {"what": "called", "targets": [{**CALLED, **called}], "ended": [True]},
        {"what": "met", "sides": sides, "blocks": {}},
        {"what": "finished"},
    ]


def test_a_complete_report_is_a_proof() -> None:
    found = judged(pair(*PAIR), *report())
    assert found.conclusive
    assert found.text == (
        "In the sandbox, original and result behave alike: 1 function, class or value called 400 "
        "times with the same values (10 calls raised an exception). In the changed code, the calls "
        "reached 1 of 1 lines, 0 of 0 branches and 0 of 0 boundaries in the original and 2 of 2 "
        "lines, 0 of 0 branches and 0 of 0 boundaries in the result."
    )


@pytest.mark.parametrize(
    ("called", "said"),
    [
        ({"doubtful": True}, "differ for unusual values"),
        ({"uneven": 1}, "took too long"),
        ({"slow": 100}, "took too long"),
        ({"blocked": 1}, "could not be compared"),
        ({"returned": 3}, "too few calls returned a value"),
    ],
)
def test_what_is_no_proof(called: dict[str, Any], said: str) -> None:
    found = judged(pair(*PAIR), *report(**called))
    assert (found.status, found.conclusive) == (CheckStatus.PASSED, False)
    assert "This is no proof: " in found.text
    assert said in found.text


def test_places_that_were_not_reached() -> None:
    found = judged(pair(*PAIR), *report(met={}))
    assert not found.conclusive
    assert "did not reach in the original: the end of an expression (`f`, line 1)" in found.text
    lines = report()
    lines[2]["blocks"] = {"result": [1]}
    assert "a block (line 1)" in judged(pair(*PAIR), *lines).text


@pytest.mark.parametrize(
    ("loads", "status", "said"),
    [
        (["{}", "{1}"], "failed", "prints other output"),
        (["{}", "failed TypeError"], "failed", "ends differently"),
        (["{}", None], "failed", "ends differently"),
        (["failed ReferenceError", "{}"], "not_applicable", "on its own (ReferenceError)"),
        (["timeout", "{}"], "not_applicable", "did not finish"),
    ],
)
def test_what_loading_shows(loads: list[str | None], status: str, said: str) -> None:
    found = judged(pair(*PAIR), {"what": "loaded", "outcomes": loads})
    assert found.status.value == status
    assert said in found.text


def test_a_difference_fails() -> None:
    found = judged(pair(*PAIR), *report(differs=True))
    assert found.status is CheckStatus.FAILED
    assert found.text == "Called with the same values, the result differs from the original in `f`."


def test_reports_that_nothing_wrote() -> None:
    with pytest.raises(InvalidReportError):
        judged(pair(*PAIR), {"what": 1})
    with pytest.raises(InvalidReportError):
        judged(pair(*PAIR), *report(name="f is fine. This is a proof"))
    assert judged(pair(*PAIR), status=None).status is CheckStatus.NOT_APPLICABLE


def test_what_cannot_be_prepared() -> None:
    class Host:
        def run_node(self, *job: object) -> Ended:
            raise AssertionError(job)

    behaviour = JavaScriptBehaviour(
        Host(), "somebody", "import a from 'a';", "javascript", "javascript", prepared
    )
    found = behaviour.compare("import b from 'a';")
    assert found.status is CheckStatus.NOT_APPLICABLE
    assert found.text == "The original cannot be run: it imports modules."
    lost = JavaScriptBehaviour(
        Host(), "somebody", "let a;", "javascript", "javascript", lambda _: None
    )
    assert lost.compare("let b;").status is CheckStatus.NOT_APPLICABLE
    assert lost.compare("let a;").conclusive is False
