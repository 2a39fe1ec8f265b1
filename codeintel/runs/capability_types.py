"""Types that describe what the registered plugins can do, as the API returns them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts import (
    Equivalence,
    Model,
    Promise,
    RuleInfo,
    VerdictOutcome,
)


class LanguageInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A language. Clients may send an alias, or an extension without a dot, instead of its name.
    `analyzers` support it. `detected` says whether it can be detected in code. The field is
    missing if a detector does not list its languages."""

    name: str
    title: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]
    analyzers: tuple[str, ...]
    detected: bool | UnsetType = UNSET


class AnalyzerInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An analyzer. `languages` is null if it supports every language. `rules` is the number of
    rules that it lists. `plugin` is the plugin that registered it."""

    name: str
    version: str
    languages: tuple[str, ...] | None
    models: tuple[Model, ...]
    rules: Annotated[int, Meta(ge=0)]
    plugin: str


class EngineInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An engine. It currently accepts analyses for `models` and transformations for
    `transforms`."""

    name: str
    models: tuple[Model, ...]
    transforms: tuple[Model, ...]
    plugin: str


class ListedRule(RuleInfo, frozen=True, kw_only=True, rename="camel"):
    """A rule with its analyzer. `languages` is null if it applies to all languages of the
    analyzer."""

    analyzer: str


class TransformationInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A transformation without a model. `targets` are the languages that it can produce, or
    `languages` if it keeps the language. `equivalence` is how its results are compared with the
    original, or null if they cannot be. `bestVerdict` is the best verdict without running the
    code."""

    name: str
    version: str
    engine: str
    languages: tuple[str, ...]
    targets: tuple[str, ...] | None
    equivalence: Equivalence | None
    best_verdict: VerdictOutcome
    plugin: str


class PriceInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Credits for one model. `long` is the price of code over 20,000 characters. `least` is the
    price of work that was cut short, or whose results all failed the checks. `checked` results
    cost as much as `proven` ones."""

    full: int
    long: int
    least: int


class KindInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A kind of transformation. `options` is a JSON schema. `promises` are checked for each
    result. `engines` currently support it for any language, `ways` for some languages."""

    name: str
    summary: str
    changes_language: bool
    promises: tuple[Promise, ...]
    prices: dict[Model, PriceInfo]
    options: dict[str, Any]
    engines: tuple[str, ...]
    ways: tuple[TransformationInfo, ...]


class ScanLimits(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The limits of a scan: its files, their bytes, the bytes of a file, and the bytes of a request
    with contents. Models of `following` follow values across files."""

    files: int
    bytes: int
    file_bytes: int
    request_bytes: int
    following: tuple[Model, ...]


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The service's capabilities, sorted by name. `rules` has the requested rules."""

    models: tuple[Model, ...]
    languages: tuple[LanguageInfo, ...]
    analyzers: tuple[AnalyzerInfo, ...]
    engines: tuple[EngineInfo, ...]
    transformations: tuple[KindInfo, ...]
    scans: ScanLimits
    rules: tuple[ListedRule, ...]


class RuleQuery(msgspec.Struct, frozen=True, rename="camel"):
    """The rules to list: those that match all given parameters."""

    language: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=50,
                description="Only rules for this language: a name, an alias or an extension.",
            ),
        ]
        | UnsetType
    ) = UNSET
    analyzer: (
        Annotated[
            str,
            Meta(min_length=1, max_length=100, description="Only rules of this analyzer."),
        ]
        | UnsetType
    ) = UNSET
    cwe: (
        Annotated[
            str,
            Meta(
                pattern=r"^CWE-[0-9]{1,9}$",
                description="Only rules for this weakness, such as `CWE-89`.",
            ),
        ]
        | UnsetType
    ) = UNSET
    q: (
        Annotated[
            str,
            Meta(
                max_length=200,
                description=(
                    "Only rules with all of these words in the title, summary, ID, former IDs, "
                    "CWE number and name, or languages, such as `sql injection python`."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET
