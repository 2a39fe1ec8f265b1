"""Files with secrets are analyzed although they are not stored."""

from __future__ import annotations

import zlib

import pytest
from proof_work import CLEAN, PYTHON, push, rows, work_off
from secret_texts import TOKENS
from support import User

from codeintel.app import Services
from codeintel.contracts import Severity
from codeintel.contracts.workspaces.records import LeftOutFile, ProofState
from codeintel.contracts.workspaces.selection import masked
from codeintel.workspaces.proof import withheld

TOKEN = next(token for rule, token in TOKENS if rule == "github-token")
CODE = f'{PYTHON}\n\nTOKEN = "{TOKEN}"\n'


def everything_stored(services: Services) -> str:
    found = [repr(rows(services, "SELECT * FROM workspace_revisions"))]
    for table in ("workspace_contents", "workspace_file_results"):
        for row in rows(services, f"SELECT data FROM {table}"):
            try:
                found.append(zlib.decompress(row.data).decode())
            except zlib.error:
                found.append(bytes(row.data).decode())
    found += [
        zlib.decompress(row.document).decode()
        for row in rows(services, "SELECT document FROM workspace_reports")
    ]
    return "".join(found)


def test_a_file_with_a_secret_is_analysed_and_its_text_is_nowhere(
    database_services: Services, payer: User
) -> None:
    services = database_services
    session = push(services, payer, {"/app.py": CODE, "/clean.py": CLEAN})
    work_off(services)
    report = services.proof.report(session)
    assert report.summary.status is ProofState.FAILED
    assert report.summary.files_analyzed == 2
    found = [each.finding for each in report.findings if each.path == "/app.py"]
    secrets = [each for each in found if each.rule_id == "github-token"]
    assert [(each.severity, each.cwe) for each in secrets] == [(Severity.CRITICAL, "CWE-798")]
    assert secrets[0].range.start_line == 8
    assert any(each.range.start_line == 5 and each.cwe == "CWE-78" for each in found)
    assert TOKEN[4:] not in everything_stored(services)
    assert {each.path for each in services.workspaces.files(session, 1)} == {"/clean.py"}


def test_a_change_of_such_a_file_alone_makes_a_revision(
    database_services: Services, payer: User
) -> None:
    services = database_services
    files = {"/app.py": CODE, "/clean.py": CLEAN}
    assert push(services, payer, files).revision == 1
    assert push(services, payer, files).revision == 1
    changed = {**files, "/app.py": CODE.replace("run", "start")}
    assert push(services, payer, changed).revision == 2


@pytest.mark.parametrize(
    ("omitted", "state"),
    [
        (LeftOutFile("/big.py", "too-large"), ProofState.INCOMPLETE),
        (LeftOutFile("/odd.py", "not-utf-8"), ProofState.INCOMPLETE),
        (LeftOutFile("/key.py", "github-token"), ProofState.FAILED),
        (LeftOutFile("/.env", "dotenv"), ProofState.INCOMPLETE),
    ],
)
def test_a_file_that_is_left_out_later_takes_the_pass_back(
    database_services: Services, payer: User, omitted: LeftOutFile, state: ProofState
) -> None:
    services, files = database_services, {"/clean.py": CLEAN}

    def verdict_with(*skipped: LeftOutFile) -> tuple[int, ProofState]:
        session = push(services, payer, files, skipped=list(skipped))
        work_off(services)
        return session.revision, services.proof.report(session).summary.status

    assert verdict_with() == (1, ProofState.PASSED)
    assert verdict_with(LeftOutFile("/notes.txt", "too-large")) == (1, ProofState.PASSED)
    assert verdict_with(omitted) == (2, state)
    assert verdict_with(omitted) == (2, state)
    assert verdict_with() == (3, ProofState.PASSED)


