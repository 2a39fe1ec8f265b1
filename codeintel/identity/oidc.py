"""OpenID Connect providers: the discovery document, the keys, and the claims of tokens."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

import msgspec
from gevent.lock import BoundedSemaphore
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry
from joserfc.registry import Header

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import SourceError, SourceRequest
from codeintel.platform.config.issuers import IssuerEntry, is_inside, is_loopback, is_safe, origin
from codeintel.platform.upstreams.fetching import Fetcher

log = logging.getLogger(__name__)
KEPT_SECONDS = 86_400.0
"""The time for which fetched data is used while the provider cannot be reached."""
FAILURE_SECONDS = 5.0
"""The seconds before another request to an unreachable provider, without cached data."""
REFETCH_SECONDS = 30.0
"""The same with cached data, and between two early refreshes of fresh data."""
LEEWAY_SECONDS = 30.0
"""The maximum by which another machine's clock may be ahead. Expiration has no tolerance."""
DISCOVERY_PATH = "/.well-known/openid-configuration"
DEADLINE_SECONDS = 5.0
MAX_DOCUMENT_BYTES = 512 * 1024
METADATA_SECONDS = 3_600.0
KEYS_SECONDS = 600.0
T = TypeVar("T")
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
"""All of them are asymmetric, so published keys can only verify."""
MIN_RSA_BITS = 2_048
MAX_KEYS = 100
MAX_SUBJECT_CHARACTERS = 255
Claims = Mapping[str, Any]
PublicKey = RSAKey | ECKey | OKPKey
_TYPES: dict[str, type[RSAKey] | type[ECKey] | type[OKPKey]] = {
    "RSA": RSAKey,
    "EC": ECKey,
    "OKP": OKPKey,
}
_PARTS = {"RSA": ("n", "e"), "EC": ("crv", "x", "y"), "OKP": ("crv", "x")}
"""The public parts of a key. A private part that was published by mistake is never read."""
_ACCESS = "at+jwt"
_CLAIM_TYPES = {"", "jwt", _ACCESS}
_ONLY_IN_ID_TOKENS = ("nonce", "at_hash", "c_hash", "s_hash")


class Cached(Generic[T]):
    """A value that one greenlet at a time fetches. The others use the old value, or wait if there
    is no value.

    :param fetch: raises :class:`ServiceError` if the provider cannot be reached.
    :param fresh_seconds: the time before it is fetched again.
    """

    def __init__(self, fetch: Callable[[], T], fresh_seconds: float) -> None:
        self._fetch = fetch
        self._fresh_seconds = fresh_seconds
        self._lock = BoundedSemaphore()
        self._value: T | None = None
        self._fetched = self._refetched = self._failed = -KEPT_SECONDS
        self._failure: ServiceError | None = None

    def get(self) -> T:
        """Return the value. Fetch it if it is old or missing.

        :raises ServiceError: the error of `fetch`, if no usable value exists.
        """
        value = self._kept()
        if value is not None and self._age() < self._fresh_seconds:
            return value
        if not self._lock.acquire(blocking=value is None):
            return self._kept_or_failure()  # another greenlet is fetching it
        try:
            if self._kept() is None or self._age() >= self._fresh_seconds:
                self._try()
        finally:
            self._lock.release()
        return self._kept_or_failure()

    def newer_than(self, old: T) -> T:
        """Return the current value. Fetch it if it is still `old`, unless it was fetched recently.

        :raises ServiceError: the error of `fetch`, if the provider cannot be reached. Then it is
            unknown whether `old` is still right.
        """
        with self._lock:
            if self._kept() is old and time.monotonic() - self._refetched >= REFETCH_SECONDS:
                self._refetched = time.monotonic()
                self._try()
        if self._failure is not None:
            raise _copy(self._failure)
        return self._kept_or_failure()

    def _try(self) -> None:
        """Fetch the value, unless that has just failed."""
        pause = FAILURE_SECONDS if self._kept() is None else REFETCH_SECONDS
        if self._failure is not None and time.monotonic() - self._failed < pause:
            return
        try:
            self._value = self._fetch()
        except ServiceError as error:
            self._failure, self._failed = _copy(error), time.monotonic()
        else:
            self._fetched, self._failure = time.monotonic(), None

    def _age(self) -> float:
        return time.monotonic() - self._fetched

    def _kept(self) -> T | None:
        return self._value if self._age() < KEPT_SECONDS else None

    def _kept_or_failure(self) -> T:
        value = self._kept()
        if value is not None:
            return value
        if self._failure is None:
            raise RuntimeError("nothing was fetched and nothing failed")
        raise _copy(self._failure)


