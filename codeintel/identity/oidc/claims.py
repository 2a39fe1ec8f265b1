"""What a token must say of itself before anything in it is believed (RFC 7519, RFC 9068)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from joserfc.registry import Header

LEEWAY_SECONDS = 30.0
"""By which another machine's clock may be ahead of ours. What has expired has expired."""
MAX_SUBJECT_CHARACTERS = 255
_ACCESS = "at+jwt"
_TYPES = {"", "jwt", _ACCESS}
_ONLY_IN_ID_TOKENS = ("nonce", "at_hash", "c_hash", "s_hash")

Claims = Mapping[str, Any]


class InvalidTokenError(Exception):
    """The token proves nothing. Nobody is told which of its faults was found."""


def check_claims(claims: Claims, *, issuer: str, audience: str, now: float) -> str:
    """The subject of a token whose signature is right.

    :param now: in seconds since 1970.
    :raises InvalidTokenError: unless it is the issuer's, for this audience, and now.
    """
    if claims.get("iss") != issuer:
        raise InvalidTokenError
    audiences = claims.get("aud")
    audiences = [audiences] if isinstance(audiences, str) else audiences
    if not isinstance(audiences, list) or audience not in audiences:
        raise InvalidTokenError
    check_times(claims, now)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_CHARACTERS:
        raise InvalidTokenError
    if not subject.isprintable():
        raise InvalidTokenError
    return subject


def check_times(claims: Claims, now: float) -> None:
    """
    :raises InvalidTokenError: unless `exp` is to come, and neither `nbf` nor `iat`.
    """
    if not _number(claims.get("exp")) > now:
        raise InvalidTokenError
    for name in ("nbf", "iat"):
        if name in claims and not _number(claims[name]) <= now + LEEWAY_SECONDS:
            raise InvalidTokenError


def check_purpose(header: Header, claims: Claims, client_id: str) -> None:
    """Refuse ID tokens, logout tokens and the like, which are signed with the same keys.

    An access token says so by `typ` in its header (RFC 9068, 2.1), or, from Keycloak, among its
    claims. One that says nothing must at least not look like an ID token.

    :raises InvalidTokenError: for such a token.
    """
    told = str(header.get("typ", "")).lower().removeprefix("application/")
    kind = claims.get("typ", "")
    if told not in _TYPES or kind not in ("", "Bearer") or "events" in claims:
        raise InvalidTokenError
    if told == _ACCESS or kind == "Bearer":
        return
    audiences = claims.get("aud")
    is_for_client = bool(client_id) and client_id in (audiences, *_listed(audiences))
    if is_for_client or any(name in claims for name in _ONLY_IN_ID_TOKENS):
        raise InvalidTokenError


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> float:
    """A time; not a number, which compares with nothing, for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value) if math.isfinite(value) else math.nan
    except OverflowError:
        return math.nan
