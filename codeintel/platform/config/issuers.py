"""The setting `CODEINTEL_OIDC_ISSUERS`: the providers whose tokens and logins are accepted."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from codeintel.base.entitlements import Scope
from codeintel.base.setting_values import json_list

_PLAIN = re.compile(r"[!-\[\]-~]{1,2048}")
"""Printable ASCII without spaces, and without the backslash, which some parsers read as a slash."""


def is_safe(url: str) -> bool:
    """Return whether secrets may be sent to a URL: over HTTPS or to this machine, without
    user info.
    """
    parts = _split(url)
    if parts is None or "@" in parts.netloc or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(url))


def is_loopback(url: str) -> bool:
    """Return whether a URL leads to this machine."""
    parts = _split(url)
    host = (parts.hostname or "") if parts else ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_inside(url: str) -> bool:
    """Return whether a URL leads to this machine or its link-local network, in any spelling.

    That network includes the service by which a cloud tells a machine its credentials.
    """
    parts = _split(url)
    host = (parts.hostname or "").rstrip(".") if parts else ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:  # `127.1`, `0x7f000001` and `2130706433` are all the same address
        address = ip_address(socket.inet_aton(host) if ":" not in host else host)
    except (OSError, ValueError):
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified or address.is_link_local


def origin(url: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port, which are equal if two URLs lead to the same server."""
    parts = _split(url)
    if parts is None:
        return "", "", None
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname or "", port


def _split(url: str) -> SplitResult | None:
    """Return the parts of a URL, or None if it is invalid."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # the port is checked only when it is read
    except ValueError:
        return None
    return parts if parts.hostname and _PLAIN.fullmatch(url) else None


MAX_ISSUER_CHARACTERS = 255
"""Maximum length that is stored with an identity."""
_TEXTS = ("issuer", "audience", "client_id", "client_secret", "name", "jwks_uri")
_FIELDS = (*_TEXTS, "signup", "scope_map", "domains")
ANY_DOMAIN = "*"
_DOMAIN = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}")
_providers = json_list(
    '[{"issuer": "https://login.example.org", "audience": "https://code.example.org"}]'
)


class IssuerEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A provider of identities.

    :param issuer: the issuer exactly as in its tokens and its discovery document.
    :param audience: the `aud` of tokens that are meant for this API.
    :param client_id: for browser logins; empty: this provider has none.
    :param client_secret: empty for a public client, which uses PKCE alone.
    :param signup: whether unknown users get an account.
    :param scope_map: the scopes here for each scope of a token; None: tokens are not narrowed.
    :param domains: the lower-case domains of e-mail addresses that the provider may vouch for; `*`
        for all. Accounts with other addresses get a made-up address.
    :param name: its displayed name.
    :param jwks_uri: where its keys are; empty: where its discovery document says, on its own host.
    """

    issuer: str
    audience: str
    client_id: str = ""
    client_secret: str = ""
    signup: bool = False
    scope_map: Mapping[str, frozenset[Scope]] | None = None
    domains: frozenset[str] = frozenset()
    name: str = ""
    jwks_uri: str = ""

    def __repr__(self) -> str:
        """Leave out the secret, because this text may be logged."""
        return f"IssuerEntry({self.issuer!r})"

    def vouches_for(self, email: str) -> bool:
        """Return whether the provider may say who owns an address.

        A provider may only do so for its own domains. Otherwise it could create an account under a
        stranger's address.
        """
        domain = email.rpartition("@")[2].strip().lower()
        return bool(domain) and (domain in self.domains or ANY_DOMAIN in self.domains)

    @property
    def slug(self) -> str:
        """The name as part of a URL."""
        return _slug(self.name)


def parse_issuers(value: Any) -> tuple[IssuerEntry, ...]:
    """Parse a JSON list of providers.

    :raises ValueError: if the list is invalid. The message says what would be right and repeats no
        value, because a secret may be in the wrong field.
    """
    entries = tuple(_entry(each) for each in _providers(value))
    _check_together(entries)
    return entries


