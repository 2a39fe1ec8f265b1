"""The hooks that a plugin may implement. `docs/hooks.md` describes each with an example.

All are registration hooks. They are called once, when an application is created, and register
objects. The objects do the work later. The core handles deadlines, isolation and metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pluggy

from codeintel.contracts import (
    Analyzer,
    Collector,
    Engine,
    LanguageDetector,
    Scorer,
    SearchSource,
    Setting,
    Transformation,
    TransformationKind,
)

hookspec = pluggy.HookspecMarker("codeintel")

Config = Mapping[str, Any]


@hookspec
def register_settings(register: Callable[[Setting], None], config: Config) -> None:
    """Register the plugin's own settings.

    This hook is called before the plugin's other hooks, whose `config` has the settings checked and
    typed.

    :param register: call it once for each :class:`codeintel.contracts.Setting`.
    :param config: the settings of the core and of plugins before this one.

    .. versionadded:: 0.1
    """


@hookspec
def register_analyzers(register: Callable[[Analyzer], None], config: Config) -> None:
    """Register analyzers, which examine code in worker processes.

    This hook is called in the web process, and again in the process that workers are forked from.

    :param register: call it once for each :class:`codeintel.contracts.Analyzer`.
    :param config: all settings, read-only, names in capitals.

    .. versionadded:: 0.1
    """


@hookspec
def register_language_detectors(
    register: Callable[[LanguageDetector], None], config: Config
) -> None:
    """Register language detectors, which detect the language of code in worker processes.

    This hook is called in the web process, and again in the process that workers are forked from.

    :param register: call it once for each :class:`codeintel.contracts.LanguageDetector`.
    :param config: all settings, read-only, names in capitals.

    .. versionadded:: 0.1
    """


@hookspec
def register_engines(register: Callable[[Engine], None], config: Config) -> None:
    """Register engines, which do the work of runs.

    :param register: call it once for each :class:`codeintel.contracts.Engine`.
    :param config: all settings, read-only, names in capitals.

    .. versionadded:: 0.1
    """


@hookspec
def register_search_sources(register: Callable[[SearchSource], None], config: Config) -> None:
    """Register search sources: registries, or instances of one.

    :param register: call it once for each :class:`codeintel.contracts.SearchSource`.
    :param config: all settings, read-only, names in capitals.

    .. versionadded:: 0.1
    """


@hookspec
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None], config: Config
) -> None:
    """Register kinds of transformation, and implementations of a kind for some languages.

    :param register: call it once for each :class:`codeintel.contracts.TransformationKind` and each
    :class:`codeintel.contracts.Transformation`.
    :param config: all settings, read-only, names in capitals.

    .. versionadded:: 0.1
    """


@hookspec
def register_trust_scorers(register: Callable[[Collector | Scorer], None], config: Config) -> None:
    """Register collectors and scorers for the trust network.

    Collectors find facts about packages, and scorers turn facts into signals.

    :param register: call it once for each :class:`codeintel.contracts.Collector` and each
    :class:`codeintel.contracts.Scorer`.
    :param config: all settings, read-only, names in capitals.

    .. versionadded:: 0.1
    """
