"""Lists of packages, as people give them to the trust commands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import IO

from codeintel.cli.common import write_line
from codeintel.server.opening import Failure

_SHOWN = 10
"""Bad lines that are told."""
_MAX_CHARACTERS = 60
"""Of a bad line that is told."""


def read_targets(lines: IO[bytes], ecosystem: str = "") -> list[str]:
    """The keys of the packages in a list with one a line; blank lines and such as begin with `#`
    are passed over.

    :param ecosystem: of which all are, if they are names alone.
    :raises Failure: after the first bad lines were told, if there are any.
    """
    found, bad = [], []
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text and not text.startswith("#"):
                found.append(_key(text, ecosystem))
        except UnicodeDecodeError:
            bad.append((number, line.decode("utf-8", "replace"), "It is not UTF-8."))
        except ValueError as error:
            bad.append((number, text, str(error)))
    if bad:
        name = _name(lines)
        for told in islice(_told(name, bad), _SHOWN):
            write_line(told, err=True)
        more = f", of which the first {_SHOWN} are shown" if len(bad) > _SHOWN else ""
        is_one = len(bad) == 1
        lines_ = f"{len(bad):,} line{'' if is_one else 's'}"
        raise Failure(
            f"{lines_} of {name} name{'s' if is_one else ''} no package{more}: nothing was done."
        )
    return found


def _key(text: str, ecosystem: str) -> str:
    from codeintel.base.errors import ServiceError
    from codeintel.trust.targets import parse_target

    try:
        return parse_target(f"{ecosystem}:{text}" if ecosystem else text).key
    except ServiceError as error:
        raise ValueError(error.message) from None


def _told(name: str, bad: list[tuple[int, str, str]]) -> Iterator[str]:
    for number, text, reason in bad:
        text = text.strip()
        if len(text) > _MAX_CHARACTERS:
            text = text[: _MAX_CHARACTERS - 3] + "..."
        yield f"{name}, line {number}: {text}: {reason}"


def _name(lines: IO[bytes]) -> str:
    name = getattr(lines, "name", None)
    return name if isinstance(name, str) and name != "-" else "<stdin>"
