"""Syntax trees of many languages: errors of syntax, and the language of code that does not say.

Importing this is cheap; the grammars are loaded when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer, LanguageDetector
from codeintel.engine.detection.detector import GrammarDetector
from codeintel_plugins.grammars.analyzer import SyntaxAnalyzer


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the analyser of syntax."""
    register(SyntaxAnalyzer())


@hookimpl
def register_language_detectors(
    register: Callable[[LanguageDetector], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register the detector."""
    register(GrammarDetector())
