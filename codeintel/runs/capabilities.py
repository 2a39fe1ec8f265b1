"""Describe what the registered plugins can do. Each plugin is queried in isolation."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ParamSpec, TypeVar

import msgspec
from msgspec import UNSET

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging import describe
from codeintel.contracts import (
    Analyzer,
    Model,
    RuleInfo,
    RunKind,
    Transformation,
    TransformationKind,
    VerdictOutcome,
)
from codeintel.contracts.languages import (
    Language,
    canonical_language,
    language_title,
    languages,
)
from codeintel.contracts.scans.records import (
    MAX_SCAN_BYTES,
    MAX_SCAN_FILE_BYTES,
    MAX_SCAN_FILES,
)
from codeintel.contracts.scans.requests import MAX_CONTENTS_BYTES
from codeintel.contracts.weaknesses import other_names, weakness_name
from codeintel.identity.ledger import LONG_CODE_CHARACTERS, transformation_price
from codeintel.platform.plugins.registry import Registry
from codeintel.runs.capability_types import (
    AnalyzerInfo,
    Capabilities,
    EngineInfo,
    KindInfo,
    LanguageInfo,
    ListedRule,
    PriceInfo,
    RuleQuery,
    ScanLimits,
    TransformationInfo,
)
from codeintel.runs.scans.scanner import FOLLOWING

log = logging.getLogger(__name__)
T = TypeVar("T")
P = ParamSpec("P")
STATIC = "static"
"""The engine that lets registered transformations do the work."""
_NO_RULES: tuple[RuleInfo, ...] = ()


def asked(
    name: str, otherwise: T, question: Callable[P, T], *arguments: P.args, **named: P.kwargs
) -> T:
    """Return the answer of a plugin's object, or `otherwise` if it fails."""
    try:
        return question(*arguments, **named)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("%r cannot report its capabilities: %s", name, describe(error))
        return otherwise


def checked(value: object, type_: type[T]) -> T:
    """Return the value after checking the types of its fields, which structs do not check."""
    return msgspec.json.decode(msgspec.json.encode(value), type=type_)


def kinds(registry: Registry) -> Iterator[KindInfo]:
    """Yield all kinds, sorted by name. A kind that fails to describe itself is skipped."""
    for name, kind in sorted(registry.kinds.items()):
        found = asked(name, None, _kind, kind, registry)
        if found is not None:
            yield found


def _kind(kind: TransformationKind, registry: Registry) -> KindInfo:
    return KindInfo(
        name=kind.name,
        summary=kind.summary,
        changes_language=kind.changes_language,
        promises=kind.promises,
        prices={model: _price(model, kind) for model in Model},
        options=_schema(kind.options),
        engines=tuple(
            name
            for name, engine in sorted(registry.engines.items())
            if engine.transforms_any_language
            and any(asked(name, False, engine.available, RunKind.TRANSFORM, m) for m in Model)
        ),
        ways=tuple(_ways(kind.name, registry)),
    )


def _price(model: Model, kind: TransformationKind) -> PriceInfo:
    short = transformation_price(model, 1, kind.surcharge)
    long = transformation_price(model, LONG_CODE_CHARACTERS + 1, kind.surcharge)
    return PriceInfo(full=short.full, long=long.full, least=short.least)


