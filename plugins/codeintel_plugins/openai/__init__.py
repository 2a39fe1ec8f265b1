"""Any model behind an OpenAI-compatible API: OpenAI's own, vLLM, Ollama, llama.cpp, LiteLLM.

The way of the data: :mod:`settings` say which endpoints there are; the :mod:`engine` has the
analyzers look first, puts code and findings into a :mod:`conversation`, has :mod:`upstream` ask the
endpoints in turn, has the conversation part the stream into prose and a list of findings, and
:mod:`claims` checks each of these against the code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Engine, Setting
from codeintel_plugins.openai.settings import SETTINGS, read_options


@hookimpl
def register_settings(register: Callable[[Setting], None]) -> None:
    """Register the settings that begin with `CODEINTEL_AI_`."""
    for setting in SETTINGS:
        register(setting)


@hookimpl
def register_engines(register: Callable[[Engine], None], config: Mapping[str, Any]) -> None:
    """Register the engine if an endpoint is configured."""
    options = read_options(config)
    if options.endpoints:
        from codeintel_plugins.openai.engine import OpenAiEngine

        register(OpenAiEngine(options))
