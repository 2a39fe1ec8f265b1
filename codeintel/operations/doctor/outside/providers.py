"""OpenID Connect providers: their documents, read as the service reads them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import partial

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.oidc.provider import Provider
from codeintel.operations.doctor.asking import Question
from codeintel.operations.doctor.redaction import shown_url
from codeintel.operations.doctor.results import Finding, error, ok
from codeintel.platform.config.issuers import IssuerEntry

ISSUER = "upstreams.issuer"


class _Talkative(Provider):
    """Says why it cannot be used, which the service tells its log alone."""

    def unavailable(self, reason: str) -> ServiceError:
        return ServiceError(ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE, reason)


def provider_questions(entries: Iterable[IssuerEntry], contact: str) -> Iterator[Question]:
    """One for each provider."""
    for entry in entries:
        title = f"{entry.name} at {shown_url(entry.issuer)}"
        yield Question(ISSUER, title, partial(_read, entry, title, contact))


def _read(entry: IssuerEntry, title: str, contact: str) -> Finding:
    provider, began = _Talkative(entry, contact), time.monotonic()
    try:
        provider.metadata()
        provider.keys()
    except ServiceError as failure:
        return error(
            ISSUER,
            f"{title} cannot be used: {failure.message.rstrip('.')}.",
            "See whether this machine reaches it, and whether `issuer` in CODEINTEL_OIDC_ISSUERS "
            "is written exactly as the provider writes it.",
        )
    seconds = time.monotonic() - began
    return ok(ISSUER, f"{title}: discovery document and keys in {seconds:.1f} s.")
