"""Find misspelled names of rules in the settings of a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from codeintel.base.wording import printable
from codeintel.cli.scan.policy.settings import ProjectFile
from codeintel.cli.suggestions import did_you_mean
from codeintel.contracts import RuleInfo


def misspelled(file: ProjectFile, rules: Mapping[str, Sequence[RuleInfo]]) -> Iterator[str]:
    """Yield a note for each name in the settings that matches no rule and resembles one.

    Other unknown names may be those of rules that no list has, such as those of a plugin.

    :param rules: the known rules by analyzer.
    """
    known = dict.fromkeys(_names(rules))
    tables = (file.rules, *(each.rules for each in file.languages.values()))
    for name in dict.fromkeys(
        name for table in (*tables, *(each.rules for each in file.override)) for name in table
    ):
        if any(fnmatchcase(each, name) for each in known):
            continue
        if suggestion := did_you_mean(name, known):
            yield f'No rule has the name "{printable(name)}" in the settings.{suggestion}'


def _names(rules: Mapping[str, Sequence[RuleInfo]]) -> Iterator[str]:
    for analyzer, listed in rules.items():
        for rule in listed:
            for name in (rule.id, *(rule.formerly or ())):
                yield name
                yield f"{analyzer}:{name}"
            if rule.cwe is not None:
                yield rule.cwe
