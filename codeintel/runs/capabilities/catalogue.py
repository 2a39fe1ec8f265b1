"""The catalogue: asks the registered plugins what they can do, each isolated from the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import UNSET

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Analyzer, Model, RuleInfo, RunKind
from codeintel.contracts.languages import Language, canonical_language, languages
from codeintel.platform.plugins.registry import Registry
from codeintel.runs.capabilities.asking import asked, checked
from codeintel.runs.capabilities.kinds import kinds
from codeintel.runs.capabilities.shapes import (
    AnalyzerInfo,
    Capabilities,
    EngineInfo,
    LanguageInfo,
    ListedRule,
    RuleQuery,
)

_NO_RULES: tuple[RuleInfo, ...] = ()


class Catalogue:
    """What the plugins of one application state about themselves.

    They do not change once they are registered, so each is asked once; only which engine takes
    what is asked each time. A plugin that fails to answer is logged, and nothing but its own answer
    is missing.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def capabilities(self, query: RuleQuery) -> Capabilities:
        """Everything, with the rules that the query asks for.

        :raises ServiceError: as :meth:`rules`.
        """
        return Capabilities(
            models=tuple(Model),
            languages=tuple(self._languages.values()),
            analyzers=tuple(self._analyzers.values()),
            engines=tuple(self._engines()),
            transformations=tuple(kinds(self._registry)),
            rules=self.rules(query),
        )

    @cached_property
    def rule_names(self) -> frozenset[tuple[str, str]]:
        """Analyser and id of each rule: those that have a page."""
        return frozenset((rule.analyzer, rule.id) for rule in self._rules)

    def rules(self, query: RuleQuery) -> tuple[ListedRule, ...]:
        """The rules that the query asks for, in order of analyser and as that lists them.

        :raises ServiceError: `invalid_request` for a language or an analyser that is not known;
            `details.path` names the parameter.
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
        return wanted

    @cached_property
    def _analyzers(self) -> Mapping[str, AnalyzerInfo]:
        """Those that can be described, by name."""
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
        """Those that the service has a name for, and those that only analysers name."""
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
                for kind in RunKind
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
    """The languages that some detector can tell, None where one does not say."""
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
            f"This service knows no such {parameter}: ask without `{parameter}` for those that it "
            "knows.",
            details={"path": parameter},
        )
