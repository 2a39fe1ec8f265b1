"""Identities: issuer and subject identify a user, addresses do not."""

from __future__ import annotations

import gevent
import pytest

from codeintel.app import Services
from codeintel.base.errors import ServiceError
from codeintel.identity.audit import Actor, AuditKind
from codeintel.identity.identities import Identities

ISSUER, OTHER = "https://id.example.org", "https://id.example.com"
ACTOR = Actor("jwt", "192.0.2.1")


@pytest.fixture
def identities(database_services: Services) -> Identities:
    return database_services.identities


def test_joined_and_found(identities: Identities, ann: str, bob: str) -> None:
    identities.join(ann, ISSUER, "1", "bob@example.org", ACTOR)
    identities.join(ann, ISSUER, "1", "bob@example.org", ACTOR)
    identities.join(bob, OTHER, "1", "", ACTOR)
    assert identities.find(ISSUER, "1") == ann
    assert identities.find(OTHER, "1") == bob
    assert identities.find(ISSUER, "2") is None
    [listed] = identities.list(ann)
    assert (listed.issuer, listed.subject, listed.email) == (ISSUER, "1", "bob@example.org")


def test_what_signs_in_to_one_account_cannot_be_anothers(
    identities: Identities, ann: str, bob: str
) -> None:
    identities.join(ann, ISSUER, "1", "", ACTOR)
    with pytest.raises(ServiceError, match="belongs to another account"):
        identities.join(bob, ISSUER, "1", "", ACTOR)
    assert identities.find(ISSUER, "1") == ann


@pytest.mark.parametrize(
    ("email", "verified", "kept"),
    [
        ("new@example.org", True, True),
        ("new@example.org", False, False),
        ("ann@example.org", True, False),
        ("ann@example.org", False, False),
        ("no address", True, False),
        ("", True, False),
    ],
)
def test_signing_up(
    database_services: Services, ann: str, email: str, verified: bool, kept: bool
) -> None:
    identities = database_services.identities
    account = identities.sign_up(ISSUER, "1", email, verified, ACTOR)
    assert account.id != ann
    assert (account.email == email) is kept
    assert kept or account.email.endswith("@id.example.org")
    assert identities.find(ISSUER, "1") == account.id
    assert database_services.ledger.balance(account.id).posted == 100
    kinds = {event.kind for event in database_services.audit.events(account.id)}
    assert kinds >= {AuditKind.ACCOUNT_MADE, AuditKind.IDENTITY_JOINED}


def test_signing_up_many_times_at_once_makes_one_account(database_services: Services) -> None:
    identities = database_services.identities

    def sign_up() -> str:
        return identities.sign_up(ISSUER, "1", "new@example.org", True, ACTOR).id

    made = [gevent.spawn(sign_up) for _ in range(10)]
    gevent.joinall(made, timeout=20, raise_error=True)
    assert len({each.value for each in made}) == 1
    events = database_services.audit.events(None)
    assert [each.kind for each in events].count(AuditKind.ACCOUNT_MADE) == 1


@pytest.mark.parametrize(("issuer", "subject"), [(ISSUER, ""), ("", "1"), (ISSUER, "x" * 256)])
def test_names_that_cannot_be(identities: Identities, issuer: str, subject: str, ann: str) -> None:
    with pytest.raises(ServiceError, match="empty or too long"):
        identities.join(ann, issuer, subject, "", ACTOR)
    with pytest.raises(ServiceError, match="empty or too long"):
        identities.sign_up(issuer, subject, "", False, ACTOR)
