"""Reading the code to send, and refusing early what the service would refuse."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path
from typing import BinaryIO, NamedTuple

from codeintel.cli.common import write
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS, MAX_PROMPT_CHARACTERS
from codeintel.server.opening import Failure

STDIN = "-"
STDIN_NAME = "<stdin>"
_MAX_BYTES = 4 * MAX_CODE_CHARACTERS + len(codecs.BOM_UTF8)


class Source(NamedTuple):
    """A file: its code, without a byte order mark, which is no part of it, and all its bytes."""

    code: str
    data: bytes


def read_code(file: str) -> Source:
    """The code in a file, or on standard input for `-`. Line ends stay as they are.

    :raises Failure: if it cannot be read or sent.
    """
    name = STDIN_NAME if file == STDIN else file
    data = _read_stdin() if file == STDIN else _read_file(Path(file))
    if len(data) > _MAX_BYTES:
        raise Failure(_too_long(name))
    try:
        code = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Failure(
            f"{name} is not UTF-8 text: line {line} has the byte 0x{data[error.start]:02x}. "
            "Convert it first, for example with `iconv -f latin1 -t utf-8`."
        ) from None
    if len(code) > MAX_CODE_CHARACTERS:
        raise Failure(_too_long(name, len(code)))
    if not code.strip():
        raise Failure(f"{name} is empty: there is nothing to send.")
    return Source(code, data)


def check_prompt(prompt: str | None) -> None:
    """:raises Failure: if the prompt is longer than the service takes."""
    if prompt is not None and len(prompt) > MAX_PROMPT_CHARACTERS:
        raise Failure(
            f"The prompt has {len(prompt):,} characters, the service takes at most "
            f"{MAX_PROMPT_CHARACTERS:,}: shorten it."
        )


def _too_long(name: str, characters: int | None = None) -> str:
    size = f"{characters:,}" if characters is not None else "too many"
    return (
        f"{name} has {size} characters, the service takes at most {MAX_CODE_CHARACTERS:,} at once: "
        "send it in parts."
    )


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return _read(stream)
    except IsADirectoryError:
        raise Failure(f"{path} is a directory: name a file in it, one at a time.") from None
    except FileNotFoundError:
        raise Failure(f"There is no file {path} here: check the path.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure(f"{path} cannot be read: {reason}.") from None


def _read_stdin() -> bytes:
    stream = sys.stdin.buffer
    if stream.isatty():
        write("Reading code from the terminal; end it with Ctrl-D.\n", err=True)
    return _read(stream)


def _read(stream: BinaryIO) -> bytes:
    """As much as could be analyzed, and a byte more to tell that there is more."""
    return stream.read(_MAX_BYTES + 1)
