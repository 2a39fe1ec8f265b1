"""Which models there are, where, and how they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any
from urllib.parse import urlsplit

from codeintel.contracts import Model, Setting
from codeintel.contracts.settings import (
    SettingError,
    base_url,
    flag,
    json_list,
    number,
    seconds,
    text,
    token,
    whole,
)

_FALLBACK_FIELDS = {"base_url": True, "api_key": False, "flash": False, "pro": False}
"""Fields of an entry of CODEINTEL_AI_FALLBACKS, and whether it must have them."""


_base_url = base_url("http://localhost:11434/v1")
_other_apis = json_list('[{"base_url": "http://other:8000/v1"}]')


def _url_or_none(value: Any) -> str:
    return _base_url(value) if text(value) else ""


def _fallbacks(value: Any) -> list[dict[str, str]]:
    return [_fallback(entry) for entry in _other_apis(value)]


def _fallback(entry: dict[str, Any]) -> dict[str, str]:
    unknown = sorted(entry.keys() - _FALLBACK_FIELDS.keys())
    if unknown:
        raise ValueError(f"has an unknown field {unknown[0]!r}: use {', '.join(_FALLBACK_FIELDS)}")
    for name, required in _FALLBACK_FIELDS.items():
        if required and name not in entry:
            raise ValueError(f"has an entry without {name!r}")
    parsers = {"base_url": _base_url, "api_key": token}
    return {name: parsers.get(name, text)(given) for name, given in entry.items()}


def _temperature(value: Any) -> float | None:
    return None if value in ("", None) else number(0, 2)(value)


BASE_URL = Setting(
    "CODEINTEL_AI_BASE_URL",
    "",
    "URL of an OpenAI-compatible API, such as `http://localhost:11434/v1`. Empty: no model.",
    parse=_url_or_none,
)
API_KEY = Setting(
    "CODEINTEL_AI_API_KEY", "", "Key for the API, if it needs one.", parse=token, secret=True
)
MODEL_FLASH = Setting(
    "CODEINTEL_AI_MODEL_FLASH", "", "Name of the model for `flash`. Empty: the model for `pro`."
)
MODEL_PRO = Setting(
    "CODEINTEL_AI_MODEL_PRO", "", "Name of the model for `pro`. Empty: the model for `flash`."
)
FALLBACKS = Setting(
    "CODEINTEL_AI_FALLBACKS",
    [],
    "Fallback APIs, tried in order if the first cannot start: a JSON list of objects with "
    "`base_url`, optionally `api_key`, and `flash` and `pro` if the names of models differ.",
    parse=_fallbacks,
    secret=True,
)
FALLBACK_STATIC = Setting(
    "CODEINTEL_AI_FALLBACK_STATIC",
    True,
    "Whether the static engine answers if no model can start.",
    parse=flag,
)
STATIC_EVIDENCE = Setting(
    "CODEINTEL_AI_STATIC_EVIDENCE",
    True,
    "Whether analyzers run first and the model receives their findings.",
    parse=flag,
)
TEMPERATURE = Setting(
    "CODEINTEL_AI_TEMPERATURE",
    0.2,
    "Sampling temperature. Empty: the API's default.",
    parse=_temperature,
)
MAX_TOKENS = Setting(
    "CODEINTEL_AI_MAX_TOKENS",
    4_096,
    "Maximum length of an answer, in tokens.",
    parse=whole(16, 1_000_000),
)
CONNECT_TIMEOUT = Setting(
    "CODEINTEL_AI_CONNECT_TIMEOUT",
    5.0,
    "Timeout in seconds to connect to an API.",
    parse=seconds(0.01),
)
FIRST_TOKEN_TIMEOUT = Setting(
    "CODEINTEL_AI_FIRST_TOKEN_TIMEOUT",
    30.0,
    "Timeout in seconds from the request to the first token.",
    parse=seconds(0.01),
)
TOKEN_TIMEOUT = Setting(
    "CODEINTEL_AI_TOKEN_TIMEOUT",
    20.0,
    "Timeout in seconds between two tokens.",
    parse=seconds(0.01),
)
RETRIES = Setting(
    "CODEINTEL_AI_RETRIES",
    2,
    "Number of retries of each API after a temporary failure, before the first token.",
    parse=whole(0, 10),
)
REPAIR_ROUNDS = Setting(
    "CODEINTEL_AI_REPAIR_ROUNDS",
    2,
    "Number of times that a model gets the failed checks of its new code and can repair it.",
    parse=whole(0, 10),
)
SETTINGS = (
    BASE_URL, API_KEY, MODEL_FLASH, MODEL_PRO, FALLBACKS, FALLBACK_STATIC, STATIC_EVIDENCE,
    TEMPERATURE, MAX_TOKENS, CONNECT_TIMEOUT, FIRST_TOKEN_TIMEOUT, TOKEN_TIMEOUT, RETRIES,
    REPAIR_ROUNDS,
)  # fmt: skip


@dataclass(frozen=True)
class Endpoint:
    """An API with its models."""

    base_url: str
    api_key: str = field(repr=False)
    models: Mapping[Model, str]

    @property
    def host(self) -> str:
        """Its host and port, to be named in logs."""
        return urlsplit(self.base_url).netloc


@dataclass(frozen=True)
class Options:
    """The settings, typed. Durations are in seconds."""

    endpoints: tuple[Endpoint, ...]
    fallback_static: bool
    static_evidence: bool
    temperature: float | None
    max_tokens: int
    connect_timeout: float
    first_token_timeout: float
    begin_timeout: float
    """For all tries together."""
    token_timeout: float
    retries: int
    repair_rounds: int


def read_options(config: Mapping[str, Any]) -> Options:
    """Return the settings from checked values."""
    first_token_timeout = _value(config, FIRST_TOKEN_TIMEOUT)
    return Options(
        endpoints=tuple(_endpoints(config)),
        fallback_static=_value(config, FALLBACK_STATIC),
        static_evidence=_value(config, STATIC_EVIDENCE),
        temperature=_value(config, TEMPERATURE),
        max_tokens=_value(config, MAX_TOKENS),
        connect_timeout=_value(config, CONNECT_TIMEOUT),
        first_token_timeout=first_token_timeout,
        # A run that uses up its time is charged: one whose models hang must end, or be answered by
        # the static engine, well before.
        begin_timeout=min(2 * first_token_timeout, config.get("CODEINTEL_RUN_TIMEOUT", inf) / 2),
        token_timeout=_value(config, TOKEN_TIMEOUT),
        retries=_value(config, RETRIES),
        repair_rounds=_value(config, REPAIR_ROUNDS),
    )


def _value(config: Mapping[str, Any], setting: Setting) -> Any:
    return config.get(setting.name, setting.default)


def _endpoints(config: Mapping[str, Any]) -> list[Endpoint]:
    """Return the first API and the others; none without a URL.

    :raises SettingError: if there is a URL and no model.
    """
    flash, pro = _value(config, MODEL_FLASH), _value(config, MODEL_PRO)
    if not _value(config, BASE_URL):
        return []
    if not flash and not pro:
        raise SettingError(
            f"{BASE_URL.name} is set, but no model: set {MODEL_FLASH.name} or {MODEL_PRO.name}."
        )
    first = {"base_url": _value(config, BASE_URL), "api_key": _value(config, API_KEY)}
    found = []
    for entry in (first, *_value(config, FALLBACKS)):
        fast, good = entry.get("flash", flash), entry.get("pro", pro)
        models = {Model.FLASH: fast or good, Model.PRO: good or fast}
        found.append(Endpoint(entry["base_url"], entry.get("api_key", ""), models))
    return found
