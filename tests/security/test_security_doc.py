"""`docs/asvs.md`: each row that applies names tests that exist. `docs/security.md` is complete."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from codeintel.identity.audit import AuditKind
from codeintel.identity.auth.caller import Proof
from codeintel.platform.config import SETTINGS, Settings, load_settings
from codeintel.platform.db.models import Base
from codeintel.platform.plugins.manager import load_plugins

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs/security.md").read_text()
ASVS = (ROOT / "docs/asvs.md").read_text()
IDENTITY = (ROOT / "docs/identity.md").read_text()
ROW = re.compile(
    r"^\| (\d+\.\d+\.\d+(?: - \d+\.\d+\.\d+)?) \|(.*)\|(.*)\|(.*)\|(.*)\|$", re.MULTILINE
)
TEST = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
STATES = {"met", "partly", "not met", "n/a"}
# How many requirements of levels 1 and 2 the sections of ASVS 5.0 have, from the standard's tables:
# those of level 3 stand between them, so that the numbers of a section have gaps.
SECTIONS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2,
    "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1,
    "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2,
    "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4,
    "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 11, "6.3": 3, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 3,
    "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2,
    "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1,
    "9.1": 3, "9.2": 4,
    "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3,
    "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 3, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4,
    "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5,
    "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7,
    "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
    "17.1": 1, "17.2": 4, "17.3": 2,
}  # fmt: skip
OF_LEVEL_3 = {"1.2.10", "1.3.12", "16.5.4"}
CLASSES = {
    "keys, sessions, sign-in links": {"api_keys", "sessions", "sign_in_links"},
    "code and results of runs": {
        *("runs", "idempotency_keys", "scans", "scan_contents", "scan_results"),
    },
    "workspaces, reports": {
        *("workspace_sessions", "workspace_revisions", "workspace_files", "workspace_contents"),
        *("workspace_reports", "workspace_file_results"),
    },
    "addresses, identities, the audit log": {"accounts", "identities", "audit_events"},
    "credits": {"balances", "holds", "ledger_entries"},
    "evidence about packages": {
        *("trust_packages", "trust_snapshots", "trust_observations", "trust_forecasts"),
        *("trust_cohorts", "trust_nodes", "trust_edges", "trust_rankings", "trust_ranks"),
    },
    "the service's own: jobs, failures of registries, digests": {
        *("jobs", "source_reports", "facts", "leader_leases"),
    },
}
"""The tables of the database by their class of data, as the document has it."""
WRITERS = {
    ("codeintel/server/opening.py", "StreamHandler"),
    ("codeintel/cli/instance.py", "NullHandler"),
    ("codeintel/base/logging.py", "StreamHandler"),
}
EVENTS = {
    "session": "who signed in and out",
    "sign_in_link": "sign-in links",
    "identity": "identities",
    "token": "tokens",
    "key": "keys",
    "account": "accounts",
    "credits": "credits",
    "database": "restored",
}
"""Words for each group of events of the audit log."""
SIGNING_IN = {
    "codeintel/web/login/pages.py": ("Logins", "`/auth/callback/<name>`"),
    "codeintel/web/login/links.py": ("The first account, and invitations", "sign-in link"),
}
"""What opens sessions, with the heading below which it is described."""


class Row(NamedTuple):
    """One requirement, or several in a row that are alike."""

    id: str
    what: str
    state: str
    how: str
    tests: tuple[tuple[str, str], ...]


ROWS = [
    Row(*(part.strip() for part in row[:4]), tuple(TEST.findall(row[4])))
    for row in ROW.findall(ASVS)
]


@cache
def names(file: str) -> frozenset[str]:
    """Return the tests of a file, those in classes with the class before them."""
    found = set()
    for node in ast.parse((ROOT / file).read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            inner = (each for each in node.body if isinstance(each, ast.FunctionDef))
            found |= {f"{node.name}::{each.name}" for each in inner}
    return frozenset(found)


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_a_row_that_applies_has_tests_and_they_are_there(row: Row) -> None:
    assert row.state in STATES
    assert row.what
    assert row.how
    assert bool(row.tests) == (row.state in {"met", "partly"})
    for file, name in row.tests:
        assert (ROOT / file).is_file(), file
        assert name in names(file), f"{file} has no {name}"
        assert name.rpartition("::")[2].startswith("test_")


def test_every_requirement_has_a_row() -> None:
    found: list[str] = []
    for row in ROWS:
        first, _, last = row.id.partition(" - ")
        section, _, number = first.rpartition(".")
        end = int((last or first).rpartition(".")[2])
        found += [f"{section}.{each}" for each in range(int(number), end + 1)]
    assert len(found) == len(set(found))
    counts = dict.fromkeys(SECTIONS, 0)
    for each in set(found) - OF_LEVEL_3:
        counts[each.rpartition(".")[0]] += 1
    assert counts == SECTIONS
    assert {section.partition(".")[0] for section in counts} == {str(n) for n in range(1, 18)}


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)[)#]", DOC + ASVS):
        assert (ROOT / "docs" / target).exists(), target


def part(text: str, heading: str) -> str:
    """Return the text below a heading, up to the next one.

    :raises ValueError: if the heading is missing.
    """
    return text[text.index(f"# {heading}\n") :].partition("\n#")[0]


def cells(table: str) -> set[str]:
    """Return the first cells of a table's rows, but its head."""
    return {row.split("|")[1].strip() for row in re.findall(r"^\|.*", table, re.MULTILINE)[2:]}


