"""`codeintel trust names`: find package names that look like other names."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from codeintel.base.wording import counted
from codeintel.cli import output
from codeintel.cli.suggestions import did_you_mean

if TYPE_CHECKING:
    from codeintel.trust.names import ProtectedNames, Suspicion

_HEADERS = ("name", "looks like", "probability", "edit", "detail")


def names_in(ecosystem: str, file: Path) -> Iterator[str]:
    """Return the protected names in a file.

    :raises click.BadParameter: if the file is not UTF-8, or a line is not a package name.
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
                f"{file}, line {number}: {name[:80]!r} is not a package name of {ecosystem}. Write "
                "one name per line, without versions.",
                param_hint="'--protect'",
            )
        yield name


def lines(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Return the names on standard input with their line numbers. Invalid UTF-8 becomes U+FFFD, so
    that one wrong byte does not stop the check."""
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = line.decode("utf-8", "replace")
            output.write_line(f"codeintel: line {number} is not UTF-8", err=True)
        name = text.strip()
        if name and not name.startswith("#"):
            yield number, name


@click.command(short_help="Find lookalikes of popular names.")
@click.option("--ecosystem", required=True, help="The ecosystem of the names, such as npm or pypi.")
@click.option(
    "--protect",
    "files",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A file with your own package names, one per line. Repeat the option for more files.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all names as JSON.")
def names(ecosystem: str, files: tuple[Path, ...], as_json: bool) -> None:
    """Read package names from standard input, one per line, and list lookalikes of popular names.

    For each lookalike, the output shows the imitated name, the probability and the edit.

    --protect also finds lookalikes of your packages and dependencies, however few people use
    them. Names in these files count as legitimate. In all lists, lines that start with # are
    comments.

    The command contacts neither the service nor a registry. A listed name may still be legitimate.
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
        output.write_json({"ecosystem": ecosystem, "names": entries})
        return
    rows = [_row(one) for _, one in found if one is not None and one.suspicious]
    if rows:
        output.write(output.table(_HEADERS, rows, output.terminal_width()))
    output.write_line(
        f"Checked {counted(len(found), 'name')}. Possible imitations: {len(rows):,}.", err=True
    )


def _check(ecosystem: str) -> None:
    from codeintel.trust.names import KNOWN, canonical_ecosystem

    if canonical_ecosystem(ecosystem) not in KNOWN:
        known = ", ".join(sorted(KNOWN))
        raise click.BadParameter(
            f"{ecosystem!r} is unknown.{did_you_mean(ecosystem, KNOWN)} Ecosystems: {known}.",
            param_hint="'--ecosystem'",
        )


def _protected(ecosystem: str, files: tuple[Path, ...]) -> ProtectedNames | None:
    """Return the protected names. Warn about protected names that look like imitations."""
    from codeintel.trust.names import ProtectedNames, suspicion

    if not files:
        return None
    every = [name for file in files for name in names_in(ecosystem, file)]
    if not every:
        output.write_line("codeintel: the files of --protect contain no names", err=True)
    for name in every:
        found = suspicion(ecosystem, name)
        if found is not None and found.suspicious:
            text = f"codeintel: you protect `{name}`, which looks like `{found.target}`"
            output.write_line(text, err=True)
    return ProtectedNames(ecosystem, every)


def _warn(ecosystem: str, number: int, name: str, found: Suspicion | None) -> None:
    """Warn about a line that is not a name, because it is not checked."""
    from codeintel.trust.names import is_name

    if not (found is not None and found.suspicious) and not is_name(ecosystem, name):
        text = f"codeintel: line {number}: {name[:80]!r} is not a package name of {ecosystem}"
        output.write_line(text, err=True)


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
