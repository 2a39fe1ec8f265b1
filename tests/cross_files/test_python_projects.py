"""Values that cross the files of a Python project: the path of a finding, and safe twins."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET
from projects import linked, places, summaries_of

from codeintel.contracts import Confidence, Finding, StepKind
from codeintel.engine.dataflow.project import Linked, finding_of, summary_kind

VIEW = """\
from flask import request
from store import find

def view():
    name = request.args["name"]
    return find(name)
"""
STORE = """\
import sqlite3

def find(name):
    cursor = sqlite3.connect("x").cursor()
    cursor.execute("SELECT * FROM t WHERE name = '" + name + "'")
"""


def test_a_finding_is_in_the_file_of_its_sink_and_its_path_names_the_others() -> None:
    result = linked({"view.py": VIEW, "store.py": STORE})
    (found,) = result.findings
    finding = finding_of(found)
    assert (found.path, finding.rule_id, finding.engine) == ("store.py", "taint-sql", "taint")
    assert finding.range.start_line == 5
    assert finding.flow is not UNSET
    steps = [(step.path or "store.py", step.range.start_line, step.kind) for step in finding.flow]
    assert steps == [
        ("view.py", 5, StepKind.SOURCE),
        ("view.py", 5, StepKind.STEP),
        ("view.py", 6, StepKind.STEP),
        ("store.py", 3, StepKind.STEP),
        ("store.py", 5, StepKind.SINK),
    ]
    assert finding.flow[2].message == "passed to find() as name"
    assert "in view.py reaches `cursor.execute()`" in finding.message
    assert finding.confidence is Confidence.HIGH
    assert msgspec.json.decode(msgspec.json.encode(finding), type=Finding) == finding
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(result), type=Linked) == result


def test_a_path_back_into_the_file_of_the_sink_has_no_path_there() -> None:
    files = {
        "a.py": "import os\nimport b\n\ndef view():\n    os.system(b.value())\n",
        "b.py": "from flask import request\n\ndef value():\n    return request.args['x']\n",
    }
    (found,) = linked(files).findings
    flow = finding_of(found).flow
    assert flow is not UNSET
    assert [step.path or "" for step in flow] == ["b.py", "", ""]


def test_what_one_file_reports_is_not_repeated() -> None:
    both = VIEW + "\n\ndef other(name):\n    find(name)\n"
    both += "    import os\n    os.system(request.args['x'])\n"
    found = linked({"view.py": both, "store.py": STORE}).findings
    assert [each.sink for each in found] == ["sql"]
    alone = summaries_of({"view.py": both})["view.py"].reported
    assert [each.sink for each in alone] == ["command"]


def test_the_summary_depends_on_no_path() -> None:
    one, other = (summaries_of({path: STORE})[path] for path in ("store.py", "deep/in/x.py"))
    assert one == other


SAFE = {
    "a bound parameter": STORE.replace(
        '"SELECT * FROM t WHERE name = \'" + name + "\'"',
        '"SELECT * FROM t WHERE name = ?", (name,)',
    ),
    "a number": STORE.replace("def find(name):\n", "def find(name):\n    name = int(name)\n"),
    "a typed parameter": STORE.replace("(name):", "(name: int):"),
    "an allowlist": STORE.replace(
        "def find(name):\n", "def find(name):\n    if name not in ('a', 'b'):\n        return\n"
    ),
    "an unused parameter": STORE.replace("+ name +", "+ 'x' +"),
}


@pytest.mark.parametrize("case", SAFE)
def test_safe_callees_give_no_finding(case: str) -> None:
    assert places({"view.py": VIEW, "store.py": SAFE[case]}) == []


WRAPPERS = {
    "sanitizes": ("import shlex\n\ndef clean(x):\n    return shlex.quote(x)\n", False),
    "returns": ("def clean(x):\n    return x.strip()\n", True),
    "drops": ("def clean(x):\n    return 'fixed'\n", False),
    "looks up": ("NAMES = {'a': 'b'}\n\ndef clean(x):\n    return int(x)\n", False),
}


@pytest.mark.parametrize("case", WRAPPERS)
def test_wrappers_in_other_files_are_judged_by_what_they_return(case: str) -> None:
    wrapper, harms = WRAPPERS[case]
    files = {
        "wrap.py": wrapper,
        "run.py": "import os\n\ndef run(x):\n    os.system('ls ' + x)\n",
        "view.py": (
            "from flask import request\nfrom wrap import clean\nfrom run import run\n\n"
            "def view():\n    run(clean(request.args['x']))\n"
        ),
    }
    assert places(files) == (["command run.py:4"] if harms else [])


KINDS = {
    ("a.py", "python"): "python",
    ("a.rs", "rust"): "",
    ("a.html", ""): ".html",
    ("a.blade.php", "php"): ".blade.php",
    ("a.php", "php"): "php",
    ("a.txt", ""): "",
}


@pytest.mark.parametrize("case", KINDS)
def test_the_kind_of_a_summary_depends_on_the_language_or_the_template(
    case: tuple[str, str],
) -> None:
    assert summary_kind(*case) == KINDS[case]
