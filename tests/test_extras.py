"""The service without its optional packages."""

from __future__ import annotations

import sys
from configparser import ConfigParser
from importlib.metadata import PathDistribution
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from codeintel_plugins.linters import shellcheck
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from codeintel.app import Services
from codeintel.base import extras
from codeintel.base.extras import EXTRAS, FORECASTS, POSTGRES, RANKS, SHELL, SQL, Extra
from codeintel.base.setting_values import SettingError
from codeintel.cli.trust.forecast import forecast
from codeintel.contracts import AnalyzerRequest, Note
from codeintel.operations.doctor import connecting, system
from codeintel.operations.doctor.results import Unavailable
from codeintel.platform.config import load_settings
from codeintel.trust import forecasting
from codeintel.trust.forecasting import Forecasts
from codeintel.trust.network import NetworkOverview
from codeintel.trust.network.ranking import RankingError, work_out
from codeintel.web.trust import network as trust_overview

ROOT = Path(__file__).parents[1]
DATABASE = "postgresql://nobody@127.0.0.1:1/none"


def block(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make importing these modules fail, as if they were not installed."""
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture(scope="module")
def declared() -> dict[str, list[Requirement]]:
    """Return the requirements of each extra, and under "" those of the distribution itself."""
    parser = ConfigParser()
    parser.read(ROOT / "setup.cfg")
    found = {"": parser["options"]["install_requires"], **parser["options.extras_require"]}
    return {
        name: [Requirement(each) for each in text.splitlines() if each and each[0] != "#"]
        for name, text in found.items()
    }


def names(requirements: list[Requirement]) -> set[str]:
    return {canonicalize_name(each.name) for each in requirements}


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra.name)
def test_each_is_what_the_distribution_declares(
    extra: Extra, declared: dict[str, list[Requirement]]
) -> None:
    assert names(declared[extra.name]) == {*extra.modules, *extra.programs}
    assert names(declared[""]).isdisjoint({*extra.modules, *extra.programs})
    assert not extra.is_missing


def test_all_is_all(declared: dict[str, list[Requirement]]) -> None:
    (everything,) = declared["all"]
    assert everything.name == "codeintel"
    assert everything.extras == {each.name for each in EXTRAS}
    assert [each.extras for each in declared["test"] if each.name == "codeintel"] == [{"all"}]


def test_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    block(monkeypatch, "scipy", "statsmodels")
    assert FORECASTS.refusal == (
        f"Forecasts need packages that are not installed (scipy, statsmodels): {FORECASTS.command}"
    )
    assert [each.name for each in EXTRAS if each.is_missing] == ["forecasts", "ranks"]


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        ('{"url": "file:///home/me/codeintel", "dir_info": {"editable": true}}', "-e '.[ranks]'"),
        ('{"url": "file:///home/me/codeintel", "dir_info": {}}', "'codeintel[ranks]'"),
        ('{"url": "https://example.org/codeintel.whl"}', "'codeintel[ranks]'"),
        (None, "'codeintel[ranks]'"),
    ],
)
def test_the_command_fits_the_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, origin: str | None, command: str
) -> None:
    if origin is not None:
        (tmp_path / "direct_url.json").write_text(origin)
    egg = tmp_path / "codeintel.egg-info"  # in a clone, and first on the path of some programs
    egg.mkdir()
    found = [PathDistribution(egg), PathDistribution(tmp_path)]
    monkeypatch.setattr(extras, "distributions", lambda **_: found)
    extras._is_clone.cache_clear()
    try:
        assert RANKS.command == f"pip install {command}"
    finally:
        extras._is_clone.cache_clear()


def test_without_forecasts(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    store = services.trust.store
    forecasts = Forecasts(store.engine, store.writer, store)
    assert {each.reason for each in forecasts.of("npm:kit")[1]} == {forecasting.PENDING}
    block(monkeypatch, "statsmodels")
    found, missing = forecasts.of("npm:kit")
    assert found == ()
    assert {each.metric for each in missing} == set(forecasting.METRICS)
    assert {each.reason for each in missing} == {f"{FORECASTS.refusal}."}
    assert forecasts.pending(0, 10) == []
    assert forecasts.work_out(["npm:kit"]) == 0
    assert {each.reason for each in forecasts.of("npm:kit")[1]} == {f"{FORECASTS.refusal}."}


def test_the_command_says_what_forecasts_need(monkeypatch: pytest.MonkeyPatch) -> None:
    block(monkeypatch, "statsmodels")
    rows = "".join(f"a,2025-01-{day:02},{day}\n" for day in range(1, 32))
    result = CliRunner().invoke(
        forecast, ["-", "--horizon", "3"], input=f"series,date,value\n{rows}"
    )
    assert result.exit_code != 0
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr == f"Error: {FORECASTS.refusal}.\n"


def test_without_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    network = NetworkOverview(nodes={}, edges={}, top=(), ranking=None)
    assert trust_overview._ranking(network) == "Ranks have not been computed yet."
    block(monkeypatch, "scipy")
    assert RANKS.command in trust_overview._ranking(network)
    with pytest.raises(RankingError) as caught:
        work_out(BytesIO(), BytesIO(), (0, 0, 0), 5.0)
    assert str(caught.value) == RANKS.refusal


def test_without_postgresql(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = {
        "CODEINTEL_INSTANCE": tmp_path,
        "CODEINTEL_KEY_PEPPER": "x" * 32,
        "DATABASE_URL": DATABASE,
    }
    settings = load_settings(given, {}).settings
    block(monkeypatch, "psycopg")
    with pytest.raises(SettingError, match="DATABASE_URL names a PostgreSQL database") as caught:
        load_settings(given, {})
    assert POSTGRES.refusal in str(caught.value)
    with pytest.raises(Unavailable) as unavailable:
        connecting.engine_of(settings)
    assert POSTGRES.refusal in str(unavailable.value)


def test_without_shellcheck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shellcheck, "_version", lambda: "")
    analyzer = shellcheck.ShellcheckAnalyzer()
    analyzer.preload()
    assert (analyzer.version, analyzer.programs(), analyzer.rules()) == ("not installed", (), ())
    (note,) = analyzer.analyze(AnalyzerRequest("rm -rf $1/*\n", "bash"))
    assert isinstance(note, Note)
    assert f"the extra `{SHELL.name}`" in note.message


def test_the_doctor_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = system._extras()
    assert (found.check, found.status) == ("system.extras", "ok")
    assert all(each.name in found.found for each in EXTRAS)
    block(monkeypatch, "duckdb", "psycopg")
    there, *missing = system._extras()
    assert there.found == "Installed extras: forecasts, ranks, shell."
    assert [each.found for each in missing] == [f"{SQL.refusal}.", f"{POSTGRES.refusal}."]
    assert {str(each.status) for each in missing} == {"skipped"}