def _copy(error: ServiceError) -> ServiceError:
    """Copy an error without its traceback, which would keep local variables alive."""
    return ServiceError(error.code, error.message, retry_after=error.retry_after)


class Registry(JWSRegistry):
    """Allows only the algorithms above, regardless of a token's header or a library's default."""

    def __init__(self) -> None:
        super().__init__(algorithms=ALGORITHMS, strict_check_header=False)

    def get_alg(self, name: str) -> Any:
        # joserfc warns about the name EdDSA, which providers still use for Ed25519
        return self.algorithms[name] if name in ALGORITHMS else super().get_alg(name)


REGISTRY = Registry()


class IssuerKeys:
    """The keys of an issuer.

    :param document: a JWK set (RFC 7517, 5). Entries that cannot verify signatures are ignored.
    """

    def __init__(self, document: Any) -> None:
        given = document.get("keys") if isinstance(document, dict) else None
        if not isinstance(given, list):
            raise ValueError("is not a key set")
        imported = (_imported(each) for each in given[:MAX_KEYS])
        self.keys: Sequence[tuple[str | None, PublicKey]] = [each for each in imported if each]
        """The keys, each with its `kid`."""

    def fitting(self, header: Header) -> PublicKey | None:
        """Return the key for a token by its `kid`, or without one the only key that fits its
        algorithm. None if there is no such key, or several.
        """
        kid, algorithm = header.get("kid"), str(header.get("alg"))
        found = [
            key
            for its_kid, key in self.keys
            if (kid is None or its_kid == kid) and _fits(key, algorithm)
        ]
        return found[0] if len(found) == 1 else None


def _imported(given: Any) -> tuple[str | None, PublicKey] | None:
    """Return a public signature key with its `kid`, or None for anything else."""
    if not isinstance(given, dict) or given.get("use", "sig") != "sig":
        return None
    type_ = _TYPES.get(str(given.get("kty")))
    kid, algorithm = given.get("kid"), given.get("alg")
    if type_ is None or not isinstance(kid, str | None) or not isinstance(algorithm, str | None):
        return None
    parts: dict[str, Any] = {name: given.get(name) for name in ("kty", *_PARTS[given["kty"]])}
    if algorithm is not None:
        parts["alg"] = algorithm
    if type_ is RSAKey and len(str(parts["n"])) * 6 < MIN_RSA_BITS:
        return None  # joserfc would only warn
    try:
        key: Any = type_.import_key(parts)
    except (JoseError, ValueError, TypeError, KeyError):
        return None
    is_strong = type_ is not RSAKey or key.public_key.key_size >= MIN_RSA_BITS
    return (kid, key) if is_strong else None


def _fits(key: PublicKey, algorithm: str) -> bool:
    """Return whether an algorithm fits a key's kind, and equals the key's algorithm if it names
    one.
    """
    if algorithm not in ALGORITHMS:
        return False
    if algorithm == "EdDSA":  # the name leaves the curve open, and no provider uses Ed448
        return isinstance(key, OKPKey) and key.curve_name == "Ed25519" and key.alg != "Ed25519"
    try:
        REGISTRY.get_alg(algorithm).check_key(key)
    except JoseError:
        return False
    return True


class InvalidTokenError(Exception):
    """The token is invalid. The caller never learns the reason."""


def check_claims(claims: Claims, *, issuer: str, audience: str, now: float) -> str:
    """Check the claims of a token with a valid signature, and return its subject.

    :param now: in seconds since 1970.
    :raises InvalidTokenError: unless the issuer, the audience and the times are right.
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
    """Check the times of a token.

    :raises InvalidTokenError: unless `exp` is in the future, and `nbf` and `iat` are not.
    """
    if not _number(claims.get("exp")) > now:
        raise InvalidTokenError
    for name in ("nbf", "iat"):
        if name in claims and not _number(claims[name]) <= now + LEEWAY_SECONDS:
            raise InvalidTokenError


def check_purpose(header: Header, claims: Claims, client_id: str) -> None:
    """Reject ID tokens, logout tokens and similar ones, which have signatures of the same keys. An
    access token is marked by `typ` in its header (RFC 9068, 2.1), or, from Keycloak, in its claims.
    A token without a mark must at least not look like an ID token.

    :raises InvalidTokenError: for such a token.
    """
    told = str(header.get("typ", "")).lower().removeprefix("application/")
    kind = claims.get("typ", "")
    if told not in _CLAIM_TYPES or kind not in ("", "Bearer") or "events" in claims:
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
    """Return a time as a number. Anything else becomes NaN, which fails every comparison."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value) if math.isfinite(value) else math.nan
    except OverflowError:
        return math.nan


