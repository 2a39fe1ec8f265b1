"""The models' APIs: whether they answer, take the key, and have the models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from codeintel.contracts import SourceAnswer, SourceRequest
from codeintel.operations.doctor.asking import SLOW_SECONDS, Question, fetch
from codeintel.operations.doctor.redaction import shown_url
from codeintel.operations.doctor.results import Finding, error, ok, warning

MODEL = "upstreams.model"


class _Api(NamedTuple):
    """:param key_setting, model_settings: where its key and its models are set."""

    title: str
    base_url: str
    key: str
    models: tuple[str, ...]
    key_setting: str
    model_settings: str


def model_questions(values: Mapping[str, Any], contact: str) -> Iterator[Question]:
    """One for each API in the settings of the plugin that asks models."""
    for api in _apis(values):
        yield Question(MODEL, api.title, partial(_list_models, api, contact))


def _apis(values: Mapping[str, Any]) -> Iterator[_Api]:
    base_url = values.get("CODEINTEL_AI_BASE_URL")
    if not base_url:
        return
    models = {
        each: values.get(f"CODEINTEL_AI_MODEL_{each.upper()}") or "" for each in ("flash", "pro")
    }
    first = {"base_url": base_url, "api_key": values.get("CODEINTEL_AI_API_KEY") or ""}
    named = "CODEINTEL_AI_API_KEY", "CODEINTEL_AI_MODEL_FLASH and _PRO"
    yield _api(first, models, *named)
    for entry in values.get("CODEINTEL_AI_FALLBACKS") or ():
        yield _api(
            entry,
            models,
            "its `api_key` in CODEINTEL_AI_FALLBACKS",
            "its models in CODEINTEL_AI_FALLBACKS",
        )


def _api(
    entry: Mapping[str, str], models: Mapping[str, str], key_setting: str, model_settings: str
) -> _Api:
    """One API; `models` are those of an entry that names none."""
    wanted = {entry.get(each, model) for each, model in models.items()} - {""}
    return _Api(
        f"The model's API at {shown_url(entry['base_url'])}",
        entry["base_url"],
        entry.get("api_key", ""),
        tuple(sorted(wanted)),
        key_setting,
        model_settings,
    )


def _list_models(api: _Api, contact: str) -> Finding:
    headers = {"Accept": "application/json"}
    if api.key:
        headers["Authorization"] = f"Bearer {api.key}"
    request = SourceRequest("/models", headers=headers)
    answer, seconds = fetch(api.base_url, "The model's API", request, contact)
    told = f"{api.title}: status {answer.status} in {seconds:.1f} s"
    if answer.status in {401, 403}:
        what = "does not accept the key" if api.key else "wants a key, and none is set"
        return error(MODEL, f"{told}. It {what}.", f"Set {api.key_setting} to a valid one.")
    if answer.status != 200:
        return warning(
            MODEL,
            f"{told}. It does not list its models.",
            "See whether the base URL is right: most end in /v1.",
        )
    there = _names(answer)
    missing = [each for each in api.models if there and each not in there]
    if missing:
        return warning(
            MODEL,
            f"{told}. It does not list {', '.join(missing)}.",
            f"Correct {api.model_settings}, or have the model loaded there.",
        )
    if seconds > SLOW_SECONDS:
        return warning(MODEL, f"{told}.", "It is slow: look at the way there.")
    return ok(MODEL, f"{told}, with {', '.join(api.models)}.")


def _names(answer: SourceAnswer) -> set[str]:
    """The models that it lists, as OpenAI does; empty where it lists them otherwise."""
    try:
        rows = json.loads(answer.body)["data"]
        return {name for row in rows for name in (row["id"], row["id"].removesuffix(":latest"))}
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return set()