def _schema(type_: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the complete JSON schema of options, without references."""
    (schema,), parts = msgspec.json.schema_components([type_], ref_template="{name}")
    found: dict[str, Any] = _resolved(schema, parts)
    return found


def _resolved(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_resolved(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolved(parts[schema["$ref"]], parts)
    return {key: _resolved(value, parts) for key, value in schema.items()}


def _ways(kind: str, registry: Registry) -> Iterator[TransformationInfo]:
    if STATIC not in registry.engines:
        return
    for name, way in sorted(registry.transformations.items()):
        if way.kind == kind:
            found = asked(name, None, _way, way, registry.transformations.owner(name))
            if found is not None:
                yield found


def _way(way: Transformation, plugin: str) -> TransformationInfo:
    info = TransformationInfo(
        name=way.name,
        version=str(way.version),
        engine=STATIC,
        languages=tuple(sorted(way.languages)),
        targets=None if way.targets is None else tuple(sorted(way.targets)),
        equivalence=way.equivalence,
        best_verdict=VerdictOutcome.CHECKED if way.equivalence is None else VerdictOutcome.PROVEN,
        plugin=plugin,
    )
    return checked(info, TransformationInfo)


_SCANS = ScanLimits(
    files=MAX_SCAN_FILES,
    bytes=MAX_SCAN_BYTES,
    file_bytes=MAX_SCAN_FILE_BYTES,
    request_bytes=MAX_CONTENTS_BYTES,
    following=FOLLOWING,
)


class Catalogue:
    """The self-descriptions of one application's plugins, each queried once.

    Only the availability of engines is queried each time. A failing plugin is logged, and only its
    answer is missing.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def capabilities(self, query: RuleQuery) -> Capabilities:
        """Return all capabilities, with the requested rules.

        :raises ServiceError: as :meth:`rules`.
        """
        return Capabilities(
            models=tuple(Model),
            languages=tuple(self._languages.values()),
            analyzers=tuple(self._analyzers.values()),
            engines=tuple(self._engines()),
            transformations=tuple(kinds(self._registry)),
            scans=_SCANS,
            rules=self.rules(query),
        )

    @cached_property
    def rule_titles(self) -> dict[tuple[str, str], str]:
        """Title of each rule that has a page, by analyzer and id, former IDs included."""
        return {
            (rule.analyzer, name): rule.title or rule.summary
            for rule in self._rules
            for name in (*(rule.formerly or ()), rule.id)
        }

    def rules(self, query: RuleQuery) -> tuple[ListedRule, ...]:
        """Return the requested rules, in order of analyzer and of its list.

        :raises ServiceError: `invalid_request` for an unknown language or analyzer; `details.path`
            names the parameter.
        """
        wanted = self._rules
        if query.analyzer is not UNSET:
            _check("analyzer", query.analyzer, self._analyzers)
            wanted = tuple(rule for rule in wanted if rule.analyzer == query.analyzer)
        if query.language is not UNSET:
            language = canonical_language(query.language)
            _check("language", language, self._languages)
            able = self._languages[language].analyzers
            wanted = tuple(rule for rule in wanted if _is_for(rule, language, able))
        if query.cwe is not UNSET:
            wanted = tuple(rule for rule in wanted if rule.cwe == query.cwe)
        if query.q:
            # Words match at their beginning: `rust` finds no "untrusted".
            words = [re.compile(rf"(?<!\w){re.escape(word)}") for word in query.q.lower().split()]
            texts = self._searched
            wanted = tuple(
                rule
                for rule in wanted
                if all(word.search(texts[rule.analyzer, rule.id]) for word in words)
            )
        return wanted

    @cached_property
    def _searched(self) -> Mapping[tuple[str, str], str]:
        """Return the searchable text of each rule, in lower case, by analyzer and ID."""
        return {(rule.analyzer, rule.id): self._text(rule) for rule in self._rules}

    def _text(self, rule: ListedRule) -> str:
        languages = rule.languages
        if languages is None and rule.analyzer in self._analyzers:
            languages = self._analyzers[rule.analyzer].languages
        parts = [rule.id, *(rule.formerly or ()), rule.title or "", rule.summary, rule.analyzer]
        if rule.cwe is not None:
            parts += [rule.cwe, weakness_name(rule.cwe), other_names(rule.cwe)]
        for language in languages or ():
            parts += [language, language_title(language)]
        text = "\n".join(parts).lower()
        return f"{text}\n{text.replace('-', '')}"  # "hardcoded" finds "hard-coded"

    @cached_property
    def _analyzers(self) -> Mapping[str, AnalyzerInfo]:
        """The analyzers that can be described, by name."""
        described = (
            asked(name, None, self._described, name, analyzer)
            for name, analyzer in sorted(self._registry.analyzers.items())
        )
        return {info.name: info for info in described if info is not None}

    def _described(self, name: str, analyzer: Analyzer) -> AnalyzerInfo:
        info = AnalyzerInfo(
            name=name,
            version=str(analyzer.version),
            languages=None if analyzer.languages is None else tuple(sorted(analyzer.languages)),
            models=tuple(model for model in Model if model in analyzer.models),
            rules=sum(rule.analyzer == name for rule in self._rules),
            plugin=self._registry.analyzers.owner(name),
        )
        return checked(info, AnalyzerInfo)

    @cached_property
    def _rules(self) -> tuple[ListedRule, ...]:
        return tuple(
            ListedRule(
                analyzer=name, **{key: getattr(rule, key) for key in RuleInfo.__struct_fields__}
            )
            for name, analyzer in sorted(self._registry.analyzers.items())
            for rule in asked(name, _NO_RULES, _rules_of, analyzer)
        )

    @cached_property
    def _languages(self) -> Mapping[str, LanguageInfo]:
        """The languages that the service knows, and those that only analyzers name."""
        known = {language.name: language for language in languages()}
        for info in self._analyzers.values():
            for name in info.languages or ():
                known.setdefault(name, Language(name, name, (), ()))
        detectable = _detectable(self._registry)
        return {
            name: LanguageInfo(
                name=name,
                title=language.title,
                aliases=language.aliases,
                extensions=language.extensions,
                analyzers=tuple(self._looking_at(name)),
                detected=UNSET if detectable is None else name in detectable,
            )
            for name, language in sorted(known.items())
        }

    def _looking_at(self, language: str) -> Iterator[str]:
        for name, analyzer in sorted(self._registry.analyzers.items()):
            if asked(name, False, analyzer.understands, language):
                yield name

    def _engines(self) -> Iterator[EngineInfo]:
        for name, engine in sorted(self._registry.engines.items()):
            takes = {
                kind: tuple(
                    model for model in Model if asked(name, False, engine.available, kind, model)
                )
                for kind in (RunKind.ANALYSIS, RunKind.TRANSFORM)
            }
            yield EngineInfo(
                name=name,
                models=takes[RunKind.ANALYSIS],
                transforms=takes[RunKind.TRANSFORM],
                plugin=self._registry.engines.owner(name),
            )


def _rules_of(analyzer: Analyzer) -> tuple[RuleInfo, ...]:
    return checked(list(analyzer.rules()), tuple[RuleInfo, ...])


def _detectable(registry: Registry) -> frozenset[str] | None:
    """Return the languages that a detector can detect, or None if a detector does not list them."""
    told: list[frozenset[str] | None] = [
        getattr(detector, "languages", None) for detector in registry.detectors.values()
    ]
    if None in told:
        return None
    return frozenset().union(*(each for each in told if each is not None))


def _is_for(rule: ListedRule, language: str, analyzers: Iterable[str]) -> bool:
    return rule.analyzer in analyzers and (rule.languages is None or language in rule.languages)


def _check(parameter: str, value: str, known: Mapping[str, object]) -> None:
    if value not in known:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            f"Unknown {parameter}. Omit `{parameter}` to list all known ones.",
            details={"path": parameter},
        )
