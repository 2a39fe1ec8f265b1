"""Read the code to send, reject early what the service would reject, and write results."""

from __future__ import annotations

import codecs
import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, NamedTuple

from codeintel.cli.output import write
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS, MAX_PROMPT_CHARACTERS
from codeintel.server.opening import Failure

STDIN = "-"
STDIN_NAME = "<stdin>"
_MAX_BYTES = 4 * MAX_CODE_CHARACTERS + len(codecs.BOM_UTF8)


class SourceFile(NamedTuple):
    """A file: its code without a byte order mark, and all its bytes."""

    code: str
    data: bytes


def read_code(file: str) -> SourceFile:
    """Return the code of a file, or of standard input for `-`. Line endings are kept.

    :raises Failure: if the code cannot be read or is too long.
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
            "Convert the file first, for example with `iconv -f latin1 -t utf-8`."
        ) from None
    if len(code) > MAX_CODE_CHARACTERS:
        raise Failure(_too_long(name, len(code)))
    if not code.strip():
        raise Failure(f"{name} is empty.")
    return SourceFile(code, data)


def check_prompt(prompt: str | None) -> None:
    """Reject a prompt that is too long.

    :raises Failure: if the prompt is longer than the service accepts.
    """
    if prompt is not None and len(prompt) > MAX_PROMPT_CHARACTERS:
        raise Failure(
            f"The prompt has {len(prompt):,} characters. The limit is {MAX_PROMPT_CHARACTERS:,}. "
            "Shorten it."
        )


def _too_long(name: str, characters: int | None = None) -> str:
    size = f"{characters:,}" if characters is not None else "too many"
    return (
        f"{name} has {size} characters. The limit is {MAX_CODE_CHARACTERS:,}. Analyze it in parts, "
        "or push its folder with `codeintel push`."
    )


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return _read(stream)
    except IsADirectoryError:
        raise Failure(
            f"{path} is a folder. Name a file, or analyze the folder with `codeintel push {path} "
            "--wait`."
        ) from None
    except FileNotFoundError:
        raise Failure(f"{path} does not exist.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure(f"Cannot read {path}: {reason}.") from None


def _read_stdin() -> bytes:
    stream = sys.stdin.buffer
    if stream.isatty():
        write("Reading code from the terminal. Press Ctrl+D to end.\n", err=True)
    return _read(stream)


def _read(stream: BinaryIO) -> bytes:
    """Read one byte more than the limit, to notice longer input."""
    return stream.read(_MAX_BYTES + 1)


def shown_path(file: str) -> str:
    """Return the path to show: relative to the current folder, if the file is below it."""
    if file == STDIN:
        return STDIN_NAME
    try:
        return str(Path(os.path.normpath(Path.cwd() / file)).relative_to(Path.cwd()))
    except (OSError, ValueError):
        return file


def sent_name(file: str) -> str | None:
    """Return the name that the service stores, or None for standard input.

    A path outside the current folder is shortened to the file's name, because full paths contain
    the names of people and machines.
    """
    if file == STDIN:
        return None
    shown = shown_path(file)
    return Path(shown).name if Path(shown).is_absolute() or ".." in Path(shown).parts else shown


def check_writable(path: Path) -> None:
    """Reject an output file in a missing or read-only folder before the analysis.

    :raises Failure: if the file cannot be created.
    """
    folder = path.parent
    if not folder.is_dir():
        raise Failure(f"Cannot write {path}: the folder {folder} does not exist.")
    if not os.access(folder, os.W_OK):
        raise Failure(f"Cannot write {path}: the folder {folder} is read-only.")


def replace_file(path: Path, data: bytes) -> None:
    """Replace the content of a file atomically. Its permissions are kept.

    :raises Failure: if the file cannot be written. It is unchanged then.
    """
    target = path.resolve()  # write to the target of a link
    try:
        if target.exists() and not target.is_file():  # such as /dev/null
            target.write_bytes(data)
            return
        mode = target.stat().st_mode if target.exists() else None
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
            Path(name).chmod(mode & 0o7777 if mode is not None else 0o666 & ~_umask())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink()
            raise
    except OSError as error:
        raise Failure(f"Cannot write {path}: {error.strerror}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
