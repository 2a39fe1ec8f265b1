"""Errors of settings have name, location and remedy, and no secrets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from settings_loading import POSTGRES, configure, load
from wrong_settings import BAD, HINTS

from codeintel.platform.config import SETTINGS, SettingError


def test_the_table_has_every_setting() -> None:
    assert set(BAD) == set(HINTS) == {info.name for info in SETTINGS} - {"CODEINTEL_INSTANCE"}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_bad_values_are_told_with_name_place_and_remedy(
    instance: Path, name: str, value: Any
) -> None:
    places: list[tuple[str, Any, Any]] = [("create_app()", {name: value}, {})]
    if isinstance(value, str):
        places.append(("the environment", {}, {name: value}))
    for place, overrides, environ in places:
        with pytest.raises(SettingError, match=f" must .*{HINTS[name]}.*[.]$") as caught:
            load(instance, overrides, environ)
        assert str(caught.value).startswith(f"{name} (set in {place}) must ")
    path = configure(instance, f"{name} = {value!r}\n")
    with pytest.raises(SettingError) as caught:
        load(instance)
    assert str(caught.value).startswith(f"{name} (set in {path}) must ")


@pytest.mark.parametrize(
    "name",
    [
        *("DATABASE_URL", "REDIS_URL", "CODEINTEL_KEY_PEPPER", "CODEINTEL_SOURCE_INSTANCES"),
        "CODEINTEL_OIDC_ISSUERS",
    ],
)
@pytest.mark.parametrize(
    "value",
    [
        "hid-den",
        "x://u:hid-den@h/d",
        "postgresql://u:p@h:hid-den@h/d",
        "redis://[hid-den",
        b"hid-den",
        '[{"hid-den": ""}]',
        '[{"name": "hid-den"}]',
    ],
)
def test_secrets_are_not_repeated_in_errors(instance: Path, name: str, value: Any) -> None:
    with pytest.raises(SettingError) as caught:
        load(instance, {name: value})
    assert "hid-den" not in str(caught.value)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"DATABASE_URL": "postgresql://h/d"}, "CODEINTEL_KEY_PEPPER must be set .* PostgreSQL"),
        ({"DATABASE_URL": "postgresql+psycopg://h/d"}, "CODEINTEL_KEY_PEPPER must be set"),
        ({**POSTGRES, "CODEINTEL_KEY_PEPPER": "   "}, "CODEINTEL_KEY_PEPPER must be set"),
        ({"CODEINTEL_KEY_PEPPER": "p" * 31}, "CODEINTEL_KEY_PEPPER must have at least 32"),
        ({**POSTGRES, "CODEINTEL_KEY_PEPPER": "p" * 31}, "must have at least 32 characters"),
        ({"CODEINTEL_SESSION_KEY": "p" * 31}, "CODEINTEL_SESSION_KEY must have at least 32"),
    ],
)
def test_what_does_not_go_together(instance: Path, overrides: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message) as caught:
        load(instance, overrides)
    assert "ppp" not in str(caught.value)


@pytest.mark.service
def test_wrong_settings_stop_the_application(tmp_path: Path) -> None:
    code = "from codeintel import create_app; create_app({'CODEINTEL_RUN_TIMEOUT': 0})"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "CODEINTEL_INSTANCE": str(tmp_path / "new")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr.splitlines()[-1] == (
        "codeintel.base.setting_values.SettingError: CODEINTEL_RUN_TIMEOUT (set in create_app()) "
        "must be a number of seconds of at least 1."
    )
    assert not (tmp_path / "new").exists(), "nothing was done before"


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.lists(st.text()),
    st.text("0123456789.,:/@[]?#abc-", max_size=12).map(lambda tail: f"https://{tail}"),
    st.text("0123456789.,:/@[]?#abc-", max_size=12).map(lambda tail: f"postgresql://{tail}"),
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([info for info in SETTINGS if info.name != "CODEINTEL_INSTANCE"]), ANYTHING)
def test_a_parser_answers_or_says_what_would_be_right(info: Any, value: Any) -> None:
    try:
        parsed = info.parse(value)
    except ValueError as error:
        assert str(error).startswith("must ")
    else:
        assert info.parse(parsed) == parsed
