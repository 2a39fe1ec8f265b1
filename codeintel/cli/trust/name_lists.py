"""Lists of names of packages, one a line; lines that begin with `#` are comments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from codeintel.cli import common


def names_in(ecosystem: str, file: Path) -> Iterator[str]:
    """The names in a file of protected ones, of which each must be right: one that is misread
    protects nothing.

    :raises click.BadParameter: if the file is not UTF-8, or a line is no name.
    """
    from codeintel.trust.names import is_name

    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.BadParameter(f"{file} is not UTF-8.", param_hint="'--protect'") from None
    for number, line in enumerate(text.splitlines(), 1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        if not is_name(ecosystem, name):
            raise click.BadParameter(
                f"{file}, line {number}: {name[:80]!r} is no name of a package of {ecosystem}. "
                "Write whole names alone, without versions, one a line.",
                param_hint="'--protect'",
            )
        yield name


def lines(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """The names on standard input, with their lines. What is not UTF-8 becomes U+FFFD: one wrong
    byte must not cost the answer for all other names."""
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = line.decode("utf-8", "replace")
            common.write_line(f"codeintel: line {number} is not UTF-8", err=True)
        name = text.strip()
        if name and not name.startswith("#"):
            yield number, name
