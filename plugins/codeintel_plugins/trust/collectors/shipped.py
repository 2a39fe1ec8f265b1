"""Where the upstream of a collector that ships lies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Collector, Setting
from codeintel.contracts.settings import base_url

Config = Mapping[str, Any]
Register = Callable[[Collector], None]


@dataclass(frozen=True)
class Upstream:
    """A service without tokens, which several collectors may ask.

    :param title: for people.
    :param setting: the name of the setting with the URL of its API.
    :param url: of its public instance.
    """

    title: str
    setting: str
    url: str

    def settings(self) -> Callable[..., None]:
        """`register_settings` of the one module that declares the setting."""

        def register_settings(register: Callable[[Setting], None]) -> None:
            parse = base_url("https://api.example.org")
            register(Setting(self.setting, self.url, f"API of {self.title}.", parse=parse))

        return hookimpl(register_settings)

    def collector(self, make: type[Collector], name: str) -> Callable[..., None]:
        """`register_trust_scorers` of a module with one collector."""

        def register_trust_scorers(register: Register, config: Config) -> None:
            register(make(name, config.get(self.setting, self.url)))

        return hookimpl(register_trust_scorers)
