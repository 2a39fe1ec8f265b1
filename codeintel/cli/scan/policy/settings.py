"""The settings of a project, as `.codeintel.toml` gives them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType
from pathspec import GitIgnoreSpec

from codeintel.client.repository.reach import may_match_below
from codeintel.contracts import Confidence, Finding, Model, Severity

PROJECT_FILE = ".codeintel.toml"
BASELINE_FILE = ".codeintel-baseline.jsonl"
Glob = Annotated[str, Meta(min_length=1, max_length=500)]
Globs = tuple[Glob, ...]


class ProjectError(Exception):
    """The settings of a project are invalid. The text names the file, the line and the value."""


class Switch(StrEnum):
    """The settings of a rule: report it or not, or report it with another severity."""

    ON = "on"
    OFF = "off"
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


class FailOn(StrEnum):
    """The least severity that makes a scan fail, or `none`."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"
    NONE = "none"


Rules = dict[Glob, Switch]


class LanguageSettings(
    msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True
):
    """Settings for the files of one language. `files` are globs of further files in it."""

    enabled: bool = True
    files: Globs = ()
    severity: Severity | UnsetType = UNSET
    confidence: Confidence | UnsetType = UNSET
    fail_on: FailOn | UnsetType = UNSET
    rules: Rules = {}


class Override(
    msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True
):
    """Settings for the files that match one of the globs in `paths`."""

    paths: Annotated[Globs, Meta(min_length=1)]
    severity: Severity | UnsetType = UNSET
    confidence: Confidence | UnsetType = UNSET
    fail_on: FailOn | UnsetType = UNSET
    rules: Rules = {}


class SuppressionEntry(
    msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True
):
    """Findings to suppress: those of a rule in some files, or the one with a fingerprint.

    After the day `until`, the findings count again.
    """

    reason: Annotated[str, Meta(min_length=1, max_length=1000)]
    rule: Glob | UnsetType = UNSET
    paths: Globs = ()
    fingerprint: Annotated[str, Meta(pattern="^[0-9a-f]{8,64}$")] | UnsetType = UNSET
    until: date | UnsetType = UNSET
    owner: str = ""


class ProjectFile(
    msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True
):
    """The file `.codeintel.toml`.

    `include` and `exclude` are globs of files, as in `.gitignore`. `severity` and `confidence` are
    the least ones that are reported. `fail-on` is the least severity that makes the scan fail.
    `base` is a commit and `baseline` a file to compare with. Rules are globs of rule IDs, weakness
    classes such as `CWE-89`, or `analyzer:rule`. The last one that matches decides.
    """

    include: Globs = ()
    exclude: Globs = ()
    model: Model = Model.FLASH
    severity: Severity = Severity.INFO
    confidence: Confidence = Confidence.MEDIUM
    fail_on: FailOn = FailOn.HIGH
    honor_suppressions: bool = False
    base: str = ""
    baseline: str = ""
    rules: Rules = {}
    languages: dict[str, LanguageSettings] = {}
    override: tuple[Override, ...] = ()
    suppress: tuple[SuppressionEntry, ...] = ()


class PathGlobs:
    """Globs of paths with the meaning of `.gitignore`."""

    def __init__(self, globs: Globs) -> None:
        self._globs = globs
        self._spec = GitIgnoreSpec.from_lines(globs, backend="simple")

    def matches(self, path: str) -> bool:
        """Return whether one of the globs matches a path, or a folder above it."""
        return self._spec.match_file(path)

    def may_match_below(self, folder: str) -> bool:
        """Return whether a glob can match a path in a folder. `folder` ends with a slash."""
        return self.matches(folder) or any(
            may_match_below(glob, folder) for glob in self._globs if not glob.startswith("!")
        )

    def covers(self, folder: str) -> bool:
        """Return whether the globs match every path in a folder. `folder` ends with a slash."""
        return self.matches(folder) and not any(
            may_match_below(glob[1:], folder) for glob in self._globs if glob.startswith("!")
        )


def fault_of(glob: str) -> str:
    """Return the fault of a glob of paths, or an empty text."""
    try:
        with warnings.catch_warnings(action="ignore", category=FutureWarning):
            patterns = GitIgnoreSpec.from_lines([glob], backend="simple").patterns
    except (ValueError, re.error):
        return "is not a valid pattern"
    return "" if any(each.include is not None for each in patterns) else "matches no path"


