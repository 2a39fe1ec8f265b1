"""`codeintel trust names`: which names of packages look like imitations of others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from codeintel.cli import common

if TYPE_CHECKING:
    from codeintel.trust.names import ProtectedNames, Suspicion

_HEADERS = ("name", "looks like", "probability", "edit", "detail")


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


@click.command(short_help="Tell imitations of famous names.")
@click.option("--ecosystem", required=True, help="Of all names, such as `npm` or `pypi`.")
@click.option(
    "--protect",
    "files",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A file of names, one a line, that others must not imitate. May be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all names as JSON.")
def names(ecosystem: str, files: tuple[Path, ...], as_json: bool) -> None:
    """Read names of packages from standard input, one a line, and list those that look like
    imitations of famous ones: what they imitate, how probable that is, and what the edit is.

    With `--protect`, imitations of names that you know are found too, however few people use them:
    the names of what you depend on and of what you publish. Those are taken to be honest, and the
    fewer there are, the more is found. In all lists, lines that begin with `#` are comments.

    Neither the service nor a registry is asked. A name that is listed may be honest all the same.
    """
    from codeintel.trust.names import suspicion

    _check(ecosystem)
    protected = _protected(ecosystem, files)
    found = []
    for number, name in lines(sys.stdin.buffer):
        found.append((name, suspicion(ecosystem, name, protected)))
        _warn(ecosystem, number, *found[-1])
    if as_json:
        entries = [_entry(name, one) for name, one in found]
        common.write_json({"ecosystem": ecosystem, "names": entries})
        return
    rows = [_row(one) for _, one in found if one is not None and one.suspicious]
    if rows:
        common.write(common.table(_HEADERS, rows, common.terminal_width()))
    common.write_line(f"{len(rows)} of {len(found)} names look like imitations.", err=True)


def _check(ecosystem: str) -> None:
    from codeintel.trust.names import KNOWN, canonical_ecosystem

    if canonical_ecosystem(ecosystem) not in KNOWN:
        known = ", ".join(sorted(KNOWN))
        raise click.BadParameter(
            f"{ecosystem!r} is not known. Known are {known}.", param_hint="'--ecosystem'"
        )


def _protected(ecosystem: str, files: tuple[Path, ...]) -> ProtectedNames | None:
    """The names in files. Whoever protects a name that looks like an imitation is told so."""
    from codeintel.trust.names import ProtectedNames, suspicion

    if not files:
        return None
    every = [name for file in files for name in names_in(ecosystem, file)]
    if not every:
        common.write_line("codeintel: --protect names no package", err=True)
    for name in every:
        found = suspicion(ecosystem, name)
        if found is not None and found.suspicious:
            text = f"codeintel: you protect `{name}`, which looks like `{found.target}`"
            common.write_line(text, err=True)
    return ProtectedNames(ecosystem, every)


def _warn(ecosystem: str, number: int, name: str, found: Suspicion | None) -> None:
    """Say that a line is no name, for it may have been passed for that reason alone."""
    from codeintel.trust.names import is_name

    if not (found is not None and found.suspicious) and not is_name(ecosystem, name):
        text = f"codeintel: line {number}: {name[:80]!r} is no name of a package of {ecosystem}"
        common.write_line(text, err=True)


def _entry(name: str, found: Suspicion | None) -> dict[str, Any]:
    from codeintel.trust.names import ProtectedSuspicion

    return {
        "name": name,
        "suspicious": found is not None and found.suspicious,
        "probability": found.probability if found else 0.0,
        "target": found.target if found else None,
        "protected": isinstance(found, ProtectedSuspicion),
        "edit": found.edit if found else None,
    }


def _row(found: Suspicion) -> tuple[str, ...]:
    probability = f"{found.probability:.2f}"
    return found.name, found.target, probability, found.edit.kind, found.edit.detail
