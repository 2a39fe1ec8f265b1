"""The setting `CODEINTEL_OIDC_ISSUERS`: which providers' tokens and logins are accepted."""

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
"""Printable ASCII without spaces and the backslash, which some take for a slash."""


def is_safe(url: str) -> bool:
    """Whether secrets may go to a URL: by HTTPS, or on this machine; nobody's name is in it."""
    parts = _split(url)
    if parts is None or "@" in parts.netloc or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(url))


def is_loopback(url: str) -> bool:
    """Whether a URL leads to this machine."""
    parts = _split(url)
    host = (parts.hostname or "") if parts else ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_inside(url: str) -> bool:
    """Whether a URL leads to this machine or to what is next to it, such as the service by which a
    cloud tells a machine its credentials, in any spelling that a resolver takes."""
    parts = _split(url)
    host = (parts.hostname or "").rstrip(".") if parts else ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:  # `127.1`, `0x7f000001` and `2130706433` are all the same
        address = ip_address(socket.inet_aton(host) if ":" not in host else host)
    except (OSError, ValueError):
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified or address.is_link_local


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port, to tell whether two URLs lead to the same server."""
    parts = _split(url)
    if parts is None:
        return "", "", None
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname or "", port


def _split(url: str) -> SplitResult | None:
    """The parts of a URL; None if it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # which is checked only when it is asked for
    except ValueError:
        return None
    return parts if parts.hostname and _PLAIN.fullmatch(url) else None


MAX_ISSUER_CHARACTERS = 255
"""What is stored of it with an identity."""
_TEXTS = ("issuer", "audience", "client_id", "client_secret", "name", "jwks_uri")
_FIELDS = (*_TEXTS, "signup", "scope_map", "domains")
ANY_DOMAIN = "*"
_DOMAIN = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}")
_providers = json_list(
    '[{"issuer": "https://login.example.org", "audience": "https://code.example.org"}]'
)


class IssuerEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One provider.

    :param issuer: exactly as it stands in its tokens and in its discovery document.
    :param audience: what stands as `aud` in tokens meant for this API.
    :param client_id: of the browser login; empty: there is none with this provider.
    :param client_secret: empty for a public client, which has PKCE alone.
    :param signup: whether who is not known gets an account.
    :param scope_map: what each scope of a token gives here; None: tokens are not narrowed.
    :param domains: the domains of e-mail addresses that the provider may vouch for, in lower case;
        `*` for all. Accounts of other addresses get one that is made up.
    :param name: for people.
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
        """Without the secret: it may come into a log."""
        return f"IssuerEntry({self.issuer!r})"

    def vouches_for(self, email: str) -> bool:
        """Whether the provider may say whose an address is: only for domains that are its own, or
        another provider could make an account under a stranger's address."""
        domain = email.rpartition("@")[2].strip().lower()
        return bool(domain) and (domain in self.domains or ANY_DOMAIN in self.domains)

    @property
    def slug(self) -> str:
        """The name as part of an address."""
        return _slug(self.name)


def parse_issuers(value: Any) -> tuple[IssuerEntry, ...]:
    """A JSON list of providers.

    :raises ValueError: with what would be right. No value is repeated: it may be a secret that
        stands in the wrong place.
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
            raise ValueError(f"must have plain text without spaces around it as `{name}`")
    issuer, audience = given.get("issuer", ""), given.get("audience", "")
    if not is_safe(issuer) or "?" in issuer or len(issuer) > MAX_ISSUER_CHARACTERS:
        raise ValueError(
            "must have an HTTPS URL as `issuer` in every entry, without user, query and fragment; "
            "plain HTTP only on loopback"
        )
    if not audience:
        raise ValueError("must have an `audience` in every entry: tokens for others come with it")
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
    """Domains of addresses, in lower case."""
    if not isinstance(given, list) or not all(
        isinstance(each, str) and (each == ANY_DOMAIN or _DOMAIN.fullmatch(each)) for each in given
    ):
        raise ValueError('must have a list of domains as `domains`, such as `["example.org"]`')
    return frozenset(each.lower() for each in given)


def _scope_map(given: Any) -> dict[str, frozenset[Scope]]:
    """What scopes of tokens give: a scope of ours, or a list of them, for each."""
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
            "must have another `audience` than any `client_id`: ID tokens, which any site behind "
            "the same provider gets, would be taken for tokens of this API"
        )
    if _has_repeats([each.issuer.rstrip("/") for each in entries]):
        raise ValueError("must have every `issuer` once")
    if _has_repeats([each.slug for each in entries]):
        raise ValueError("must have a different `name` in every entry")


def _has_repeats(texts: Sequence[str]) -> bool:
    return any(count > 1 for count in Counter(texts).values())


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