def _names_by_rule(finding: Finding) -> Iterator[tuple[str, ...]]:
    """Yield the names by which settings can mean a rule, for each rule that reports a finding."""
    weakness = () if finding.cwe is None else (finding.cwe,)
    own = (finding.rule_id, *(finding.formerly or ()))
    yield (*own, *(f"{finding.engine}:{rule_id}" for rule_id in own), *weakness)
    for ref in finding.also or ():
        yield (ref.rule_id, f"{ref.engine}:{ref.rule_id}", *weakness)


def is_meant(glob: str, finding: Finding) -> bool:
    """Return whether a glob matches one of the rules of a finding."""
    return any(fnmatchcase(name, glob) for names in _names_by_rule(finding) for name in names)


def switch_of(finding: Finding, *tables: Rules) -> Switch:
    """Return the setting of a finding. Later tables and later entries take precedence.

    If several rules report it, it is off only if all of them are off.
    """
    entries = [entry for table in tables for entry in table.items()]
    found = [_last(entries, names) for names in _names_by_rule(finding)]
    if all(switch is Switch.OFF for _, switch in found):
        return Switch.OFF
    return max((each for each in found if each[1] is not Switch.OFF), key=lambda each: each[0])[1]


def _last(entries: Sequence[tuple[str, Switch]], names: tuple[str, ...]) -> tuple[int, Switch]:
    """Return the last entry that means a rule, with its position. -1 and `on` if none does."""
    for at in range(len(entries) - 1, -1, -1):
        glob, switch = entries[at]
        if any(fnmatchcase(name, glob) for name in names):
            return at, switch
    return -1, Switch.ON


@dataclass(frozen=True)
class ProjectConfig:
    """The settings of a project from all layers.

    `origins` names where each given setting comes from: a line of the file, a variable of the
    environment or an option. Settings that are not in it have their defaults.
    """

    file: ProjectFile = field(default_factory=ProjectFile)
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        """Return the depth of the analysis."""
        return self.file.model

    @property
    def base(self) -> str:
        """Return the commit to compare with, or an empty text."""
        return self.file.base

    @property
    def baseline(self) -> str:
        """Return the path of the baseline, relative to the project's folder, or an empty text."""
        return self.file.baseline

    @property
    def fail_on(self) -> Severity | None:
        """Return the least severity that makes the scan fail, or None if none does."""
        return as_severity(self.file.fail_on)

    def selects(self, path: str) -> bool:
        """Return whether `include` and `exclude` allow a path."""
        if self.file.include and not self._include.matches(path):
            return False
        return not self._exclude.matches(path)

    def selects_below(self, folder: str) -> bool:
        """Return whether `include` and `exclude` may allow a path in a folder."""
        if self.file.include and not self._include.may_match_below(folder):
            return False
        return not self._exclude.covers(folder)

    def language_of(self, path: str) -> str | None:
        """Return the language that the project sets for a path, or None."""
        for language, globs in self._languages.items():
            if globs.matches(path):
                return language
        return None

    def is_enabled(self, language: str | None) -> bool:
        """Return whether files of a language are to be analyzed."""
        settings = self.file.languages.get(language or "")
        return settings is None or settings.enabled

    def overrides(self, path: str, language: str | None) -> list[LanguageSettings | Override]:
        """Return the settings that apply to a file in addition to the general ones, least specific
        first."""
        found: list[LanguageSettings | Override] = []
        if language is not None and language in self.file.languages:
            found.append(self.file.languages[language])
        found += [each for each, globs in self._overrides if globs.matches(path)]
        return found

    @cached_property
    def _include(self) -> PathGlobs:
        return PathGlobs(self.file.include)

    @cached_property
    def _exclude(self) -> PathGlobs:
        return PathGlobs(self.file.exclude)

    @cached_property
    def _languages(self) -> dict[str, PathGlobs]:
        return {
            name: PathGlobs(each.files) for name, each in self.file.languages.items() if each.files
        }

    @cached_property
    def _overrides(self) -> list[tuple[Override, PathGlobs]]:
        return [(each, PathGlobs(each.paths)) for each in self.file.override]


def as_severity(threshold: FailOn) -> Severity | None:
    """Return the severity of a threshold. None for `none`."""
    return None if threshold is FailOn.NONE else Severity(threshold.value)
