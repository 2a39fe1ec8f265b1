"""How a request gets to the service: its URL, the credential, redirects and proxies."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import requests
from requests.auth import AuthBase


class Bearer(AuthBase):
    """Sets the key as the credential.

    An object of this kind, rather than a header, because `requests` overwrites the header with
    what a `.netrc` file has for the host, and asks that file only when a request has no `auth`.
    """

    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._key}"
        return request


class Anonymous(AuthBase):
    """Sends no credential, not even one that a `.netrc` file has for the host."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


class Session(requests.Session):
    """Takes no answer for a redirect. With `allow_redirects=False` alone, `requests` still reads
    the whole body of one, of any length, and fails on a target that is no URL."""

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002
        return None


def service_url(url: str) -> str:
    """The URL without a slash at its end."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or not url.isprintable() or " " in url:
        raise ValueError("The URL must be one like `https://code.example.org`.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("The URL must have no user name, password, query or fragment.")
    return url.rstrip("/")


def credential(key: str) -> str:
    """The key, if it can stand in a header: the libraries below quote a bad one in their errors."""
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("The API key is empty, or has characters that no key has.")
    return key


def proxies(url: str) -> dict[str, str]:
    """What `requests` is told about proxies besides the environment's: none for this machine."""
    host = urlsplit(url).hostname or ""
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost" or host.endswith(".localhost")
    return {"no_proxy": host} if local else {}
