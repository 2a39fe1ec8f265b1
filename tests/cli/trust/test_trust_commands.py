"""`codeintel trust`: explain, cohort and refresh."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text
from trust_cli import Document, failed, run
from trust_upstreams import UPSTREAMS, FakeUpstreams

from codeintel import create_app
from codeintel.cli import main
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema


def count(statement: str) -> int:
    app = create_app()
    with app.app_context():
        found = db.session.scalar(text(statement))
        db.session.remove()
        db.engine.dispose()
    return int(found or 0)


def test_explain_adds_up(upstreams: FakeUpstreams) -> None:
    """Check the sum of the displayed digits. Fresh scores are displayed as they are stored."""
    before = upstreams.asked.total()
    result = run("explain", "kit1")
    assert result.exit_code == 0 and upstreams.asked.total() == before
    rows = re.findall(
        r"^([a-z-]+) +(?:\w+) +([\d.]+) +([\d.]+) +([\d.]+|-) +(\w+) ",
        result.stdout,
        re.MULTILINE,
    )
    assert len(rows) == len(json.loads(run("explain", "kit1", "--json").stdout)["score"]["signals"])
    score, low, high = re.search(
        r"npm:kit1 scores ([\d.]+) of 100\..* between ([\d.]+) and ([\d.]+)\. ", result.stdout
    ).groups()  # type: ignore[union-attr]
    assert score == low
    assert add_up([points for _, points, *_ in rows], score)
    assert add_up([of for _, _, of, *_ in rows], "100")
    missing = [each for *_, each, _ in rows if each != "-"]
    assert missing and add_up(missing, str(Decimal(high) - Decimal(low)))
    axes = re.findall(r"^  \w+: ([\d.]+) to ([\d.]+) of ([\d.]+)$", result.stdout, re.MULTILINE)
    for column, total in zip(zip(*axes, strict=True), (score, high, "100"), strict=True):
        assert add_up(column, total)


def add_up(parts: Sequence[str], total: str) -> bool:
    """Return whether parts with one decimal add up, as far as rounding allows."""
    assert all(re.fullmatch(r"\d+\.\d", each) for each in parts)
    return abs(sum(map(Decimal, parts)) - Decimal(total)) <= Decimal("0.05") * (len(parts) + 2)


def test_explain_asks_for_what_is_not_stored(upstreams: FakeUpstreams) -> None:
    upstreams.down.add("scorecard")
    result = run("explain", "pypi:kit1")
    assert result.exit_code == 0
    assert "scorecard: unavailable: OpenSSF Scorecard failed (status 503)." in result.stdout
    assert "Package URL pkg:pypi/kit1, version 1.2.6\n" in result.stdout


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("../x", "not a valid npm name"),
        ("", "`target` is empty"),
        ("unheard-of", "No registry knows `npm:unheard-of`"),
    ],
)
def test_explain_refuses(target: str, told: str) -> None:
    failed(run("explain", target), told)


def test_explain_without_upstreams(upstreams: FakeUpstreams) -> None:
    upstreams.down.update(UPSTREAMS)
    failed(run("explain", "kit11"), "No registry that knows `npm:kit11` can be reached")
    told = run("explain", "kit11").stderr
    assert "depsdev: unavailable: deps.dev failed (status 503). For this reason, " in told
    assert "was not queried" not in told


def test_explain_of_an_earlier_time(upstreams: FakeUpstreams) -> None:
    """Check the replacement of one failed upstream, and of all."""
    upstreams.down.add("scorecard")
    result = run("refresh", "kit8")
    assert "1 of 1 without OpenSSF Scorecard: OpenSSF Scorecard failed (status 503)." in (
        result.stderr
    )
    shown = run("explain", "kit8").stdout
    assert re.search(
        r"^code-review +security .* STALE, from 20\d\d-\d\d-\d\d  ", shown, re.MULTILINE
    )
    assert not re.search("^age .*STALE", shown, re.MULTILINE)


def test_explain_lists_advisories(upstreams: FakeUpstreams) -> None:
    vector = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"
    ids = [f"GHSA-aaaa-bbbb-ccc{number}" for number in range(7)]
    upstreams.add("leaky", advisories=tuple((each, vector) for each in ids))
    upstreams.add("drip", advisories=((ids[0], vector),))
    shown = run("explain", "pypi:leaky").stdout
    assert [
        each for each in ids if re.search(f"^{each} +9.8 critical +1", shown, re.MULTILINE)
    ] == (ids[:5])
    assert "2 more, which --json shows\n" in shown and " 7 advisories. " in shown
    shown = run("explain", "pypi:drip").stdout
    assert " 1 advisory. " in shown and "more, which" not in shown


def test_cohorts(document: Document, tmp_path: Path) -> None:
    assert document
    failed(run("cohort", "build", "pypi"), "a cohort requires 10")
    failed(run("cohort", "build", "choco"), 'Unknown ecosystem "choco".')
    names = tmp_path / "names"
    names.write_text("kit1\n\nkit2\n")
    failed(run("cohort", "build", "npm", "--from", str(names)), "npm has 2 packages")
    failed(run("cohort", "build", "--from", "-"), "npm has 0 packages")
    failed(
        run("cohort", "build", "--from", "-", stdin="kit1\nkit77\n"),
        "1 packages have no current score, such as npm:kit77",
    )
    failed(run("cohort", "build", "--from", "-", stdin="../x"), "not a valid npm name")
    assert run("cohort", "list").stdout == "No cohorts.\n"
    built = run("cohort", "build", "npm")
    assert built.exit_code == 0
    found = re.fullmatch(r"(coh_\w+): 10 packages of npm, SHA-256 ([0-9a-f]{64})\n", built.stdout)
    assert found is not None
    listed = json.loads(run("cohort", "list", "--json").stdout)["cohorts"]
    assert [(each["id"], each["digest"], each["size"]) for each in listed] == [
        (*found.groups(), 10)
    ]
    table = run("cohort", "list").stdout
    assert found[1] in table and found[2] in table
    again = run("cohort", "build", "--from", "-", stdin="\n".join(f"kit{n}" for n in range(10)))
    assert again.exit_code == 0 and found[2] in again.stdout


def test_refresh(upstreams: FakeUpstreams) -> None:
    before, stored = upstreams.asked["ecosystems"], count("SELECT count(*) FROM trust_snapshots")
    result = run("refresh", "kit0", "npm:kit1", "kit0")
    assert result.exit_code == 0
    assert result.stdout == "Refreshed 2 packages.\n"
    assert "2/2 npm:kit1" in result.stderr
    assert upstreams.asked["ecosystems"] == before + 2
    assert count("SELECT count(*) FROM trust_snapshots") == stored + 2


def test_refresh_what_is_not_found() -> None:
    result = run("refresh", "kit0", "unheard-of")
    assert result.exit_code == 1
    assert result.stdout == "Refreshed 1 package. 1 package failed.\n"
    assert "Not refreshed: npm:unheard-of: No registry has this package.\n" in result.stderr


def test_refresh_without_upstreams(upstreams: FakeUpstreams) -> None:
    upstreams.down.update(UPSTREAMS)
    alone, several = run("refresh", "kit11"), run("refresh", "kit10", "kit11")
    assert (alone.exit_code, several.exit_code) == (1, 1)
    assert "No registry that knows `npm:kit11` can be reached" in alone.stderr
    assert several.stdout == "Refreshed 0 packages. 2 packages failed.\n"
    assert re.search("Not refreshed: .*npm:kit11: Its registries cannot be reached", several.stderr)
    for each in (alone, several):
        assert "deps.dev failed (status 503).\n" in each.stderr
    jobs = json.loads(CliRunner().invoke(main, ["jobs", "list", "--json"]).stdout)["jobs"]
    assert [each["attempts"] for each in jobs if each["state"] == "failed"] == [1]


def test_refresh_all_and_from_a_list(upstreams: FakeUpstreams) -> None:
    packages = count("SELECT count(*) FROM trust_packages")
    result = run("refresh", "--all")
    assert (result.exit_code, result.stdout) == (0, f"Refreshed {packages} packages.\n")
    before = upstreams.asked["ecosystems"]
    result = run("refresh", "--from", "-", "kit3", stdin="\ufeffkit4\n\n  kit3 \n# kit9\n")
    assert result.stdout == "Refreshed 2 packages.\n"
    assert upstreams.asked["ecosystems"] == before + 2


def test_refresh_later(upstreams: FakeUpstreams) -> None:
    before = upstreams.asked.total()
    results = [run("refresh", "--detach", "kit5", "kit6") for _ in range(2)]
    assert {each.exit_code for each in results} == {0}
    assert re.fullmatch(r"Queued the job job_\w+ with 2 packages\.\n", results[0].stdout)
    assert results[0].stdout == results[1].stdout  # it waits already
    assert upstreams.asked.total() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Name packages, or add --all"),
        (["--all", "kit0"], "not both"),
        (["--from", "-"], "Name packages, or add --all"),
        (["kit0", "../x"], "not a valid npm name"),
        (["--from", "nowhere"], "nowhere"),
    ],
)
def test_refresh_refuses(arguments: list[str], told: str) -> None:
    failed(run("refresh", *arguments), told)


def test_nothing_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(tmp_path / "other"))
    failed(run("refresh", "--all"), "There is no codeintel instance")
    failed(run("replay", "snap_none"), "There is no codeintel instance")
    failed(run("cohort", "list"), "There is no codeintel instance")
    ensure_schema(create_app())
    failed(run("refresh", "--all"), "No packages are stored")
