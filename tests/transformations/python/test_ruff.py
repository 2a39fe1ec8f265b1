"""Preserved text of the user, excluded rules, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from codeintel_plugins.transformations.python.ruff import RuffModernize, RuffOptimize, RuffRefactor
from hypothesis import HealthCheck, given, settings, strategies as st
from msgspec import UNSET

from codeintel.contracts import Rewrite, RewriteRequest, Transformation, Unsupported


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rewritten(
    code: str,
    way: type[Transformation] = RuffRefactor,
    without: tuple[str, ...] = (),
    **options: object,
) -> Rewrite:
    request = RewriteRequest(
        code=code, language="python", target="python", options=options, without=without
    )
    return way().rewrite(request)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(not a in b)\r\ng( )\r\n", "f(a not in b)\r\ng()\r\n"),
        ("\ufefff(not a in b)\n", "\ufefff(a not in b)\n"),
        ("f(not a in b)", "f(a not in b)"),
        ("f(not a in b)  # why\n", "f(a not in b)  # why\n"),
        ("x = '\u00e9\U0001f600'; f(not a in b)\n", 'x = "\u00e9\U0001f600"\nf(a not in b)\n'),
    ],
    ids=["line ends", "mark", "no last line end", "comment", "wide characters"],
)
def test_the_dress_of_a_text_is_kept(before: str, after: str) -> None:
    assert rewritten(before).code == after


@pytest.mark.parametrize("code", ["", "\n", "# only this\n", "x = 1\n", '"""Text."""\n'])
def test_there_may_be_nothing_to_do(code: str) -> None:
    assert rewritten(code) == Rewrite(code=code)


def test_a_fix_that_would_lose_a_comment_is_not_made() -> None:
    code = "if a:\n    # why\n    if b:\n        f()\n"
    assert rewritten(code).code.count("# why") == 1
    code = "x = dict(  # one\n    a=1,  # two\n)\n"
    result = rewritten(code).code
    assert "# one" in result
    assert "# two" in result


def test_each_change_has_its_rule_and_its_place_in_the_original() -> None:
    code = "import os\n\n\ndef f(a, b):\n    return not a in b\n"
    changes = {change.rule: change for change in rewritten(code, without=("format",)).changes}
    assert set(changes) == {"F401", "E713"}
    place = changes["E713"].range
    assert place is not UNSET
    assert (place.start_line, place.start_column, place.end_column) == (5, 12, 22)


@pytest.mark.parametrize("rule", ["E713", "F401", "format"])
def test_a_rule_can_be_left_out(rule: str) -> None:
    code = "import os\n\ndef f(a,b):\n    return not a in b\n"
    everything = {change.rule for change in rewritten(code).changes}
    assert everything == {"E713", "F401", "format"}
    left = {change.rule for change in rewritten(code, without=(rule, "I001")).changes}
    assert left == everything - {rule}


def test_what_the_author_wants_left_alone_is() -> None:
    code = "import os  # noqa: F401\n"
    assert rewritten(code).code == code


def test_the_oldest_python_counts() -> None:
    code = "from typing import List\n\n\ndef f(a: List[int]) -> None:\n    g(a)\n"
    assert "list[int]" in rewritten(code, RuffModernize).code
    assert rewritten(code, RuffModernize, pythonVersion="3.8").code == code
    # What checks the result could not read the newest syntax.
    newest = rewritten("from typing import TypeAlias\nX: TypeAlias = int\n", RuffModernize)
    assert "type X" not in newest.code


@pytest.mark.parametrize("way", [RuffModernize, RuffOptimize], ids=["modernize", "optimize"])
def test_what_need_not_change_is_not_formatted(way: type[Transformation]) -> None:
    code = "x = { 'a':1 }\n"
    assert rewritten(code, way).code == code


def test_only_the_place_that_cannot_be_proved_is_left() -> None:
    code = (
        "def f(a):\n    return '{} {}'.format(a, a.pop())\n\n\n"
        "def g(a):\n    return '{} {}'.format(a, a.name)\n"
    )
    result = rewritten(code, RuffModernize).code
    assert ".format(a, a.pop())" in result
    assert 'f"{a} {a.name}"' in result


@pytest.mark.parametrize(
    ("code", "line"),
    [("x = 1\nprint 'x'\n", 2), ("def f(:\n", 1), ("x = '\0'\n", 1), ("(" * 3_000, 1)],
    ids=["old", "broken", "zero", "deep"],
)
def test_what_is_no_python_is_refused_with_the_line(code: str, line: int) -> None:
    with pytest.raises(Unsupported, match=f"^line {line}: "):
        rewritten(code)


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "+".join(["a"] * 900) + "\n",
        "f(not a in b)\n" * 5_000,
        "x = [\n" + "    'some words',\n" * 5_000 + "]\n",
        "if a:\n    f()\n" + "elif b:\n    f()\n" * 300,
    ],
    ids=["sum", "many fixes", "long list", "elif"],
)
def test_large_code_gets_an_answer(code: str) -> None:
    result = rewritten(code, without=("format",))
    compile(result.code, "code", "exec")


_EXPRESSIONS = st.sampled_from(
    ["a", "not a in b", "a == None", "'%s' % (a,)", "'{}'.format(a)", "set([1, 2])", "dict()",
     "True if a else False", "a == 1 or a == 2", "list(sorted(b))", "[x for x in b]", "f(a)"]
)  # fmt: skip
_LINES = st.builds(
    lambda template, one, two: template.format(one, two),
    st.sampled_from(
        [
            "c = {}",
            "if {}:\n        c = {}\n    else:\n        c = 2",
            "if {}:\n        return {}\n    else:\n        c = 3",
            "c = []\n    for x in {}:\n        c.append({})",
            "for x in {}:\n        if {}:\n            return True",
            "try:\n        c = {}\n    except IOError:\n        pass",
            "return {}",
        ]
    ),
    _EXPRESSIONS,
    _EXPRESSIONS,
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    lines=st.lists(_LINES, min_size=1, max_size=4),
    way=st.sampled_from([RuffRefactor, RuffModernize, RuffOptimize]),
)
def test_a_second_time_changes_nothing(lines: list[str], way: type[Transformation]) -> None:
    code = "def g(a, b, c):\n    " + "\n    ".join(lines) + "\n"
    once = rewritten(code, way).code
    assert rewritten(once, way).code == once


def test_docstrings_are_formatted_unless_that_changes_what_an_example_prints() -> None:
    template = 'def f(a):\n    """{}Text.{}\n\n    >>> f(1)\n    {}\n    """\n    return  a\n'
    other = template.replace("f(", "g(")
    code = template.format(" ", " ", "1 ") + "\n\n" + other.format(" ", "", "1")
    expected = template.format(" ", "", "1 ") + "\n\n" + other.format("", "", "1")
    assert rewritten(code).code == expected.replace("return  a", "return a")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if a == 1 or a == 2:\n        g(3)", "if a in (1, 2):\n        g(3)"),
        ("if a == 1 or a == 'é':\n        g(3)", 'if a in (1, "é"):\n        g(3)'),
        ("if a != 1 and a != 2:\n        g(3)", "if a not in (1, 2):\n        g(3)"),
        (
            "if a == b or b == 2:\n        return True\n    return False",
            "return a == b or b == 2",
        ),
        (
            "if a.b or b == 2:\n        return True\n    return False",
            "return bool(a.b or b == 2)",
        ),
        ("if not b:\n        return False\n    return True", "return bool(b)"),
    ],
)
def test_what_ruff_says_is_worded_so_that_it_can_be_proved(before: str, after: str) -> None:
    head = "def f(a, b):\n    g(a)\n    "
    assert rewritten(f"{head}{before}\n").code == f"{head}{after}\n"


def test_a_template_is_not_numbered_halfway() -> None:
    code = "def f(a, b):\n    return '|{0}{1}|'.format(a, b)\n"
    result = rewritten(code, RuffModernize)
    assert result.code == 'def f(a, b):\n    return f"|{a}{b}|"\n'
    left = rewritten(code, RuffModernize, without=("UP032", "format"))
    assert left.code == code.replace("{0}{1}", "{}{}")
