"""`codeintel trust names`: which names of packages look like imitations of others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from codeintel.cli import common
from codeintel.cli.text import table

if TYPE_CHECKING:
    from codeintel.trust.names import Suspicion

_HEADERS = ("name", "looks like", "probability", "edit", "detail")


@click.command(short_help="Tell imitations of famous names.")
@click.option("--ecosystem", required=True, help="Of all names, such as `npm` or `pypi`.")
@click.option(
    "--protect",
    type=click.File("rb"),
    help="A file of names, one a line, that are honest and that others must not imitate.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all names as JSON.")
def names(ecosystem: str, protect: BinaryIO | None, as_json: bool) -> None:
    """Read names of packages from standard input, one a line, and list those that look like
    imitations of famous ones: what they imitate, how probable that is, and what the edit is.

    With `--protect`, imitations of names that you know are found too, however few people use them:
    the names of what you depend on and of what you publish.

    Neither the service nor a registry is asked. A name that is listed may be honest all the same.
    """
    from codeintel.trust.names import ProtectedNames, suspicion

    _check(ecosystem)
    protected = ProtectedNames(ecosystem, _lines(protect, protect.name)) if protect else None
    given = _lines(sys.stdin.buffer, "standard input")
    found = [(name, suspicion(ecosystem, name, protected)) for name in given]
    if as_json:
        entries = [_entry(name, one) for name, one in found]
        common.write_json({"ecosystem": ecosystem, "names": entries})
        return
    rows = [_row(one) for _, one in found if one is not None and one.suspicious]
    if rows:
        common.write(table(_HEADERS, rows, common.terminal_width()))
    common.write_line(f"{len(rows)} of {len(found)} names look like imitations.", err=True)


def _check(ecosystem: str) -> None:
    from codeintel.trust.names import KNOWN, canonical_ecosystem

    if canonical_ecosystem(ecosystem) not in KNOWN:
        known = ", ".join(sorted(KNOWN))
        raise click.BadParameter(
            f"{ecosystem!r} is not known. Known are {known}.", param_hint="'--ecosystem'"
        )


def _lines(file: BinaryIO, called: str) -> Iterator[str]:
    """The names in a file. What is not UTF-8 becomes U+FFFD: one wrong byte must not cost the
    answer for all other names."""
    for number, line in enumerate(file, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = line.decode("utf-8", "replace")
            common.write_line(f"codeintel: {called}: line {number} is not UTF-8", err=True)
        if name := text.strip():
            yield name


def _entry(name: str, found: Suspicion | None) -> dict[str, Any]:
    return {
        "name": name,
        "suspicious": found is not None and found.suspicious,
        "probability": found.probability if found else 0.0,
        "target": found.target if found else None,
        "protected": found is not None and found.is_protected,
        "edit": found.edit if found else None,
    }


def _row(found: Suspicion) -> tuple[str, ...]:
    probability = f"{found.probability:.2f}"
    return found.name, found.target, probability, found.edit.kind, found.edit.detail
