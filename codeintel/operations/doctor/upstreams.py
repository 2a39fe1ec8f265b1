"""Check the services that this one uses: registries, trust, models and identity providers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import (
    Collector,
    SearchSource,
    SourceAnswer,
    SourceError,
    SourceProblem,
    SourceRequest,
)
from codeintel.identity.oidc import Provider
from codeintel.operations.doctor.installation import Installation, Loaded, shown_url
from codeintel.operations.doctor.results import Finding, error, ok, skipped, warning
from codeintel.operations.doctor.server import (
    NETWORK_FIX,
    SECONDS,
    SLOW_SECONDS,
    Question,
    ask_all,
    fetch,
)
from codeintel.platform.config import SettingError
from codeintel.platform.config.issuers import IssuerEntry
from codeintel.search.reading import read_answer
from codeintel.search.service import chosen_sources

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
    """Yield a question for each API in the settings of the model plugin."""
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
    """Return an API. `models` are the defaults for an entry that names none."""
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
        what = "rejects the key" if api.key else "needs a key, but none is set"
        return error(MODEL, f"{told}. It {what}.", f"Set {api.key_setting} to a valid key.")
    if answer.status != 200:
        return warning(
            MODEL,
            f"{told}. It does not list its models.",
            "Check the base URL. Most end in /v1.",
        )
    there = _names(answer)
    missing = [each for each in api.models if there and each not in there]
    if missing:
        return warning(
            MODEL,
            f"{told}. It does not list {', '.join(missing)}.",
            f"Correct {api.model_settings}, or load the model there.",
        )
    if seconds > SLOW_SECONDS:
        return warning(MODEL, f"{told}.", "The response is slow. Check the network.")
    return ok(MODEL, f"{told}, with {', '.join(api.models)}.")


def _names(answer: SourceAnswer) -> set[str]:
    """Return the listed models in OpenAI's format. Empty for other formats."""
    try:
        rows = json.loads(answer.body)["data"]
        return {name for row in rows for name in (row["id"], row["id"].removesuffix(":latest"))}
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return set()


ISSUER = "upstreams.issuer"


class _Talkative(Provider):
    """Reports why a provider cannot be used. The service only logs the reason."""

    def unavailable(self, reason: str) -> ServiceError:
        return ServiceError(ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE, reason)


def provider_questions(entries: Iterable[IssuerEntry], contact: str) -> Iterator[Question]:
    """Yield a question for each provider."""
    for entry in entries:
        title = f"{entry.name} at {shown_url(entry.issuer)}"
        yield Question(ISSUER, title, partial(_read, entry, title, contact))


def _read(entry: IssuerEntry, title: str, contact: str) -> Finding:
    provider, began = _Talkative(entry, contact), time.monotonic()
    try:
        provider.metadata()
        provider.keys()
    except ServiceError as failure:
        return error(
            ISSUER,
            f"{title} is unavailable: {failure.message.rstrip('.')}.",
            "Check that this machine can reach it, and that `issuer` in CODEINTEL_OIDC_ISSUERS is "
            "exactly the provider's value.",
        )
    seconds = time.monotonic() - began
    return ok(ISSUER, f"{title}: discovery document and keys in {seconds:.1f} s.")


SOURCES, TRUST, ALL = "upstreams.search", "upstreams.trust", "upstreams"
QUERY = "codeintel"
_MARGIN_SECONDS = 0.5
_FIXES = {
    SourceProblem.RATE_LIMITED: "Wait, or set a token to raise the limit.",
    SourceProblem.UNAUTHORIZED: "Set a token with read access.",
    SourceProblem.MALFORMED: "Check that its URL in the settings is the URL of its API.",
}


def look_at_upstreams(installation: Installation) -> Iterator[Finding]:
    """Query all configured services in parallel. A registry that does not answer is a warning,
    because the service works without it. A registry that rejects the request is misconfigured,
    which is an error.
    """
    if installation.offline:
        yield skipped(ALL, "No service was queried (--offline).")
        return
    plugins = installation.plugins.get()
    settings = installation.settings
    contact = settings.contact or settings.public_url
    try:
        sources = list(chosen_sources(settings, plugins.manager.registry.sources))
    except SettingError as wrong:
        yield error(SOURCES, str(wrong), "Correct the setting.")
        sources = list(plugins.manager.registry.sources.values())
    questions = [
        *_source_questions([each for each in sources if each.is_on], contact),
        *_trust_questions(plugins, contact),
        *model_questions(_of_plugins(plugins), contact),
        *provider_questions(settings.oidc_issuers, contact),
    ]
    left = installation.seconds_left - _MARGIN_SECONDS
    yield from ask_all(questions, max(0.0, min(SECONDS + _MARGIN_SECONDS, left)))


def _of_plugins(plugins: Loaded) -> dict[str, Any]:
    """Return the settings of enabled plugins. Those of disabled ones are not used."""
    values = plugins.settings.values
    declared = plugins.manager.registry.settings
    return {name: values[name] for name in declared if name in values}


def _source_questions(sources: list[SearchSource], contact: str) -> Iterator[Question]:
    for each in sources:
        title = f"{each.name} at {shown_url(each.base_url)}"
        yield Question(SOURCES, title, partial(_search, each, title, contact), warning)


def _search(source: SearchSource, title: str, contact: str) -> Finding:
    """Search like the service does, which also reveals a wrong token or address."""
    answer, seconds = fetch(source.base_url, source.label, source.request(QUERY, 1), contact)
    try:
        read_answer(source, answer, 1, time.time())
    except SourceError as failure:
        is_passing = failure.problem is SourceProblem.RATE_LIMITED or answer.status >= 500
        return (warning if is_passing else error)(
            SOURCES,
            f"{title}: status {answer.status} in {seconds:.1f} s. {failure.message}",
            _FIXES.get(failure.problem, NETWORK_FIX),
        )
    return in_time(SOURCES, f"{title}: status {answer.status}, {_tls(source)}", seconds)


def in_time(check: str, told: str, seconds: float) -> Finding:
    """Return a finding for a good answer, which may be slow."""
    told = f"{told}, in {seconds:.1f} s."
    if seconds > SLOW_SECONDS:
        return warning(
            check, told, "The response is slow. Check the network, or disable the source."
        )
    return ok(check, told)


def _tls(upstream: SearchSource | Collector) -> str:
    is_safe = upstream.base_url.startswith("https://")
    return "certificate trusted" if is_safe else "without TLS"


def _trust_questions(plugins: Loaded, contact: str) -> Iterator[Question]:
    """Yield a question for each address, because several collectors may share one."""
    collectors: dict[str, Collector] = {}
    for each in plugins.manager.registry.collectors.values():
        collectors.setdefault(each.base_url, each)
    for each in collectors.values():
        title = f"{each.title} at {shown_url(each.base_url)}"
        yield Question(TRUST, title, partial(_reach, each, title, contact), warning)


def _reach(collector: Collector, title: str, contact: str) -> Finding:
    """Check that the upstream answers at all. The status of its root, such as 404, does not
    matter.
    """
    answer, seconds = fetch(collector.base_url, collector.title, SourceRequest("/"), contact)
    told = f"{title}: status {answer.status}, {_tls(collector)}"
    if answer.status >= 500:
        return warning(
            TRUST, f"{told}, in {seconds:.1f} s.", "The request failed. Try again later."
        )
    return in_time(TRUST, told, seconds)
