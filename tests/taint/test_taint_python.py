"""The ways of values through Python, by what carries them and by what stops them."""

from __future__ import annotations

import pytest
from codeintel_plugins.taint import TaintAnalyzer
from msgspec import UNSET

from codeintel.contracts import AnalyzerRequest, Finding, Model, Reported, StepKind

HEAD = """\
import os, re, shlex, subprocess
from flask import Flask, request, redirect, abort
app = Flask(__name__)
ALLOWED = {"a": "one", "b": "two"}
BASE = "/srv/files/"
"""

CARRIED = {
    "at once": 'os.system(request.args["x"])',
    "a variable": 'x = request.args["x"]\nos.system(x)',
    "two variables": 'x = request.args["x"]\ny = x\nos.system(y)',
    "an f-string": 'x = request.args["x"]\nos.system(f"ls {x}")',
    "percent": 'x = request.args["x"]\nos.system("ls %s" % x)',
    "a percent tuple": 'x = request.args["x"]\nos.system("ls %s %s" % ("a", x))',
    "format": 'x = request.args["x"]\nos.system("ls {}".format(x))',
    "concatenation": 'x = request.args["x"]\nos.system("ls " + x + " -l")',
    "augmented assignment": 'c = "ls "\nc += request.args["x"]\nos.system(c)',
    "join": 'x = request.args["x"]\nos.system(" ".join(["ls", x]))',
    "a method": 'x = request.args["x"].strip().lower()\nos.system(x)',
    "a list": 'xs = []\nxs.append(request.args["x"])\nos.system(xs[0])',
    "a dictionary": 'd = {"k": request.args["x"]}\nos.system(d["k"])',
    "a key set later": 'd = {}\nd["k"] = request.args["x"]\nos.system(d.get("k"))',
    "unpacking": 'a, b = request.args["x"], "c"\nos.system(a)',
    "a loop": 'for x in request.args.getlist("x"):\n    os.system(x)',
    "a comprehension": 'os.system(" ".join([x for x in request.args.getlist("x")]))',
    "one branch": 'c = "ls"\nif y:\n    c = request.args["x"]\nos.system(c)',
    "a conditional": 'c = request.args["x"] if y else "ls"\nos.system(c)',
    "or": 'c = request.args.get("x") or "ls"\nos.system(c)',
    "a walrus": 'if (c := request.args["x"]):\n    os.system(c)',
    "with": 'with open(BASE) as f:\n    c = request.args["x"]\nos.system(c)',
    "try": 'try:\n    c = request.args["x"]\nexcept KeyError:\n    c = "ls"\nos.system(c)',
    "a None check": 'c = request.args.get("x")\nif c is None:\n    abort(400)\nos.system(c)',
    "an emptiness check": 'c = request.args.get("x")\nif not c:\n    abort(400)\nos.system(c)',
    "a weak check": 'c = request.args["x"]\nif c.startswith("http"):\n    os.system(c)',
    "an attribute": 'app.last = request.args["x"]\nos.system(app.last)',
    "a lambda": 'go = lambda c: os.system(c)\ngo(request.args["x"])',
}

STOPPED = {
    "a constant": 'os.system("ls")',
    "a constant variable": 'c = "ls"\nos.system(c)',
    "a number": 'os.system("ls %d" % int(request.args["x"]))',
    "quoting": 'os.system("ls " + shlex.quote(request.args["x"]))',
    "another variable": 'x = request.args["x"]\ny = "ls"\nos.system(y)',
    "a new value": 'x = request.args["x"]\nx = "ls"\nos.system(x)',
    "another key": 'd = {"k": request.args["x"], "c": "ls"}\nos.system(d["c"])',
    "a list of the allowed": (
        'x = request.args["x"]\nif x not in ALLOWED:\n    abort(400)\nos.system(x)'
    ),
    "a list, positive": 'x = request.args["x"]\nif x in ("a", "b"):\n    os.system(x)',
    "a table": 'os.system(ALLOWED[request.args["x"]])',
    "a table with default": 'os.system(ALLOWED.get(request.args["x"], "one"))',
    "a pattern": (
        'x = request.args["x"]\n'
        'if not re.fullmatch(r"[a-z]+", x):\n    abort(400)\nos.system(x)'
    ),
    "an equality": 'x = request.args["x"]\nif x == "up":\n    os.system("go " + x)',
    "letters and digits": (
        'x = request.args["x"]\nif not x.isalnum():\n    raise ValueError\nos.system(x)'
    ),
    "an argument list": 'subprocess.run(["ls", request.args["x"]])',
    "a comparison": 'os.system("yes" if request.args["x"] == "1" else "no")',
    "after a return": 'return "no"\nos.system(request.args["x"])',
    "a length": 'os.system("head -n %s" % len(request.args["x"]))',
}  # fmt: skip


def taint(code: str) -> list[Finding]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, "python", Model.PRO))
    return [output.finding for output in outputs if isinstance(output, Reported)]


