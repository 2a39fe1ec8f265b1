"""Reasons why runs of JavaScript prove nothing, and the shapes and readers of changed code."""

from __future__ import annotations

import pytest

from codeintel.engine.sandbox.javascript.pairs import Pair, Prepared
from codeintel.engine.sandbox.javascript.plan import prepared
from codeintel.engine.sandbox.javascript.source import changed, read, readers

TABLES = "tables of constants differ"
PLACES = "large numbers, long strings or operations that examples do not settle changed places"
ACCESSORS = "getters or setters that change something are used differently"
REPLACED = "calls of a method that a subclass may replace differ"
SET = "a changed variable of the module is set while the program runs"
LONG = '"a text that is longer than twenty letters"'
OTHER = '"another text that is longer than twenty letters"'


def pair(before: str, after: str, language: str = "javascript") -> Prepared:
    return prepared(Pair(before, after, language, language))


def body(text: str) -> str:
    return f"function f(a, b) {{ {text} }}"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            "const T = { a: 1, b: 2 }; " + body("return T[a];"),
            "const T = { a: 2, b: 1 }; " + body("return T[a];"),
            TABLES,
        ),
        (
            'const T = new Map([["a", 1], ["b", 2]]); ' + body("return T.get(a);"),
            'const T = new Map([["a", 2], ["b", 1]]); ' + body("return T.get(a);"),
            TABLES,
        ),
        (body('return ["x", "y"].indexOf(a);'), body('return ["y", "x"].indexOf(a);'), TABLES),
        (
            body("return a.slice(0, 50) + b.slice(0, 100);"),
            body("return a.slice(0, 100) + b.slice(0, 50);"),
            PLACES,
        ),
        (
            body("return a.slice(0, 100) + b.slice(0);"),
            body("return a.slice(0) + b.slice(0, 100);"),
            PLACES,
        ),
        (
            body(f"return a.split({LONG}).concat(b.split({OTHER}));"),
            body(f"return a.split({OTHER}).concat(b.split({LONG}));"),
            PLACES,
        ),
        (
            body("return [a.trim(), b.normalize()];"),
            body("return [a.normalize(), b.trim()];"),
            PLACES,
        ),
        (
            "class C { get n() { return ++this.m; } } " + body("const n = a.n; return n + n;"),
            "class C { get n() { return ++this.m; } } " + body("return a.n + a.n;"),
            ACCESSORS,
        ),
        (
            "class C { m() { return 1; } n(a) { return a > 2 ? this.m() : 0; } }",
            "class C { m() { return 1; } n(a) { return a > 2 ? 1 : 0; } }",
            REPLACED,
        ),
        (
            body("return [...a].length;"),
            body("return a.length;"),
            "the original takes other iterables than arrays",
        ),
        (
            "const x = go(1), y = go(2); function go(n) { return n; }" + body("return x;"),
            "const y = go(2), x = go(1); function go(n) { return n; }" + body("return (x);"),
            "the statements of the module are in another order",
        ),
    ],
)
def test_differences_that_runs_do_not_show(before: str, after: str, said: str) -> None:
    assert said in pair(before, after).doubts


@pytest.mark.parametrize(
    "change",
    [
        "[last] = [a];",
        "({ x: last } = a);",
        "[...last] = a;",
        "for (last of a);",
        "for ([last] of a);",
        "(last) = a;",
        "Object.assign(last, a);",
        "const alias = last; alias.x = a;",
        "b.kept = last;",
    ],
)
def test_state_that_is_changed_in_rare_ways(change: str) -> None:
    code = body(f"const old = last[0]; {change} return old;")
    assert SET in pair(f"let last = [0]; {code}", f"let last = [1]; {code}").doubts


def test_state_that_is_only_read() -> None:
    code = body("const old = last[0]; return old + a(last.length);")
    assert SET not in pair(f"let last = [0]; {code}", f"let last = [1]; {code}").doubts
    code = body("return a(MOST);")
    assert SET not in pair(f"const MOST = 30; {code}", f"const MOST = 40; {code}").doubts


