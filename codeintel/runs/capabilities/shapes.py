"""The shapes in which capabilities are told."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts import Equivalence, Model, Promise, RuleInfo, VerdictOutcome


class LanguageInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A language. `aliases` and `extensions`, without a dot, may be sent in place of its name.

    `analyzers` look at code in it. `detected` says whether it can be told from code that is sent
    without a language; it is left out where the detectors do not say what they know.
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]
    analyzers: tuple[str, ...]
    detected: bool | UnsetType = UNSET


class AnalyzerInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An analyser. `languages` is null where it looks at every language; `rules` counts those that
    it lists; `plugin` is the name of the plugin that registered it."""

    name: str
    version: str
    languages: tuple[str, ...] | None
    models: tuple[Model, ...]
    rules: Annotated[int, Meta(ge=0)]
    plugin: str


class EngineInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An engine. `models` are those for which it takes analyses now, `transforms` those for which
    it takes transformations."""

    name: str
    models: tuple[Model, ...]
    transforms: tuple[Model, ...]
    plugin: str


class ListedRule(RuleInfo, frozen=True, kw_only=True, rename="camel"):
    """A rule, and the analyser that has it. `languages` is null where the rule holds for all that
    the analyser looks at."""

    analyzer: str


class TransformationInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One way to do a kind of transformation without a model. `targets` are the languages that it
    can produce, the same as `languages` where it keeps the language; `equivalence` is how its
    results are compared with the original, null where they cannot be; `bestVerdict` is the most
    that a change of the code can reach without being run."""

    name: str
    version: str
    engine: str
    languages: tuple[str, ...]
    targets: tuple[str, ...] | None
    equivalence: Equivalence | None
    best_verdict: VerdictOutcome
    plugin: str


class PriceInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Credits for one model. `long` is the price of code over 20,000 characters, `least` that of
    work that was cut short, or whose every result the checks refused. A result that is `checked`
    costs as much as one that is `proven`."""

    full: int
    long: int
    least: int


class KindInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A kind of transformation. `options` is a JSON schema; `promises` are checked of each result;
    `engines` are those that do it for any language now, `ways` what does it for some."""

    name: str
    summary: str
    changes_language: bool
    promises: tuple[Promise, ...]
    prices: dict[Model, PriceInfo]
    options: dict[str, Any]
    engines: tuple[str, ...]
    ways: tuple[TransformationInfo, ...]


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the service can do, lists in order of name. `rules` has those that were asked for."""

    models: tuple[Model, ...]
    languages: tuple[LanguageInfo, ...]
    analyzers: tuple[AnalyzerInfo, ...]
    engines: tuple[EngineInfo, ...]
    transformations: tuple[KindInfo, ...]
    rules: tuple[ListedRule, ...]


class RuleQuery(msgspec.Struct, frozen=True, rename="camel"):
    """Which rules to list; those that fit all of what is given."""

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
            Meta(min_length=1, max_length=100, description="Only rules of this analyser."),
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
