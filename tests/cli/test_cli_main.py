"""The group: what it lists, and what it must not import."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import click
import pytest
from click.testing import CliRunner

from codeintel import __version__
from codeintel.cli import _COMMANDS, BROKEN_PIPE, main


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert result.stdout == f"codeintel, version {__version__}\n"


@pytest.mark.parametrize("arguments", [["nope"], ["--nope"], ["accounts", "nope"]])
def test_what_does_not_exist(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "No such" in result.stderr


@pytest.mark.parametrize("name", sorted(_COMMANDS))
def test_the_list_says_what_the_command_says(name: str) -> None:
    if find_spec(_COMMANDS[name][0].partition(":")[0]) is None:
        pytest.skip(f"{name} does not exist yet")
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str(limit=100) == _COMMANDS[name][1]
    assert f"{name}  " in CliRunner().invoke(main, ["--help"]).stdout


@pytest.mark.parametrize("name", ["accounts", "credits", "keys"])
def test_groups_describe_their_commands(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert "Commands:" in result.stdout


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["analyze", "--help"], ["analyze", "missing.py"]]
)
def test_the_client_needs_no_server_libraries(arguments: list[str]) -> None:
    program = (
        "import sys\n"
        "from codeintel.cli import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "finally:\n"
        "    heavy = {'flask', 'sqlalchemy', 'gevent'} & set(sys.modules)\n"
        "    print(sorted(heavy), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=60
    )
    assert done.stderr.endswith("[]\n")


@pytest.mark.parametrize("arguments", [["--help"], ["analyze", "--help"], ["openapi"]])
def test_a_reader_that_leaves_ends_a_command_quietly(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-c", "from codeintel.cli import main; main()", *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["analize"], 'No such command "analize". Did you mean "analyze"?'),
        (["trust", "explian"], 'No such command "explian". Did you mean "explain"?'),
        (["keys", "creat"], "Did you mean 'create'?"),
        (["analyze", "a.py", "--modl", "pro"], "Did you mean '--model'?"),
        (["analyze", "a.py", "--model", "prox"], 'Did you mean "pro"?'),
        (["accounts", "create", "a@b", "--tier", "tem"], 'Did you mean "TEAM"?'),
        (["accounts", "create", "a@b", "--tier", "zzz"], "'pro', 'team'.\n"),
    ],
)
def test_mistyped_names_get_a_suggestion(arguments: list[str], told: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_british_users_analyse() -> None:
    """The help lists one spelling."""
    analyse = CliRunner().invoke(main, ["analyse", "--help"])
    assert analyse.exit_code == 0
    assert "Analyze FILE" in analyse.stdout
    assert "analyse" not in CliRunner().invoke(main, ["--help"]).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell: str) -> None:
    environment = {"_CODEINTEL_COMPLETE": f"{shell}_source"}
    made = CliRunner(env=environment).invoke(main, prog_name="codeintel")
    assert "_CODEINTEL_COMPLETE" in made.stdout
    words = {"_CODEINTEL_COMPLETE": f"{shell}_complete", "COMP_WORDS": "codeintel an"}
    asked = CliRunner(env={**words, "COMP_CWORD": "1" if shell != "fish" else "an"})
    assert "analyze" in asked.invoke(main, prog_name="codeintel").stdout
