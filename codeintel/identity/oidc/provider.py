"""One provider: its discovery document and its keys, as far as they are known now."""

from __future__ import annotations

import json
import logging
from typing import Any
from urllib.parse import urlsplit

import msgspec

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import SourceError, SourceRequest
from codeintel.identity.oidc.cached import FAILURE_SECONDS, Cached
from codeintel.identity.oidc.keys import IssuerKeys
from codeintel.platform.config.issuers import IssuerEntry
from codeintel.platform.config.provider_addresses import is_inside, is_loopback, is_safe, origin
from codeintel.platform.upstreams.fetching import Fetcher

log = logging.getLogger(__name__)

DISCOVERY_PATH = "/.well-known/openid-configuration"
DEADLINE_SECONDS = 5.0
MAX_DOCUMENT_BYTES = 512 * 1024
METADATA_SECONDS = 3_600.0
KEYS_SECONDS = 600.0


class Metadata(msgspec.Struct, frozen=True):
    """What is needed of a discovery document (OpenID Connect Discovery 1.0, 3)."""

    issuer: str
    jwks_uri: str
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class Provider:
    """Asks the provider of an entry: nothing but its documents, from nowhere but where they lie.

    Its answers are bounded in time and size; neither a redirect nor `.netrc` is followed.
    """

    def __init__(self, entry: IssuerEntry, contact: str = "") -> None:
        self.entry = entry
        self._contact = contact
        self._metadata = Cached(self._fetch_metadata, METADATA_SECONDS)
        self._keys = Cached(self._fetch_keys, KEYS_SECONDS)

    def metadata(self) -> Metadata:
        """:raises ServiceError: `identity_provider_unavailable`."""
        return self._metadata.get()

    def keys(self) -> IssuerKeys:
        """:raises ServiceError: `identity_provider_unavailable`."""
        return self._keys.get()

    def keys_after(self, old: IssuerKeys) -> IssuerKeys:
        """The keys, asked for again where that may be done: `old` lacks one.

        :raises ServiceError: `identity_provider_unavailable`.
        """
        return self._keys.newer_than(old)

    def unavailable(self, reason: str) -> ServiceError:
        """The error for a provider that does not do its part."""
        log.warning("the identity provider %r cannot be used: %s", self.entry.name, reason)
        return ServiceError(
            ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE,
            f"The identity provider {self.entry.name} cannot be used now: try again later.",
            retry_after=int(FAILURE_SECONDS),
        )

    def _fetch_metadata(self) -> Metadata:
        issuer = self.entry.issuer
        document = self._fetch(f"{issuer.rstrip('/')}{DISCOVERY_PATH}")
        try:
            metadata = msgspec.convert(document, Metadata)
        except msgspec.ValidationError as error:
            raise self.unavailable(f"its discovery document is wrong: {error}") from None
        if metadata.issuer != issuer:
            raise self.unavailable("its discovery document is another issuer's")
        urls = (
            *(metadata.jwks_uri, metadata.authorization_endpoint),
            *(metadata.token_endpoint, metadata.userinfo_endpoint),
        )
        if not all(self._may_ask(url) for url in urls if url):
            raise self.unavailable("its discovery document names addresses that are not HTTPS")
        return metadata

    def _may_ask(self, url: str) -> bool:
        """Whether an address may be a provider's: on this machine only where it is there itself."""
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
            raise self.unavailable(f"what stands for its keys {error}") from None

    def _fetch(self, url: str) -> Any:
        """The JSON document at a URL."""
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
            raise self.unavailable("it answered with too much")
        try:
            return json.loads(answer.body)
        except (ValueError, RecursionError):
            raise self.unavailable("it answered with what is no JSON") from None
