"""The hook that checks the subjects of commits, and the hooks that run with it."""

from __future__ import annotations

from configparser import ConfigParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / ".ci" / "commit_subject.py"


def script() -> Any:
    """Return the script as a module."""
    spec = spec_from_file_location("commit_subject", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


problems = script().problems


@pytest.mark.parametrize(
    "message",
    [
        "Add a hook\n",
        "Add a hook\n\nIt ended with a full stop. Why not.\n",
        "Pass what was read on",
        "Process jobs in turn",
        "Need less memory for large files",
        "Bring back the second reader",
        "C++: follow values through moves",
        "Tests: tell the loop the time",
        "Do what C's table says, and no more",
        "Run, then compare",
        "A" * 72,
        "\n# A comment of Git's\nAdd a hook\n# another\n",
        "Add a hook\n# ------------------------ >8 ------------------------\nThe difference.\n",
        "fixup! The subject of another commit, however it is written and however long it is.",
    ],
)
def test_a_good_message_is_left_alone(message: str) -> None:
    assert list(problems(message)) == []


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "there is no subject"),
        ("# only a comment\n", "there is no subject"),
        ("Tests:", "`Tests:` is no verb"),
        ("A" * 73, "73 characters, 72 are the most"),
        ("Add a hook.", "full stop"),
        ("Add a hook\nand say why", "the line below the subject is not empty"),
        ("add a hook", "capital letter"),
        ("`x` is found", "capital letter"),
        ("Added a hook", "`Added` is no verb"),
        ("Adding a hook", "`Adding` is no verb"),
        ("Adds a hook", "`Adds` is no verb"),
        ("The hook", "`The` is no verb"),
        ("New: a hook", "`a` is no verb"),
        ("Rules about paths", "`Rules` is no verb"),
        ("Tests: fixed the clock", "`fixed` is no verb"),
    ],
)
def test_a_bad_message_is_refused_with_the_reason(message: str, problem: str) -> None:
    told = "; ".join(problems(message))
    assert problem in told


def test_all_that_is_wrong_is_told_at_once() -> None:
    assert len(list(problems(f"Added {'x' * 72}.\nmore"))) == 4


@pytest.mark.parametrize(("subject", "status"), [("Add a hook", 0), ("Added a hook", 1)])
def test_git_is_told_by_the_exit_status(subject: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "message").write_text(subject)
    done = script().main([str(tmp_path / "message")])
    assert (done is not None) == bool(status)


def hooks() -> list[dict[str, Any]]:
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [each["repo"] for each in repositories] == ["local"], "hooks that are downloaded"
    return [hook for each in repositories for hook in each["hooks"]]


def test_hooks_run_what_the_extras_install() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    installed = setup["options"]["install_requires"] + setup["options.extras_require"]["test"]
    for hook in hooks():
        assert hook["language"] == "system"
        program, *arguments = hook["entry"].split()
        if program == "python":
            assert (ROOT / arguments[0]).is_file()
        else:
            assert f"\n{program} " in installed, program


def test_hooks_do_what_ci_does() -> None:
    ci = (ROOT / ".ci" / "run").read_text()
    style = ci.partition('step "style"')[2].partition('step "unit')[0]
    for hook in hooks():
        if hook["entry"].split()[0] != "python":
            assert hook["entry"].split(" --")[0] in style, hook["id"]
