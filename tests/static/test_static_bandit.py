from __future__ import annotations

import ast
import sys

import pytest
from codeintel_plugins.python import bandit_visitor
from codeintel_plugins.python.bandit import BanditAnalyzer
from static_helpers import findings, is_within, notes, rules, run, text_at
from static_samples import BAD_MODULE

BANDIT = BanditAnalyzer()


def place_of(rule_id: str, code: str) -> str:
    (found,) = [f for f in findings(run(BANDIT, code)) if f.rule_id == rule_id]
    assert is_within(found.range, code)
    return text_at(found.range, code)


def test_a_bad_module() -> None:
    outputs = run(BANDIT, BAD_MODULE)
    assert rules(outputs) == {"B113", "B306", "B501"}
    assert notes(outputs) == []
    for found in findings(outputs):
        assert is_within(found.range, BAD_MODULE)
        assert found.cwe is not None
        assert found.engine == "bandit"


@pytest.mark.parametrize(
    ("rule_id", "code", "text"),
    [
        ("B306", "s = 'é𝄞'; tempfile.mktemp()\n", "tempfile.mktemp()"),
        ("B306", "\ufefftempfile.mktemp()\r\n", "tempfile.mktemp()"),
        ("B306", "a = 1\rtempfile.mktemp(\r  'x')", "tempfile.mktemp(\n  'x')"),
        ("B306", "# -*- coding: latin-1 -*-\ns = 'é'; tempfile.mktemp()\n", "tempfile.mktemp()"),
        ("B306", "# -*- coding: nonsense -*-\ntempfile.mktemp()\n", "tempfile.mktemp()"),
        ("B306", "tempfile.mktemp()  # nosec\n", "tempfile.mktemp()"),
        ("B501", "import requests as r\nr.get(\n  a,\n  verify=False,\n)\n",
         "r.get(\n  a,\n  verify=False,\n)"),
        ("B503", "import ssl\ndef f(\n    é='', v=ssl.PROTOCOL_SSLv3,\n):\n    '''é'''\n    g()\n",
         "def f(\n    é='', v=ssl.PROTOCOL_SSLv3,\n):"),
        ("B613", "x = 1\n# é \u202e reversed\n", "\u202e"),
        ("B613", "# coding: latin-1\n# \u2066\n", "\u2066"),
    ],
)  # fmt: skip
def test_places(rule_id: str, code: str, text: str) -> None:
    assert place_of(rule_id, code) == text


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def f(:\n", f"does not parse as Python 3.{sys.version_info.minor}"),
        ("x = 1\x00", "does not parse"),
        ("(" * 10_000, "nested too deeply"),
        ("1+" * 20_000 + "1", "nested too deeply"),
        ("not " * 20_000 + "1", "nested too deeply"),
    ],
)
def test_what_cannot_be_checked_is_said(code: str, words: str) -> None:
    outputs = run(BANDIT, code)
    assert findings(outputs) == []
    assert words in notes(outputs)[0]


def test_what_was_found_before_it_got_too_deep_is_kept() -> None:
    outputs = run(
        BANDIT, "tempfile.mktemp()\ny = " + "a(" * 120 + ")" * 120 + "\nz = 1" + " + 1" * 990 + "\n"
    )
    assert rules(outputs) == {"B306"}
    if notes(outputs):  # how deep is too deep depends on the stack that pytest leaves
        assert "only a part" in notes(outputs)[0]


def test_warnings_about_the_code_stay_in(recwarn: pytest.WarningsRecorder) -> None:
    run(BANDIT, "x = '\\d'\n")
    assert not recwarn.list


@pytest.mark.parametrize("code", [BAD_MODULE, "assert x\n" * 2_000], ids=["all of it", "cut short"])
def test_nothing_of_the_code_stays_in_memory(code: str) -> None:
    run(BanditAnalyzer(), code)
    for node in ast.walk(ast.parse("x = not (a and b + c < d)")):
        assert not [name for name in vars(node) if "bandit" in name], ast.dump(node)


def test_too_many_findings_are_cut_with_a_note() -> None:
    outputs = run(BANDIT, "tempfile.mktemp()\n" * 2_100)
    assert len(findings(outputs)) == 2_000
    assert "dropped" in notes(outputs)[0]


def test_a_test_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_test(context: object) -> None:  # noqa: ARG001
        raise KeyError("no")

    broken_test._test_id = "B999"  # type: ignore[attr-defined]
    tests = bandit_visitor.prepare()
    monkeypatch.setitem(tests.tests, "Call", [*tests.tests["Call"], broken_test])
    outputs = run(BANDIT, "tempfile.mktemp()\n")
    assert rules(outputs) == {"B306"}
    assert "broken_test" in notes(outputs)[0]


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess\nsubprocess.run(['ls', '-l'])\n",
        "import random\nprint(random.randint(1, 6))\n",
        "import hashlib\nhashlib.md5(b'etag')\n",
        "from Crypto.Cipher import AES\nAES.new(key, AES.MODE_GCM)\n",
        "from ftplib import FTP_TLS\nFTP_TLS(host)\n",
        "import yaml\nyaml.load(x, Loader=yaml.CSafeLoader)\n",
        "token_type = 'bearer'\npassword = ''\nassert token_type\n",
        "try:\n    f()\nexcept KeyError:\n    pass\n",
        "q = 'select ' + x\n",
        "open('/tmp/report')\n",
    ],
)
def test_harmless_code_is_not_suspected(code: str) -> None:
    assert findings(run(BANDIT, code)) == []
