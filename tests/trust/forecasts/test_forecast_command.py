"""`codeintel trust forecast`."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeintel.cli.trust.forecast import forecast
from codeintel.trust.forecasts import series

START = date(2025, 1, 3)


def table(count: int = 34, name: str = "a/b") -> str:
    rows = [
        f"{name},{START + timedelta(days=7 * at)},{50 + 2 * at + at % 3}" for at in range(count)
    ]
    return "series,date,value\n" + "\n".join(rows) + "\n"


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(forecast, [*arguments], input=text)


def test_every_step_follows_the_last_date() -> None:
    text = table() + "short,2025-01-03,1\nshort,2025-01-10,2\n"
    result = run("-", "--horizon", "3", "--json", text=text)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["horizon"] == 3
    whole, short = document["forecasts"]
    assert (whole["series"], whole["spacingDays"]) == ("a/b", 7)
    assert [step["date"] for step in whole["path"]] == [
        str(START + timedelta(days=7 * at)) for at in (34, 35, 36)
    ]
    assert all(step["low"] <= step["value"] <= step["high"] for step in whole["path"])
    assert whole["value"] == whole["path"][-1]["value"]
    assert whole["backtest"]["origins"] >= 8
    assert set(whole["backtest"]) == {"mase", "coverage80", "origins"}
    assert short["series"] == "short"
    assert short["reason"] == "2 weekly observations, 30 are needed"


def test_a_series_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "MAX_OBSERVATIONS", 34)
    fits = run("-", "--horizon", "3", text=table() + table(34, "c/d").split("\n", 1)[1])
    assert fits.exit_code == 0, fits.output
    result = run("-", "--horizon", "3", text=table(35))
    assert result.exit_code == 2
    assert "line 36: a/b has more than 34 observations" in result.output


def test_a_table_for_people(tmp_path: Path) -> None:
    file = tmp_path / "stars.csv"
    file.write_text(table(name="a\x1bb") + "short,2025-01-03,1\n")
    result = run(str(file), "--horizon", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0].split()[:3] == ["SERIES", "DATE", "VALUE"]
    assert "a\\x1bb  2025-09-12" in result.stdout
    assert result.stderr == "No forecast for short: 1 observation so far, 30 are needed\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the line is empty"),
        ("series,date,value\n", "the table has no observations"),
        ("series,day,value\na,2025-01-03,1\n", "line 1: the column date is missing"),
        ("series,date,value\na,2025-01-03,1\na,03.01.25,1\n", "line 3: '03.01.25' is not a date"),
        ("series,date,value\na,2025-01-03,many\n", "line 2: 'many' is not a number"),
        ("series,date,value\na,2025-01-03,nan\n", "line 2: nan is not a count"),
        ("series,date,value\na,2025-01-03,-1\n", "line 2: -1 is not a count"),
        ("series,date,value\na,2025-01-03\n", "line 2: 2 cells, 3 are needed"),
        ("series,date,value\n,2025-01-03,1\n", "line 2: the series has no name"),
        (
            "series,date,value\na,2025-01-03,1\nb,2025-01-03,1\n\na,2025-01-03,2\n",
            "line 5: a has the date 2025-01-03 twice",
        ),
    ],
)
def test_a_wrong_table_is_refused_by_its_line(text: str, said: str) -> None:
    result = run("-", "--horizon", "3", text=text)
    assert result.exit_code == 2
    assert f"<stdin>: {said}" in result.stderr
    assert result.stdout == ""


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    latin = tmp_path / "latin.csv"
    latin.write_bytes(b"series,date,value\n\xe9,2025-01-03,1\n")
    assert "line 2: the line is not UTF-8" in run(str(latin), "--horizon", "3").stderr
    missing = run(str(tmp_path / "none.csv"), "--horizon", "3")
    assert (missing.exit_code, "No such file" in missing.stderr) == (2, True)
    assert run(str(latin), "--horizon", "0").exit_code == 2
