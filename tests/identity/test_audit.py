"""The audit log: in one transaction with its subject, credits from the ledger, paged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from identity_clock import Clock
from sqlalchemy import Connection

import codeintel
from codeintel.app import Services
from codeintel.identity.audit import OPERATOR, Actor, AuditKind, record
from codeintel.platform.db import db
from codeintel.platform.db.writer import Writer

ACTOR = Actor("session:ses_1", "192.0.2.1")


def test_what_becomes_of_keys_sessions_and_credits(database_services: Services, ann: str) -> None:
    keys = database_services.keys
    made, token = keys.create(ann, "ci", ["api:v1"], actor=ACTOR)
    rotated = keys.rotate(ann, made.id, actor=ACTOR)
    keys.revoke(ann, made.id)
    keys.revoke(ann, made.id)
    database_services.ledger.grant(ann, 5, "for tests")
    session = database_services.sessions.open(ann, "link", address="192.0.2.9")
    events = database_services.audit.events(ann)
    told = [(each.kind, each.actor, each.subject) for each in reversed(events)]
    signed_in = database_services.sessions.find(session)
    assert signed_in is not None
    expected = [
        (AuditKind.ACCOUNT_MADE, "command line", ann),
        (AuditKind.CREDITS_GRANTED, "ledger", ""),
        (AuditKind.KEY_CREATED, "session:ses_1", made.id),
        (AuditKind.KEY_ROTATED, "session:ses_1", made.id),
        (AuditKind.KEY_REVOKED, "command line", made.id),
        (AuditKind.CREDITS_GRANTED, "ledger", ""),
        (AuditKind.SIGNED_IN, f"session:{signed_in.session_id}", signed_in.session_id),
    ]
    assert sorted(told) == sorted(expected)
    assert [each.at for each in events] == sorted((each.at for each in events), reverse=True)
    by_kind = {each.kind: each for each in events}
    assert by_kind[AuditKind.KEY_ROTATED].details["replacement"] == rotated.key.id
    assert by_kind[AuditKind.KEY_CREATED].details["name"] == "ci"
    assert by_kind[AuditKind.SIGNED_IN].address == "192.0.2.9"
    assert {each.email for each in events} == {"ann@example.org"}
    for secret in (token, rotated.token, session):
        assert secret not in str(events)


def test_without_the_deed_there_is_no_event(database_app: Flask, ann: str) -> None:
    services = database_app.extensions["codeintel"]
    with database_app.app_context():
        writer = Writer(db.engine)

    def work(connection: Connection) -> None:
        record(connection, AuditKind.KEY_CREATED, ann, OPERATOR)
        raise ValueError("no")

    before = services.audit.events(ann)
    with pytest.raises(ValueError, match="no"):
        writer.run(work)
    assert services.audit.events(ann) == before


def test_pages_leave_nothing_out_and_repeat_nothing(
    database_app: Flask, ann: str, bob: str, clock: Clock
) -> None:
    services = database_app.extensions["codeintel"]
    with database_app.app_context():
        writer = Writer(db.engine)
    for number in range(30):
        clock.pass_seconds(1 if number % 4 == 0 else 0)
        for account in (ann, bob):
            writer.run(
                lambda connection, who=account, what=str(number): record(
                    connection, AuditKind.LINK_MADE, who, OPERATOR, subject=what
                )
            )
    every = services.audit.events(ann, 500)
    assert len(every) == 30 + 2
    seen, before = [], None
    while page := services.audit.events(ann, 7, before):
        assert len(page) <= 7 + 4
        seen += page
        before = int(page[-1].at.timestamp() * 1000)
    assert [each.id for each in seen] == [each.id for each in every]
    assert {each.account_id for each in every} == {ann}
    assert len(services.audit.events(None, 500)) == 2 * 30 + 4


def test_only_retention_and_the_deletion_of_an_account_delete_events() -> None:
    """Check that only these modules name the table and contain statements that delete or change
    rows."""
    root = Path(codeintel.__file__).parent
    naming, changing = set(), set()
    for path in root.rglob("*.py"):
        text, name = path.read_text(), path.relative_to(root).as_posix()
        if re.search(r"\bAuditRow\b|audit_events", text) and not name.startswith(
            "platform/db/migrations/"
        ):
            naming.add(name)
            if re.search(r"\b(?:delete|update|text|exec_driver_sql|Rule)\(", text):
                changing.add(name)
    assert naming - changing == {"identity/audit.py", "operations/personal_data/exporting.py"}
    assert changing == {"operations/retention.py", "operations/personal_data/service.py"}