class Metadata(msgspec.Struct, frozen=True):
    """The required fields of a discovery document (OpenID Connect Discovery 1.0, 3)."""

    issuer: str
    jwks_uri: str
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class Provider:
    """Fetches the documents of an entry's provider, only from their own addresses.

    Answers are limited in time and size. Redirects and `.netrc` are ignored.
    """

    def __init__(self, entry: IssuerEntry, contact: str = "") -> None:
        self.entry = entry
        self._contact = contact
        self._metadata = Cached(self._fetch_metadata, METADATA_SECONDS)
        self._keys = Cached(self._fetch_keys, KEYS_SECONDS)

    def metadata(self) -> Metadata:
        """Return the provider's metadata.

        :raises ServiceError: `identity_provider_unavailable`.
        """
        return self._metadata.get()

    def keys(self) -> IssuerKeys:
        """Return the provider's keys.

        :raises ServiceError: `identity_provider_unavailable`.
        """
        return self._keys.get()

    def keys_after(self, old: IssuerKeys) -> IssuerKeys:
        """Return the keys, refreshed if that is allowed, because `old` lacks one.

        :raises ServiceError: `identity_provider_unavailable`.
        """
        return self._keys.newer_than(old)

    def unavailable(self, reason: str) -> ServiceError:
        """Return the error for a provider that fails."""
        log.warning("the identity provider %r cannot be used: %s", self.entry.name, reason)
        return ServiceError(
            ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE,
            f"The identity provider {self.entry.name} cannot be used now. Try again later.",
            retry_after=int(FAILURE_SECONDS),
        )

    def _fetch_metadata(self) -> Metadata:
        issuer = self.entry.issuer
        document = self._fetch(f"{issuer.rstrip('/')}{DISCOVERY_PATH}")
        try:
            metadata = msgspec.convert(document, Metadata)
        except msgspec.ValidationError as error:
            raise self.unavailable(f"its discovery document is invalid: {error}") from None
        if metadata.issuer != issuer:
            raise self.unavailable("its discovery document is for another issuer")
        urls = (
            *(metadata.jwks_uri, metadata.authorization_endpoint),
            *(metadata.token_endpoint, metadata.userinfo_endpoint),
        )
        if not all(self._may_ask(url) for url in urls if url):
            raise self.unavailable("its discovery document names addresses that are not HTTPS")
        return metadata

    def _may_ask(self, url: str) -> bool:
        """Return whether an address may belong to the provider. Addresses of this machine are
        allowed only for a provider on this machine.
        """
        return is_safe(url) and (is_loopback(self.entry.issuer) or not is_inside(url))

    def _fetch_keys(self) -> IssuerKeys:
        url = self.entry.jwks_uri
        if not url:
            url = self.metadata().jwks_uri
            if origin(url) != origin(self.entry.issuer):
                raise self.unavailable("its keys are on another host: set `jwks_uri` in its entry")
        try:
            return IssuerKeys(self._fetch(url))
        except ValueError as error:
            raise self.unavailable(f"its key set {error}") from None

    def _fetch(self, url: str) -> Any:
        """Fetch the JSON document at a URL."""
        parts = urlsplit(url)
        base = f"{parts.scheme}://{parts.netloc}"
        path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        fetcher = Fetcher(base, "The provider", self._contact)
        request = SourceRequest(path, headers={"Accept": "application/json"})
        try:
            answer = fetcher.send(request, DEADLINE_SECONDS)
        except SourceError as error:
            raise self.unavailable(error.message) from None
        if answer.status != 200:
            raise self.unavailable(f"it answered {answer.status}")
        if len(answer.body) > MAX_DOCUMENT_BYTES:
            raise self.unavailable("its response is too large")
        try:
            return json.loads(answer.body)
        except (ValueError, RecursionError):
            raise self.unavailable("its response is not JSON") from None
