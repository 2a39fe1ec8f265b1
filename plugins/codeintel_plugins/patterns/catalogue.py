"""The shipped rules: one YAML file for each, and one compiled file that the build writes.

Parsing hundreds of YAML files and deriving the needed words takes seconds, which every worker would
pay at its start. The compiled file begins with a digest of its inputs: the files of the rules, the
modules that read them, and the version of ast-grep. If an input changes, the plugin rewrites the
compiled file when it registers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec

from codeintel.engine.data_files import DataFileError
from codeintel_plugins.patterns.needs import Need
from codeintel_plugins.patterns.rule import PatternRule, read_rule

FOLDER = Path(__file__).parent / "rules"
PAGES = Path(__file__).parent / "pages"
COMPILED = Path(__file__).parent / "pages" / "rules.msgpack"
_MODULES = (
    "codeintel.engine.data_files",
    "codeintel.engine.dataflow.tree",
    "codeintel.engine.symbolic.facts",
    "codeintel_plugins.patterns.catalogue",
    "codeintel_plugins.patterns.needs",
    "codeintel_plugins.patterns.rule",
)
"""The modules that decide the content of the compiled file."""
_LENGTH = hashlib.sha256().digest_size


def load_rules(folder: Path) -> tuple[PatternRule, ...]:
    """Return the rules in the `*.yml` files below a folder, in order of ID.

    :raises DataFileError: if a file is not a rule, or if two rules share an ID.
    """
    rules: dict[str, PatternRule] = {}
    taken: set[str] = set()
    for path in _files(folder):
        rule = read_rule(path)
        for name in (rule.id, *rule.formerly):
            if name in taken:
                raise DataFileError(f"{path.name}: the ID {name} is taken")
            taken.add(name)
        rules[rule.id] = rule
    return tuple(rules[name] for name in sorted(rules))


def write_compiled(rules: Iterable[PatternRule], path: Path) -> None:
    """Write the rules of this package for :func:`shipped_rules`. Readers see either the old or the
    new file, never a part."""
    body = msgspec.msgpack.encode([(rule, rule.need) for rule in rules])
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    try:
        part.write_bytes(_digest(FOLDER) + body)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def refresh() -> None:
    """Rewrite the compiled file if the rules changed, before requests arrive. If the package is not
    writable, each process reads the rule files itself.

    :raises DataFileError: if a file is not a rule.
    """
    with suppress(OSError), COMPILED.open("rb") as file:
        if file.read(_LENGTH) == _digest(FOLDER):
            return
    with suppress(OSError):
        write_compiled(load_rules(FOLDER), COMPILED)


@cache
def shipped_rules() -> tuple[PatternRule, ...]:
    """Return the rules of this package."""
    return _read_compiled() or load_rules(FOLDER)


def for_language(rules: Iterable[PatternRule], language: str) -> list[PatternRule]:
    """Return the rules for a language."""
    return [rule for rule in rules if language in rule.languages]


def _read_compiled() -> tuple[PatternRule, ...] | None:
    try:
        written = COMPILED.read_bytes()
    except OSError:
        return None
    if written[:_LENGTH] != _digest(FOLDER):
        return None
    try:
        known = msgspec.msgpack.decode(written[_LENGTH:], type=tuple[tuple[PatternRule, Need], ...])
    except msgspec.MsgspecError:
        return None
    for rule, need in known:
        rule.__dict__["need"] = need  # where the cached property keeps it
    return tuple(rule for rule, _ in known)


def _digest(folder: Path) -> bytes:
    found = hashlib.sha256(version("ast-grep-py").encode())
    sources = (Path(str(spec.origin)) for name in _MODULES if (spec := find_spec(name)))
    for path in (*sources, *_files(folder)):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.digest()


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.yml"))