def test_what_is_not_done_in_time_makes_no_pass(
    database_services: Services, payer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = database_services
    monkeypatch.setattr(withheld, "SECONDS", 0.0)
    session = push(services, payer, {"/app.py": CODE, "/clean.py": CLEAN})
    work_off(services)
    summary = services.proof.report(session).summary
    assert (summary.status, summary.left_out) == (ProofState.FAILED, {"secret": 1})


def test_a_file_that_is_told_by_its_name_is_incomplete(
    database_services: Services, payer: User
) -> None:
    services = database_services
    session = push(services, payer, {"/.env": "DEBUG=1\n", "/clean.py": CLEAN})
    work_off(services)
    assert services.proof.report(session).summary.status is ProofState.INCOMPLETE


def test_a_module_of_a_hundred_kilobytes_is_analysed_to_its_end(
    database_services: Services, payer: User
) -> None:
    services = database_services
    long = "".join(f"def f{i}(x):\n    return x + {i}\n\n\n" for i in range(4_000)) + PYTHON
    assert len(long) > 106_000
    session = push(services, payer, {"/long.py": long})
    work_off(services)
    report = services.proof.report(session)
    assert report.summary.status is ProofState.FAILED, report.summary.reason
    assert any(each.finding.cwe == "CWE-78" for each in report.findings)


def left_out(path: str, text: str, line: int = 1) -> LeftOutFile:
    """Return a file with a masked secret, as a client reports it."""
    return LeftOutFile(path, "github-token", line, text=text)


def test_what_a_client_has_masked_is_analysed_and_its_text_is_nowhere(
    database_services: Services, payer: User
) -> None:
    services = database_services
    safe = masked("/app.py", CODE)
    told = left_out("/app.py", f"{safe.text}# a word that stands nowhere else\n", safe.line)
    session = push(services, payer, {"/clean.py": CLEAN}, skipped=(told,))
    work_off(services)
    report = services.proof.report(session)
    assert (report.summary.files_analyzed, report.summary.left_out) == (2, {})
    found = [each.finding for each in report.findings if each.path == "/app.py"]
    assert any(each.range.start_line == 5 and each.cwe == "CWE-78" for each in found)
    [secret] = [each for each in found if each.rule_id == "github-token"]
    assert (secret.severity, secret.range.start_line) == (Severity.CRITICAL, 8)
    assert "stands nowhere else" not in everything_stored(services)


def test_what_a_client_has_masked_badly_is_masked_again(
    database_services: Services, payer: User
) -> None:
    services = database_services
    push(services, payer, {"/clean.py": CLEAN}, skipped=(left_out("/app.py", CODE),))
    work_off(services)
    [row] = rows(services, "SELECT skipped FROM workspace_revisions")
    assert '"line":8' in row.skipped
    assert TOKEN[4:] not in everything_stored(services)


@pytest.mark.parametrize("reason", ["binary", "excluded", "too-large"])
def test_texts_of_files_without_a_secret_are_passed_over(
    database_services: Services, payer: User, reason: str
) -> None:
    services = database_services
    told = LeftOutFile("/app.py", reason, text=PYTHON)
    session = push(services, payer, {"/clean.py": CLEAN}, skipped=(told,))
    work_off(services)
    assert services.proof.report(session).summary.files_analyzed == 1


def test_of_very_many_files_those_that_count_are_kept(
    database_services: Services, payer: User
) -> None:
    services = database_services
    images = (LeftOutFile(f"/{number}.png", "binary") for number in range(1_001))
    told = (*images, LeftOutFile("/z.py", "too-large"))
    session = push(services, payer, {"/clean.py": CLEAN}, skipped=told)
    work_off(services)
    summary = services.proof.report(session).summary
    assert (summary.status, summary.left_out) == (ProofState.INCOMPLETE, {"size": 1})


@pytest.mark.parametrize("number", range(len(TOKENS)))
def test_masked_texts_have_the_same_lines_and_no_token(number: int) -> None:
    _, token = TOKENS[number]
    text = f"a = 1\nb = '{token}'\nc = 2\n"
    safe = masked("/a.py", text)
    assert (safe.line, safe.is_clean, len(safe.text)) == (2, True, len(text))
    assert safe.text.splitlines()[::2] == text.splitlines()[::2]
