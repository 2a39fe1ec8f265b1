"""What can be wrong in a rule is found when the package is built, not when code is analysed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from codeintel.engine.data_files import DataFileError
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel_plugins.patterns.rule import PatternRule

_BEGINS = "Caused by:"
_ENDS = "Stack backtrace:"


def check_rules(rules: Iterable[PatternRule]) -> None:
    """Let ast-grep read what each rule asks for, in each of the rule's languages.

    :raises DataFileError: if it cannot, naming the file, the key and what is wrong with it.
    """
    for rule in rules:
        if not rule.match:
            continue
        for language in rule.languages:
            if (why := _refusal(rule.config, language)) is not None:
                key = next(_refused_keys(rule, language), "match")
                raise DataFileError(f"{rule.id}.yml: {key}, for {language}: {why}")


def _refusal(config: dict[str, Any], language: str) -> str | None:
    """Why ast-grep cannot read something, in its words."""
    from ast_grep_py import SgRoot

    try:
        SgRoot("", GRAMMARS[language]).root().find_all(config)  # type: ignore[call-overload]
    except Exception as error:  # noqa: BLE001 - it has no class of its own
        text = str(error)
        text = text.partition(_BEGINS)[2].partition(_ENDS)[0] or text
        return "; ".join(line.strip() for line in text.strip().splitlines())
    return None


def _refused_keys(rule: PatternRule, language: str) -> Iterator[str]:
    utils = {"utils": rule.utils} if rule.utils else {}
    harmless = {name: {"regex": "."} for name in rule.utils}
    for name, each in rule.utils.items():
        if _refusal({"rule": {"all": [{"regex": "."}, each]}, "utils": harmless}, language):
            yield f"utils.{name}"
    if _refusal({"rule": rule.match, **utils}, language):
        yield "match"
    for name, each in rule.constraints.items():
        one = {"rule": rule.match, "constraints": {name: each}, **utils}
        if _refusal(one, language):
            yield f"constraints.{name}"
