"""Messages of flows are plain, short, and contain no secret."""

from __future__ import annotations

import pytest
from codeintel_plugins.taint import TaintAnalyzer
from msgspec import UNSET

from codeintel.contracts import AnalyzerRequest, Model, Reported

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def messages(code: str, language: str) -> list[str]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, language, Model.PRO))
    return [output.finding.message for output in outputs if isinstance(output, Reported)]


def steps(code: str, language: str) -> list[str]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, language, Model.PRO))
    (finding,) = [output.finding for output in outputs if isinstance(output, Reported)]
    assert finding.flow is not UNSET
    return [step.message for step in finding.flow]


@pytest.mark.parametrize(
    ("code", "language", "message"),
    [
        (
            """const query = window.location.search;
document.getElementById("x").innerHTML = query;
""",
            "javascript",
            "Cross-site scripting (XSS): `query` from `window.location.search` reaches"
            ' `document.getElementById("x").innerHTML`.',
        ),
        (
            "panels.find((each) => each.id === id).element.innerHTML = location.hash;\n",
            "javascript",
            "Cross-site scripting (XSS): `location.hash` reaches `innerHTML`.",
        ),
        (
            """from flask import request
owner = request.args["owner"]
db.execute("SELECT * FROM pets WHERE owner = '" + owner + "'")
""",
            "python",
            'SQL injection: `owner` from `request.args["owner"]` reaches `db.execute()`.',
        ),
        (
            """from flask import request
requests.get(request.form["url"])
""",
            "python",
            'Server-side request forgery (SSRF): `request.form["url"]` (request data) reaches '
            "`requests.get()`.",
        ),
        (
            """@app.get("/run")
def run(command: str):
    os.system(command)
""",
            "python",
            "Command injection: `command` (a parameter of a request handler) reaches "
            "`os.system()`.",
        ),
        (
            "const { file } = req.query; fs.readFile(`/srv/${file}`, done);",
            "javascript",
            "Path traversal: `file` (request data) reaches `fs.readFile()`.",
        ),
        (
            "<?php $id = $_GET['id']; mysqli_query($db, \"SELECT * FROM t WHERE id = $id\");",
            "php",
            "SQL injection: `$id` from `$_GET['id']` reaches `mysqli_query()`.",
        ),
    ],
)
def test_messages_name_the_variable_the_source_and_the_call(
    code: str, language: str, message: str
) -> None:
    assert messages(code, language) == [message]


def test_a_long_message_has_no_long_code() -> None:
    (message,) = messages(f"const {'a' * 300} = req.query.x; eval({'a' * 300});", "javascript")
    assert message == "Code injection: `req.query.x` reaches `eval()`."


def test_a_name_that_is_a_secret_is_not_repeated() -> None:
    messages = steps(f"<?php ${TOKEN} = $_GET['x']; system(${TOKEN});", "php")
    assert len(messages) >= 2
    assert TOKEN[:12] not in " ".join(messages)


def test_characters_that_turn_text_around_are_shown_as_codes() -> None:
    messages = steps("<?php $a\u202eb = $_GET['x']; system($a\u202eb);", "php")
    assert "\u202e" not in " ".join(messages)


def test_long_names_are_cut() -> None:
    name = "a" * 5_000
    messages = steps(f"exec({name}); const {name} = req.query.x; eval({name});", "javascript")
    assert max(map(len, messages)) <= 120


def test_an_assignment_to_the_sink_is_no_step() -> None:
    code = "const text = location.hash;\npanel.innerHTML = text;\n"
    assert steps(code, "javascript") == [
        "data from the page URL",
        "assigned to text",
        "reaches the page",
    ]