def test_every_secret_is_in_the_table(tmp_path: Path) -> None:
    """Check the secrets of the core and of the shipped plugins."""
    _, plugins = load_plugins(load_settings({"CODEINTEL_INSTANCE": tmp_path}, {}))
    declared = plugins.registry.settings.values()
    secret = {each.name for each in SETTINGS if each.secret}
    secret |= {each.name for each in declared if each.secret}
    assert {"CODEINTEL_KEY_PEPPER", "CODEINTEL_AI_API_KEY"} <= secret
    assert secret == set(re.findall(r"`([A-Z_]+)`", part(DOC, "Secrets")))


def test_every_table_of_the_database_is_in_a_class_of_data() -> None:
    assert {table for tables in CLASSES.values() for table in tables} == set(Base.metadata.tables)
    assert cells(part(DOC, "Data")) == {*CLASSES, "what is searched"}


def test_every_log_is_in_the_inventory() -> None:
    """Check that new log calls and new kinds of events are documented."""
    found = set()
    for file in sorted(ROOT.glob("codeintel/**/*.py")):
        handlers = re.findall(r"\blogging\.(?:handlers\.)?(\w+Handler)\(", file.read_text())
        found |= {(str(file.relative_to(ROOT)), name) for name in handlers}
    assert found == WRITERS
    logs = part(DOC, "Logs")
    assert "standard error" in logs
    assert f"`{next(each.name for each in SETTINGS if each.attribute == 'access_log')}`" in logs
    assert ("is off by default" in logs) is (Settings().access_log is False)
    events, _, _ = logs.partition("The log on standard error")
    assert {kind.partition(".")[0] for kind in AuditKind} == set(EVENTS)
    for words in EVENTS.values():
        assert words in events


def test_how_and_when_packages_are_renewed() -> None:
    """Check that the command is the one that made the file."""
    updates = part(DOC, "Updates")
    assert "within a week" in updates and "within a month" in updates
    made = (ROOT / "deploy/requirements.txt").read_text().splitlines()[1].removeprefix("#")
    (told,) = re.findall(r"^uv (?:.*\\\n)*.*", updates, re.MULTILINE)
    assert told.replace("\\\n", " ").replace("--upgrade", "").split() == made.split()


def test_every_way_to_sign_in_is_documented() -> None:
    """Each proof of the code has its row, and each place that opens a session its paragraph."""
    table = IDENTITY.partition("\n## ")[0]
    proofs = {cell.partition(" (")[0].lower().replace(" ", "_") for cell in cells(table)}
    assert proofs == set(Proof) - {Proof.ANONYMOUS}
    opening = {
        str(file.relative_to(ROOT))
        for file in ROOT.glob("codeintel/**/*.py")
        if ".sign_in(" in file.read_text()
    }
    assert opening == set(SIGNING_IN)
    for heading, words in SIGNING_IN.values():
        assert words in part(IDENTITY, heading)


def test_the_ends_of_sessions_are_documented() -> None:
    sessions = " ".join(part(IDENTITY, "Sessions").split())
    defaults = Settings()
    for name, seconds in (
        ("CODEINTEL_SESSION_IDLE` seconds", defaults.session_idle),
        ("CODEINTEL_SESSION_LIFETIME`", defaults.session_lifetime),
    ):
        assert f"`{name} ({seconds / 86_400:g} days)" in sessions
    assert "by signing out, here or everywhere" in sessions