def handler(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f'{HEAD}\n@app.route("/")\ndef view():\n{lines}'


def rules(code: str) -> set[str]:
    return {finding.rule_id for finding in taint(code)}


@pytest.mark.parametrize("name", CARRIED)
def test_values_are_followed_through(name: str) -> None:
    assert "taint-command" in rules(handler(CARRIED[name]))


@pytest.mark.parametrize("name", STOPPED)
def test_values_are_stopped_by(name: str) -> None:
    assert "taint-command" not in rules(handler(STOPPED[name]))


ACROSS = {
    "an argument": """
def go(command):
    os.system(command)

@app.route("/")
def view():
    go(request.args["x"])
""",
    "a returned value": """
def wanted():
    return request.args["x"]

@app.route("/")
def view():
    os.system(wanted())
""",
    "both ways": """
def build(name):
    return "ls " + name

@app.route("/")
def view():
    os.system(build(request.args["x"]))
""",
    "a keyword": """
def go(first, command="ls"):
    os.system(command)

@app.route("/")
def view():
    go(1, command=request.args["x"])
""",
    "an object": """
class Job:
    def __init__(self, command):
        self.command = command

    def run(self):
        os.system(self.command)

@app.route("/")
def view():
    Job(request.args["x"]).run()
""",
    "a route's parameter": """
@app.route("/<name>")
def view(name):
    os.system("ls " + name)
""",
}


@pytest.mark.parametrize("name", ACROSS)
def test_values_are_followed_across_functions(name: str) -> None:
    assert "taint-command" in rules(HEAD + ACROSS[name])


def test_a_helper_that_is_given_constants_only_is_fine_even_beside_a_bad_call() -> None:
    code = (
        HEAD
        + """
def build(name):
    return "ls " + name

@app.route("/")
def view():
    os.system(build("a"))
    return build(request.args["x"])
"""
    )
    assert "taint-command" not in rules(code)


def test_the_way_is_shown_from_the_source_to_the_sink() -> None:
    code = (
        HEAD
        + """
def build(name):
    return "ls " + name

@app.route("/")
def view():
    wanted = request.args["x"]
    os.system(build(wanted))
"""
    )
    (finding,) = [each for each in taint(code) if each.rule_id == "taint-command"]
    assert finding.flow is not UNSET
    lines = [(step.kind, step.range.start_line) for step in finding.flow]
    assert lines[0] == (StepKind.SOURCE, 12)
    assert lines[-1] == (StepKind.SINK, 13)
    assert {kind for kind, _ in lines[1:-1]} == {StepKind.STEP}
    assert "build()" in " ".join(step.message for step in finding.flow)
    assert (finding.cwe, finding.range.start_line) == ("CWE-78", 13)


SINKS = {
    "taint-sql": 'db.execute("select * from t where a = \'" + x + "\'")',
    "taint-code": "eval(x)",
    "taint-path": "open(os.path.join(BASE, x))",
    "taint-url": "requests.get(x)",
    "taint-redirect": "return redirect(x)",
    "taint-html": 'return "<b>" + x',
    "taint-template": "render_template_string(x)",
    "taint-deserialize": "pickle.loads(x)",
    "taint-log": "logging.info(x)",
}


@pytest.mark.parametrize("rule", SINKS)
def test_each_class_of_sinks(rule: str) -> None:
    assert rule in rules(handler(f'x = request.args["x"]\n{SINKS[rule]}'))


CLEANED = {
    "taint-sql": 'db.execute("select * from t where a = ?", (x,))',
    "taint-path": "open(os.path.join(BASE, os.path.basename(x)))",
    "taint-redirect": 'return redirect(url_for("home", next=x))',
    "taint-html": 'return "<b>" + escape(x)',
    "taint-template": 'render_template_string("{{ x }}", x=x)',
}


@pytest.mark.parametrize("rule", CLEANED)
def test_each_class_has_its_own_cure(rule: str) -> None:
    assert rule not in rules(handler(f'x = request.args["x"]\n{CLEANED[rule]}'))


def test_a_resolved_path_is_checked_by_its_prefix() -> None:
    code = """
x = request.args["x"]
full = os.path.realpath(os.path.join(BASE, x))
{}
open(full)
"""
    assert "taint-path" in rules(handler(code.format("pass")))
    check = "if not full.startswith(BASE):\n    abort(403)"
    assert "taint-path" not in rules(handler(code.format(check)))


def test_hostile_size_ends_with_what_was_found() -> None:
    calls = "\n".join(f"    a{n} = f{n - 1}(a{n - 1}, a{n - 1})" for n in range(1, 2))
    functions = "\n".join(
        f"def f{n}(x, y):\n    return f{n - 1}(x, y) + f{n - 1}(y, x)" for n in range(1, 300)
    )
    code = f"{HEAD}\ndef f0(x, y):\n    return x + y\n{functions}\ndef v(a0):\n{calls}\n"
    assert taint(code) == []
