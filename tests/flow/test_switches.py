"""Values through switches: constant labels tell which value it is, `break` ends only the switch."""

from __future__ import annotations

import pytest

from codeintel.engine.dataflow.origins import interpret
from codeintel.engine.dataflow.tree import parse

JAVA = """\
class A extends HttpServlet {
    protected void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception {
        String x = req.getParameter("x");
@@
    }
}
"""
CSHARP = """\
public class A : Controller {
    [HttpGet]
    public IActionResult Get(string x) {
@@
    }
}
"""
JAVASCRIPT = """\
const { exec } = require("child_process");
app.get("/", (req, res) => {
const x = req.query.x;
@@
});
"""
EXEC = "Runtime.getRuntime().exec({});"
START = "Process.Start({});"


def reaches(language: str, frame: str, body: str) -> bool:
    """Return whether the parameter reaches a command."""
    found = interpret(parse(frame.replace("@@", body), language), language).hits.values()
    return any(hit.sink.class_ == "command" for hit in found)


@pytest.mark.parametrize(
    ("body", "reached"),
    [
        ('switch (x) { case "a": case "b": break; default: throw new E(); } ' + EXEC.format("x"),
         False),
        ('switch (x) { case "a": break; default: log(); } ' + EXEC.format("x"), True),
        ('switch (x) { case "a": ' + EXEC.format("x") + " break; }", False),
        ("switch (x) { case \"a\": log(); break; default: " + EXEC.format("x") + " }", True),
        ('String c; switch (y) { case 1: c = x; break; default: c = "ls"; } ' + EXEC.format("c"),
         True),
        ('String c = switch (x) { case "a" -> "ls"; default -> "df"; }; ' + EXEC.format("c"),
         False),
        ('String c = switch (x) { case "a" -> "ls"; default -> x; }; ' + EXEC.format("c"), True),
        ('String c = switch (x) { case "a" -> { yield x; } default -> "df"; }; '
         + EXEC.format("c"), False),
        ('switch (x) { case "a" -> log(); default -> throw new E(); } ' + EXEC.format("x"), False),
    ],
)  # fmt: skip
def test_java(body: str, reached: bool) -> None:
    assert reaches("java", JAVA, body) is reached


@pytest.mark.parametrize(
    ("body", "reached"),
    [
        ('switch (x) { case "a": break; default: return NotFound(); } ' + START.format("x"), False),
        ('switch (x) { case string s: break; default: return Ok(); } ' + START.format("x"), True),
        ('var c = x switch { "a" => "ls", _ => "df" }; ' + START.format("c"), False),
        ('var c = x switch { "a" => "ls", _ => x }; ' + START.format("c"), True),
        ('var c = x switch { "a" or "b" => x, _ => "df" }; ' + START.format("c"), False),
    ],
)  # fmt: skip
def test_csharp(body: str, reached: bool) -> None:
    assert reaches("csharp", CSHARP, body) is reached


@pytest.mark.parametrize(
    ("body", "reached"),
    [
        ('switch (x) { case "a": break; default: return; } exec(x);', False),
        ('let c; switch (y) { case 1: c = x; break; default: c = "ls"; } exec(c);', True),
        ('switch (true) { case x > 1: exec(x); }', True),
    ],
)  # fmt: skip
def test_javascript(body: str, reached: bool) -> None:
    assert reaches("javascript", JAVASCRIPT, body) is reached


def test_many_ways_end() -> None:
    cases = " ".join(f'case "{number}": log(); break;' for number in range(2000))
    assert reaches("java", JAVA, f"switch (x) {{ {cases} }} {EXEC.format('x')}")
