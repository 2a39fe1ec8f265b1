"""Lists of packages for the trust commands."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from codeintel.cli import main
from codeintel.cli.trust.cohort import read_targets
from codeintel.server.opening import Failure


def read(content: bytes, ecosystem: str = "") -> list[str]:
    return read_targets(BytesIO(content), ecosystem)


@pytest.mark.parametrize(
    ("content", "ecosystem", "keys"),
    [
        (b"", "", []),
        (b"\n  \n# kit\n  # pypi:kit\r\n", "", []),
        (b"\xef\xbb\xbfkit\npypi:Kit\n", "", ["npm:kit", "pypi:kit"]),
        (b"Kit_1\r\nb", "pypi", ["pypi:kit-1", "pypi:b"]),
        (b"pkg:npm/%40a/b@1.0.0", "", ["npm:@a/b@1.0.0"]),
    ],
)
def test_good_lists(content: bytes, ecosystem: str, keys: list[str]) -> None:
    assert read(content, ecosystem) == keys


def test_all_bad_lines_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Check that each invalid line has its error, that at most ten are listed, and that valid
    lines are not."""
    with pytest.raises(Failure, match="because 3 lines of <stdin> could not be read"):
        read(b"kit\n../x\n# no\n\xff\xfe\n" + b"y" * 300 + b"\n")
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("<stdin>, line 2: ../x: This is not a valid npm name. An example")
    assert told[1] == "<stdin>, line 4: \ufffd\ufffd: The line is not UTF-8."
    assert told[2].startswith(f"<stdin>, line 5: {'y' * 57}...: ")
    assert len(told) == 3
    with pytest.raises(Failure, match=r"12 lines of <stdin> could .* The first 10 are shown."):
        read(b"../x\n" * 12)
    assert len(capsys.readouterr().err.splitlines()) == 10
    with pytest.raises(Failure, match="1 line of <stdin> could not be read"):
        read(b"\x1b[2J\n")
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("command", [["refresh"], ["cohort", "build", "npm"]])
def test_nothing_is_done_for_a_bad_list(command: list[str]) -> None:
    """Check that the list is rejected before the database is opened, which is missing here."""
    Path("names").write_bytes(b"kit\n../x\n")
    result = CliRunner().invoke(main, ["trust", *command, "--from", "names"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "names, line 2: ../x: This is not a valid npm name" in result.stderr
    assert "Nothing was done, because 1 line of names could not be read" in result.stderr
