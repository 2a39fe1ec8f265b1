"""Signed, expiring download links."""
import hashlib
import hmac
import os
import time
from urllib.parse import urlencode

LIFETIME = 15 * 60
SIGNATURE_FIELD = "sig"
LINK_SIGNING_KEY = "LINK_SIGNING_KEY"


def _signature(path: str, expires: int) -> str:
    message = f"{path}\n{expires}".encode()
    key = os.environ[LINK_SIGNING_KEY].encode("utf-8")
    return hmac.new(key, message, hashlib.sha256).hexdigest()


def make_link(path: str, now: float | None = None) -> str:
    expires = int(now if now is not None else time.time()) + LIFETIME
    query = urlencode({"exp": expires, SIGNATURE_FIELD: _signature(path, expires)})
    return f"{path}?{query}"


def check_link(path: str, query: dict[str, str], now: float | None = None) -> bool:
    try:
        expires = int(query["exp"])
    except (KeyError, ValueError):
        return False
    if expires < (now if now is not None else time.time()):
        return False
    given = query.get(SIGNATURE_FIELD, "").encode("utf-8")
    return hmac.compare_digest(_signature(path, expires).encode("ascii"), given)