def test_arguments_that_are_spread_in_a_call() -> None:
    found = pair(body("for (const x of b) a.push(x);"), body("a.push(...b);"))
    assert "examples do not settle a difference in `spread in a call`" in found.doubts


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            body('switch (a) { case "x": return 1; case "y": return 2; default: return 3; }'),
            body("const T = { x: 1, y: 2 }; return Object.hasOwn(T, a) ? T[a] : 3;"),
        ),
        (body('return a === "x" || a === "y";'), body('return ["x", "y"].includes(a);')),
        (body("if (a > 99) return 50; return 20;"), body("return a > 99 ? 50 : 20;")),
        (
            "const T = { a: 1, b: 2 }; " + body("return T[a];"),
            body("const T = { a: 1, b: 2 }; return T[a];"),
        ),
        (
            body("return { add(x) { a += x; }, get() { return a; } };"),
            body("return { add: (x) => { a += x; }, get: () => a };"),
        ),
        (
            "class C { _m() { return 1; } n(a) { return a > 2 ? this._m() : 0; } }",
            "class C { _m() { return 1; } n(a) { return a > 2 ? 1 : 0; } }",
        ),
        (
            "class C { get n() { return this.m; } } " + body("const n = a.n; return n + n;"),
            "class C { get n() { return this.m; } } " + body("return a.n + a.n;"),
        ),
    ],
)
def test_differences_that_runs_show(before: str, after: str) -> None:
    assert not {TABLES, PLACES, ACCESSORS, REPLACED} & set(pair(before, after).doubts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("if (a > 0); return 1;", "if (a > 0) return 1;"),
        ("return\na;", "return a;"),
        ("a\n++b\nreturn a;", "a++\nb\nreturn a;"),
    ],
)
def test_line_ends_change_functions(one: str, other: str) -> None:
    programs = read(body(one), "javascript"), read(body(other), "javascript")
    assert changed(*programs) == {"f"}


def test_semicolons_that_a_line_end_replaces_change_nothing() -> None:
    programs = (
        read(body("a()\nreturn b\n"), "javascript"),
        read(body("a(); return b;"), "javascript"),
    )
    assert changed(*programs) == set()


def test_line_ends_that_cannot_be_read() -> None:
    found = pair(body("a /* b\n */ ++\nb; return a;"), body("a++; b; return a;"))
    assert found.refusal == (
        "The original cannot be run: it has line ends that may end a statement."
    )


def test_functions_that_use_a_changed_constant_get_probes() -> None:
    before = "const MOST = 3;\nfunction f(a) {\n  return a > MOST ? 1 : 2;\n}\n"
    found = pair(before, before.replace("3", "1 + 2"))
    assert {(each["unit"], each["sort"]) for each in found.goals[0]} >= {
        ("f", "line"),
        ("f", "boundary"),
        ("f", "branch"),
    }
    program = read(
        "class A { x = 1; m() { return 1; } } const b = new A(); " + body("b;"), "javascript"
    )
    assert readers((program, program), {"A"}) == {"A", "A.m", "b", "f"}
    assert readers((program, program), {"f"}) == set()


@pytest.mark.parametrize(
    "parameters", ["x => x", "({ x }) => x", "([x]) => x", "(y, x = y) => x", "({ y: [x] }) => x"]
)
def test_parameters_of_each_form_may_be_null(parameters: str) -> None:
    found = pair(f"const f = {parameters} ?? 1;", f"const f = {parameters} || 1;")
    (goal,) = [each for each in found.goals[1] if each["sort"] == "null"]
    assert len(goal["any_of"]) > 2


def test_keys_of_tables_are_drawn() -> None:
    before = "const T = { red: 1, blue: 2 }; function f(a) { return T[a]; }"
    pool = pair(before, before.replace("2", "1 + 1")).job["shared"]["pool"]
    assert {"red", "blue"} <= set(pool["strings"])
