"""The rules that ship: one YAML file each, read once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from codeintel_plugins.patterns.rule import PatternRule, RuleError, parse_rule

FOLDER = Path(__file__).parent / "rules"


def load_rules(folder: Path) -> tuple[PatternRule, ...]:
    """All rules in the `*.yml` files below a folder, in order of id.

    :raises RuleError: if a file is not a rule, or two have one id.
    """
    import yaml  # only whoever needs rules pays for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rules: dict[str, PatternRule] = {}
    for path in sorted(folder.rglob("*.yml")):
        try:
            document = yaml.load(path.read_text(), loader)  # noqa: S506 - both are safe loaders
        except yaml.YAMLError as error:
            raise RuleError(f"{path.name}: {error}") from None
        rule = parse_rule(document, path)
        if rule.id in rules:
            raise RuleError(f"{path.name}: the id {rule.id} is taken")
        rules[rule.id] = rule
    return tuple(rules[name] for name in sorted(rules))


@cache
def shipped_rules() -> tuple[PatternRule, ...]:
    """The rules of this package."""
    return load_rules(FOLDER)


def for_language(rules: Iterable[PatternRule], language: str) -> list[PatternRule]:
    """Those that hold for a language."""
    return [rule for rule in rules if language in rule.languages]
