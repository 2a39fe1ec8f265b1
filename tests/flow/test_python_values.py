"""Values in Python: comprehensions, paths, checks, arguments from frameworks."""

from __future__ import annotations

import pytest

from codeintel.engine.dataflow.origins import interpret
from codeintel.engine.dataflow.table import load_table
from codeintel.engine.dataflow.tree import parse
from codeintel.engine.dataflow.values import Kind

HEAD = "import os\nfrom pathlib import Path\nfrom flask import abort, request\nOK = {'a': 'ls'}\n"

PAIR = "def pair(args):\n    if args:\n        return 'ls', args['x']\n    return 'cd', ''\n"


def reached(code: str, kind: Kind = Kind.REMOTE) -> set[str]:
    """Return the classes of vulnerable sinks that a value of the kind reaches."""
    found = interpret(parse(code, "python"), "python")
    return {hit.sink.class_ for hit in found.hits.values() if hit.label.kind is kind}


@pytest.mark.parametrize(
    "body",
    [
        'os.system(" ".join([x for x in request.args.getlist("x")]))',
        'os.system(" ".join("-%s" % x for x in request.args.getlist("x")))',
        'd = {k: v for k, v in request.args.items()}\nos.system(d["x"])',
        'os.system({request.args["x"] for _ in OK}.pop())',
        'x = request.args["x"]\nif all(c != ";" for c in "abc"):\n    os.system(x)',
        'x = request.args["x"]\nif x.split()[0] in OK:\n    os.system(x)',
        'x = request.args["x"]\nlooks_bad(x)\nos.system(x)',
        'x, y = (request.args["x"], "ls") if OK else ("cd", "")\nos.system(x)',
        "x, y = pair(request.args)\nos.system(y)",
        'x = ["ls", request.args["x"]]\nos.system(x[1])',
        'x = request.get_json()\nif x["a"] in OK:\n    os.system(x["b"])',
        'x = request.get_json()\nif isinstance(x, dict):\n    os.system(x["b"])',
        'x = AnswerForm(request.form)\nif x.is_valid():\n    os.system(request.form["b"])',
        'x = urlsplit(request.args["x"])\nif x.path in OK:\n    os.system(x.query)',
    ],
)
def test_what_is_carried(body: str) -> None:
    assert reached(HEAD + PAIR + body) == {"command"}


@pytest.mark.parametrize(
    "body",
    [
        'os.system(" ".join(x for x in request.args.getlist("x") if x in OK))',
        'x = request.args["x"]\nif not all(c.isalnum() for c in x):\n    abort(400)\nos.system(x)',
        'x = request.args["x"]\nrefuse_bad(x)\nos.system(x)',
        'x = request.args["x"]\nif not among(x):\n    abort(400)\nos.system(x)',
        'x = request.args["x"]\nint(x)\nos.system(x)',
        'os.system(OK.get(request.args["x"], "ls"))',
        'x, y = ("ls", request.args["x"]) if OK else ("cd", "")\nos.system(x)',
        "x, y = pair(request.args)\nos.system(x)",
        'x = ["ls", request.args["x"]]\nos.system(x[0])',
        'x = urlsplit(request.args["x"])\nif x.netloc in OK:\n    os.system(x.query)',
    ],
)
def test_what_is_stopped(body: str) -> None:
    functions = (
        "def refuse_bad(x):\n    if x not in OK:\n        raise ValueError(x)\n"
        "def among(x):\n    if x == 'a':\n        return True\n    return x in OK\n"
    )
    assert reached(HEAD + PAIR + functions + body) == set()


def test_a_check_that_only_answers_refuses_nothing() -> None:
    check = "def check(x):\n    if x not in OK:\n        return False\n    return True\n"
    body = 'x = request.args["x"]\ncheck(x)\nos.system(x)'
    assert reached(HEAD + check + body) == {"command"}


def test_a_variable_of_the_module_may_be_checked_in_a_function() -> None:
    code = (
        'X = request.args["x"]\ndef go():\n    if X not in OK:\n        return\n    os.system(X)\n'
    )
    assert reached(HEAD + code) == set()
    assert reached(HEAD + code + "go()\nos.system(X)\n") == {"command"}


@pytest.mark.parametrize(
    ("body", "classes"),
    [
        ('p = Path("/srv") / request.args["x"]\np.read_text()', {"path"}),
        ('p = Path("/srv") / Path(request.args["x"]).name\np.read_text()', set()),
        ('p = Path(request.args["x"])\n(Path("/srv") / p.name).read_text()', set()),
        (
            'p = (Path("/srv") / request.args["x"]).resolve()\np.relative_to("/srv")\np.open()',
            set(),
        ),
        ('f = request.files["x"]\nopen("/srv/" + f.filename)', {"path"}),
        ('import zipfile\nzipfile.ZipFile(request.files["x"])', set()),
    ],
)
def test_paths(body: str, classes: set[str]) -> None:
    assert reached(HEAD + body) == classes


@pytest.mark.parametrize(
    ("code", "classes"),
    [
        ("@app.get('/x')\ndef f(name: str):\n    os.system(name)", {"command"}),
        ("@app.get('/x')\ndef f(number: int):\n    os.system(number)", set()),
        ("@app.route('/<int:number>')\ndef f(number):\n    os.system(number)", set()),
        ("@app.get('/x')\ndef f(name=Depends(current)):\n    os.system(name)", set()),
        ("class K(str, Enum):\n    A = 'a'\n@app.get('/')\ndef f(k: K):\n    os.system(k)", set()),
        ("class V:\n    def get(self, x):\n        os.system(request.args.get('x'))", {"command"}),
    ],
)
def test_parameters_of_handlers(code: str, classes: set[str]) -> None:
    assert reached(HEAD + code) == classes


@pytest.mark.parametrize(
    ("source", "classes"),
    [("request.get_json()", {"nosql"}), ("request.args", set()), ("request.form", set())],
)
def test_text_is_no_operator(source: str, classes: set[str]) -> None:
    code = f"from pymongo import MongoClient\nusers.find_one({{'name': {source}['name']}})"
    assert reached(HEAD + code) == classes


def test_a_signature_vouches_for_what_it_was_computed_from() -> None:
    code = (
        "import hmac, pickle\n"
        "data, mac = request.get_data(), request.headers['X-Mac']\n"
        "wanted = hmac.new(KEY, data, 'sha256').hexdigest()\n"
        "if not hmac.compare_digest(mac, wanted):\n    abort(403)\n"
        "pickle.loads(data)"
    )
    assert reached(HEAD + code) == set()
    unchecked = code.replace("not hmac.compare_digest(mac, wanted)", "not mac")
    assert reached(HEAD + unchecked) == {"deserialize"}


def test_entries_hold_only_where_their_library_is_used() -> None:
    table = load_table("python")
    assert table.within("import ldap3").sink_calls.find("conn.search")
    assert not table.within("import re").sink_calls.find("conn.search")
    assert table.within("import re") is table.within("import re, os")


def test_arguments_of_the_command_line_are_local() -> None:
    code = "import click, os\n@click.command()\n@click.argument('x')\ndef f(x):\n    os.system(x)"
    assert reached(code, Kind.LOCAL) == {"command"}
    assert reached(code) == set()
