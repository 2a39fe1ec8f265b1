"""The rules that ship: one YAML file each, and all of them in one file that the build writes.

Parsing hundreds of YAML files and finding out what words each rule needs takes seconds, which every
start of a worker would pay. The written file has both, and a digest of the files that it was made
from: where that differs, as while rules are edited, the files count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec

from codeintel_plugins.patterns.needs import Need
from codeintel_plugins.patterns.rule import PatternRule, RuleError, parse_rule

FOLDER = Path(__file__).parent / "rules"
COMPILED = Path(__file__).parent / "pages" / "rules.msgpack"


class Compiled(msgspec.Struct, frozen=True):
    """All rules with what each needs, and the digest of their files."""

    digest: str
    rules: tuple[tuple[PatternRule, Need], ...]


def load_rules(folder: Path) -> tuple[PatternRule, ...]:
    """All rules in the `*.yml` files below a folder, in order of id.

    :raises RuleError: if a file is not a rule, or two have one id.
    """
    import yaml  # only whoever needs rules pays for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rules: dict[str, PatternRule] = {}
    for path in _files(folder):
        try:
            document = yaml.load(path.read_text(), loader)  # noqa: S506 - both are safe loaders
        except yaml.YAMLError as error:
            raise RuleError(f"{path.name}: {error}") from None
        rule = parse_rule(document, path)
        if rule.id in rules:
            raise RuleError(f"{path.name}: the id {rule.id} is taken")
        rules[rule.id] = rule
    return tuple(rules[name] for name in sorted(rules))


def write_compiled(rules: Iterable[PatternRule], path: Path) -> None:
    """Write the rules of this package for :func:`shipped_rules` to read."""
    compiled = Compiled(_digest(FOLDER), tuple((rule, rule.need) for rule in rules))
    path.write_bytes(msgspec.msgpack.encode(compiled))


@cache
def shipped_rules() -> tuple[PatternRule, ...]:
    """The rules of this package."""
    return _read_compiled() or load_rules(FOLDER)


def for_language(rules: Iterable[PatternRule], language: str) -> list[PatternRule]:
    """Those that hold for a language."""
    return [rule for rule in rules if language in rule.languages]


def _read_compiled() -> tuple[PatternRule, ...] | None:
    try:
        compiled = msgspec.msgpack.decode(COMPILED.read_bytes(), type=Compiled)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None
    if compiled.digest != _digest(FOLDER):
        return None
    for rule, need in compiled.rules:
        rule.__dict__["need"] = need  # where the cached property keeps it
    return tuple(rule for rule, _ in compiled.rules)


def _digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in _files(folder):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.yml"))