def _entry(given: dict[str, Any]) -> IssuerEntry:
    if given.keys() - set(_FIELDS):
        raise ValueError(f"must have no other fields than {', '.join(_FIELDS)}")
    for name in _TEXTS:
        text = given.get(name, "")
        is_plain = isinstance(text, str) and text == text.strip() and text.isprintable()
        if not is_plain or not (text.isascii() or name == "name"):
            raise ValueError(f"must have a text without surrounding spaces as `{name}`")
    issuer, audience = given.get("issuer", ""), given.get("audience", "")
    if not is_safe(issuer) or "?" in issuer or len(issuer) > MAX_ISSUER_CHARACTERS:
        raise ValueError(
            "must have an HTTPS URL as `issuer` in every entry, without user, query and fragment; "
            "plain HTTP only on loopback"
        )
    if not audience:
        raise ValueError(
            "must have an `audience` in every entry, because the provider also issues tokens for "
            "other services"
        )
    if given.get("jwks_uri") and not is_safe(given["jwks_uri"]):
        raise ValueError("must have an HTTPS URL as `jwks_uri`; plain HTTP only on loopback")
    if given.get("client_secret") and not given.get("client_id"):
        raise ValueError("must have the `client_id` that a `client_secret` belongs to")
    if not isinstance(given.get("signup", False), bool):
        raise ValueError("must have `true` or `false` as `signup`")
    name = given.get("name") or urlsplit(issuer).netloc
    if not _slug(name):
        raise ValueError("must have a `name` with a letter or digit in it")
    mapped = _scope_map(given["scope_map"]) if "scope_map" in given else None
    domains = _domains(given.get("domains", []))
    return IssuerEntry(**{**given, "name": name, "scope_map": mapped, "domains": domains})


def _domains(given: Any) -> frozenset[str]:
    """Return the domains of addresses, in lower case."""
    if not isinstance(given, list) or not all(
        isinstance(each, str) and (each == ANY_DOMAIN or _DOMAIN.fullmatch(each)) for each in given
    ):
        raise ValueError('must have a list of domains as `domains`, such as `["example.org"]`')
    return frozenset(each.lower() for each in given)


def _scope_map(given: Any) -> dict[str, frozenset[Scope]]:
    """Return the scopes here for each scope of a token: one scope, or a list of them."""
    if not isinstance(given, dict) or not given:
        raise ValueError('must have an object like `{"code.read": ["search:read"]}` as `scope_map`')
    mapped = {}
    for theirs, ours in given.items():
        names = [ours] if isinstance(ours, str) else ours
        if not isinstance(names, list) or not names or not all(each in _SCOPES for each in names):
            raise ValueError(f"must map to scopes of this service in `scope_map`: {_ALL}")
        if not theirs or any(character.isspace() for character in theirs):
            raise ValueError("must map single scopes in `scope_map`, without spaces in them")
        mapped[theirs] = frozenset(Scope(each) for each in names)
    return mapped


_SCOPES: Sequence[Any] = tuple(Scope)
_ALL = ", ".join(Scope)


def _check_together(entries: Sequence[IssuerEntry]) -> None:
    clients = {each.client_id for each in entries if each.client_id}
    if any(each.audience in clients for each in entries):
        raise ValueError(
            "must have an `audience` that differs from every `client_id`. Otherwise ID tokens, "
            "which any site of the same provider gets, would be accepted as tokens of this API"
        )
    if _has_repeats([each.issuer.rstrip("/") for each in entries]):
        raise ValueError("must have different `issuer` values")
    if _has_repeats([each.slug for each in entries]):
        raise ValueError("must have a different `name` in every entry")


def _has_repeats(texts: Sequence[str]) -> bool:
    return any(count > 1 for count in Counter(texts).values())


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
