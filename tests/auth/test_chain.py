"""The chain of authenticators, and what scopes allow."""

from __future__ import annotations

import pytest
from support import User, make_user

from codeintel.app import Services
from codeintel.base import key_format
from codeintel.base.entitlements import Scope, Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.auth.caller import (
    ANONYMOUS,
    ApiKeyAuthenticator,
    Caller,
    CallerChain,
    Credential,
    Proof,
    allows,
)

SOMEBODY = Caller(proof=Proof.JWT, account_id="acc_1")


class Fixed:
    """Claims what begins with its prefix and answers always the same."""

    def __init__(self, prefix: str, answer: Caller | None) -> None:
        self.prefix = prefix
        self.answer = answer
        self.asked = 0

    def claims(self, credential: Credential) -> bool:
        return credential.token.startswith(self.prefix)

    def authenticate(self, _: Credential) -> Caller | None:
        self.asked += 1
        return self.answer


def refuses(chain: CallerChain, token: str) -> bool:
    with pytest.raises(ServiceError) as caught:
        chain.identify(Credential(token))
    assert token not in caught.value.message
    return caught.value.code is ErrorCode.UNAUTHORIZED


def test_no_credential_is_nobody() -> None:
    assert CallerChain([Fixed("", SOMEBODY)]).identify(None) is ANONYMOUS
    assert ANONYMOUS.is_anonymous
    assert not SOMEBODY.is_anonymous


def test_the_first_that_claims_a_credential_decides() -> None:
    first, second = Fixed("a", None), Fixed("", SOMEBODY)
    chain = CallerChain([first, second])
    assert chain.identify(Credential("xyz")) is SOMEBODY
    assert refuses(chain, "abc")
    assert (first.asked, second.asked) == (1, 1)


def test_a_credential_that_nobody_claims_is_refused() -> None:
    assert refuses(CallerChain([Fixed("a", SOMEBODY)]), "xyz")
    assert refuses(CallerChain([]), "xyz")


def test_an_api_key_makes_its_accounts_caller(services: Services) -> None:
    user = make_user(services, tier=Tier.TEAM, unlimited=True, scopes=("account:read",))
    caller = services.callers.identify(Credential(user.token))
    [record] = services.keys.list(user.account.id)
    assert caller == Caller(
        proof=Proof.API_KEY,
        account_id=user.account.id,
        tier=Tier.TEAM,
        unlimited=True,
        scopes=frozenset({"account:read"}),
        key_id=record.id,
    )
    assert record.last_used_at is not None


def test_a_bad_api_key_never_falls_back(services: Services, user: User) -> None:
    chain = CallerChain([ApiKeyAuthenticator(services.keys), Fixed("", SOMEBODY)])
    services.keys.revoke(user.account.id, services.keys.list(user.account.id)[0].id)
    for token in (user.token, user.token[:-1] + "!", "ci_live_", key_format.make_token()):
        assert refuses(chain, token)
    assert chain.identify(Credential("something else")) is SOMEBODY


# What each scope covers; only `api:v1` covers more than itself.
COVERED = {
    Scope.API_V1: set(Scope) - {Scope.WORKSPACE_WRITE},
    **{scope: {scope} for scope in Scope if scope is not Scope.API_V1},
}


@pytest.mark.parametrize("required", list(Scope))
@pytest.mark.parametrize("granted", list(Scope))
def test_what_a_scope_covers(granted: Scope, required: Scope) -> None:
    covered = required in COVERED[granted]
    assert allows({granted}, required) is covered
    caller = Caller(proof=Proof.API_KEY, account_id="acc_1", scopes=frozenset({granted}))
    if covered:
        caller.require(required)
        return
    with pytest.raises(ServiceError) as caught:
        caller.require(required)
    assert caught.value.code is ErrorCode.INSUFFICIENT_SCOPE
    assert caught.value.details == {"required": required, "granted": [granted]}


@pytest.mark.parametrize(
    ("granted", "required", "allowed"),
    [
        (set(), Scope.ACCOUNT_READ, False),
        ({"api:v1", "workspace:write"}, Scope.WORKSPACE_WRITE, True),
        ({"search:read", "account:read"}, Scope.ANALYSIS_WRITE, False),
        ({"search:read", "account:read"}, Scope.ACCOUNT_READ, True),
        ({"API:V1"}, Scope.ACCOUNT_READ, False),
    ],
)
def test_scopes_together(granted: set[str], required: Scope, allowed: bool) -> None:
    assert allows(granted, required) is allowed


def test_a_caller_without_scopes_is_not_narrowed() -> None:
    for scope in Scope:
        SOMEBODY.require(scope)
