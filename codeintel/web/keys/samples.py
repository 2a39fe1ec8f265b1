"""Commands that try a key, by what it may do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from codeintel.base.scopes import Scope
from codeintel.web.samples import curl

_CODE = "def load(path):\n    return eval(open(path).read())\n"


class Command(NamedTuple):
    """What to type into a terminal."""

    title: str
    text: str


class _Call(NamedTuple):
    scope: Scope | None
    title: str
    method: str
    path: str
    body: dict[str, Any] | None = None


_CALLS = (
    _Call(
        Scope.ANALYSIS_WRITE,
        "Analyse code",
        "POST",
        "/api/v1/analyze/stream",
        {"code": _CODE, "language": "python"},
    ),
    _Call(
        Scope.TRANSFORM_WRITE,
        "Transform code",
        "POST",
        "/api/v1/transform/stream",
        {"code": _CODE, "transformation": "modernize", "language": "python"},
    ),
    _Call(Scope.SEARCH_READ, "Search the registries", "GET", "/api/v1/search?q=redis"),
    _Call(Scope.ACCOUNT_READ, "Read the account", "GET", "/api/v1/account"),
)
_ANY = _Call(None, "See that the key is accepted", "GET", "/api/v1/capabilities")


def commands(base: str, token: str, scopes: Collection[Scope]) -> list[Command]:
    """One for each thing that the key may do; the first one sets the variable that all use.

    :param base: origin of the service.
    """
    calls = [
        call for call in _CALLS if call.scope in scopes or (Scope.API_V1 in scopes and call.scope)
    ] or [_ANY]
    made = [Command(call.title, _curl(base, call)) for call in calls]
    setting = f"export CODEINTEL_API_KEY={token}\n"
    return [Command(made[0].title, setting + made[0].text), *made[1:]]


def _curl(base: str, call: _Call) -> str:
    return curl(
        base, call.method, call.path, key=True, example=call.body, stream=call.body is not None
    )
