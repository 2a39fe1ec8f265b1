"""Settings: where they come from, what wins, and what is said about wrong ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import limits
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeintel.config import SETTINGS, LoadedSettings, SettingError, Settings, load_settings
from codeintel.tiers import Tier, TierLimits

PEPPER = "p" * 32
INSTANCE = {"name": "work-1", "kind": "gitlab", "base_url": "https://git.example.org"}
POSTGRES = {"DATABASE_URL": "postgresql://u@h/d", "CODEINTEL_KEY_PEPPER": PEPPER}


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    return tmp_path


def load(instance: Path, overrides: Any = None, environ: Any = None) -> LoadedSettings:
    return load_settings({"CODEINTEL_INSTANCE": instance, **(overrides or {})}, environ or {})


def configure(instance: Path, text: str) -> str:
    """Write `codeintel.cfg`."""
    path = instance / "codeintel.cfg"
    path.write_text(text)
    return str(path)


def test_defaults(instance: Path) -> None:
    loaded = load(instance)
    assert loaded.settings == Settings(instance=instance)
    assert loaded.settings.database == f"sqlite:///{instance}/codeintel.db"
    assert loaded.origins == {"CODEINTEL_INSTANCE": "create_app()"}
    assert loaded.unknown == ()
    assert set(loaded.values) == {info.name for info in SETTINGS}


def test_every_setting_has_a_name_of_its_own_and_a_meaning() -> None:
    assert [info.attribute for info in SETTINGS] == [each.name for each in fields(Settings)]
    names = [info.name for info in SETTINGS]
    assert len(set(names)) == len(names)
    assert all(name.startswith("CODEINTEL_") or name.endswith("_URL") for name in names)
    assert all(info.help.endswith(".") for info in SETTINGS)


@pytest.mark.parametrize("info", SETTINGS, ids=lambda info: info.name)
def test_a_default_is_a_value_that_could_be_set(info: Any) -> None:
    (default,) = [each.default for each in fields(Settings) if each.name == info.attribute]
    assert info.parse(default) == default


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("DATABASE_URL", " sqlite:////srv/x.db ", "sqlite:////srv/x.db"),
        ("DATABASE_URL", "", ""),
        ("REDIS_URL", "rediss://h:6380/1", "rediss://h:6380/1"),
        ("REDIS_URL", "unix:///run/redis.sock", "unix:///run/redis.sock"),
        ("CODEINTEL_PUBLIC_URL", "https://code.example.org/", "https://code.example.org"),
        ("CODEINTEL_PUBLIC_URL", "http://[::1]:8000", "http://[::1]:8000"),
        ("CODEINTEL_ALLOWED_HOSTS", "a.org, .b.org,", ("a.org", ".b.org")),
        ("CODEINTEL_ALLOWED_HOSTS", ["a.org"], ("a.org",)),
        (
            "CODEINTEL_TRUSTED_PROXIES",
            "10.0.0.0/8,::1",
            (ip_network("10.0.0.0/8"), ip_network("::1")),
        ),
        (
            "CODEINTEL_CORS_ORIGINS",
            "https://a.org,http://b.org:81",
            ("https://a.org", "http://b.org:81"),
        ),
        ("CODEINTEL_DEFAULT_TIER", " pro ", Tier.PRO),
        ("CODEINTEL_DEFAULT_CREDITS", "0", 0),
        ("CODEINTEL_TIER_LIMITS_TEAM", "7, 0", TierLimits(7, 0)),
        ("CODEINTEL_TIER_LIMITS_TEAM", (7, 0), TierLimits(7, 0)),
        ("CODEINTEL_LIMIT_DEFAULT", "5/second", limits.parse("5/second")),
        ("CODEINTEL_ANALYSIS_PROCESSES", "256", 256),
        ("CODEINTEL_EXECUTION", " Bubblewrap ", "bubblewrap"),
        ("CODEINTEL_RUN_TIMEOUT", "1e2", 100.0),
        ("CODEINTEL_RUN_RESUME_GRACE", 0, 0.0),
        ("CODEINTEL_SOURCES", " gitlab,crates,,gitlab ", ("gitlab", "crates")),
        ("CODEINTEL_SOURCES", ["gitlab", "a" * 40], ("gitlab", "a" * 40)),
        ("CODEINTEL_SOURCES", "", ()),
        ("CODEINTEL_SOURCES", "crates, -docker", ("crates", "-docker")),
        ("CODEINTEL_SOURCE_INSTANCES", json.dumps([INSTANCE]), (INSTANCE,)),
        ("CODEINTEL_SOURCE_INSTANCES", [INSTANCE], (INSTANCE,)),
        (
            "CODEINTEL_SOURCE_INSTANCES",
            [{**INSTANCE, "token": "", "visibility": "public"}],
            ({**INSTANCE, "token": "", "visibility": "public"},),
        ),
        ("CODEINTEL_SOURCE_INSTANCES", "", ()),
        ("CODEINTEL_SOURCE_INSTANCES", "[]", ()),
        ("CODEINTEL_CONTACT", " ops@example.org ", "ops@example.org"),
        ("CODEINTEL_SEARCH_CACHE", "0", 0.0),
    ],
)
def test_good_values(instance: Path, name: str, given: Any, value: Any) -> None:
    loaded = load(instance, {name: given})
    (info,) = [each for each in SETTINGS if each.name == name]
    assert getattr(loaded.settings, info.attribute) == value
    assert type(getattr(loaded.settings, info.attribute)) is type(value)
    assert loaded.values[name] == value
    assert loaded.origins[name] == "create_app()"


WHOLE = ("", "x", "1.5", "-1", "1e3", None, True, 1.0, [1])
SECONDS = ("", "x", "nan", "inf", "-1", None, True, [1])
ORIGIN = (
    *("code.example.org", "ftp://h", "https://", "https://h/path", "https://h?q", "https://h#f"),
    *("https://u:p@h", "https://[", "https://h:port", "https://h:99999", None, 5),
)
RATE = ("", "many", "5", "5/fortnight", "/minute", None, 5)
BAD = {
    "DATABASE_URL": (
        *("nonsense", "mysql://h/d", "postgres://h/d", "postgresql://h:port/d"),
        *("postgresql://u:p@h:w:d@h/d", None, 5),
    ),
    "REDIS_URL": ("nonsense", "http://h", "redis://h:port", "redis://[", None, 5),
    "CODEINTEL_KEY_PEPPER": (None, 5, b"p" * 32),
    "CODEINTEL_PUBLIC_URL": ORIGIN,
    "CODEINTEL_ALLOWED_HOSTS": (None, 5),
    "CODEINTEL_TRUSTED_PROXIES": ("nonsense", "10.0.0.1/8", "10.0.0.0/8;::1", None, 5),
    "CODEINTEL_CORS_ORIGINS": (*ORIGIN[:9], "*", "null", "https://a.org,b.org", None, 5),
    "CODEINTEL_DEFAULT_TIER": ("", "GOLD", "FREE,PRO", None, 5),
    "CODEINTEL_DEFAULT_CREDITS": WHOLE,
    "CODEINTEL_TIER_LIMITS_FREE": ("", "5", "5,6,7", "a,b", "-1,5", "1.5,2", None, 5, (True, 1)),
    "CODEINTEL_TIER_LIMITS_PRO": ("5", "5,"),
    "CODEINTEL_TIER_LIMITS_TEAM": ("5", ",5"),
    "CODEINTEL_LIMIT_DEFAULT": RATE,
    "CODEINTEL_LIMIT_FAILED_AUTH": RATE,
    "CODEINTEL_ANALYSIS_PROCESSES": (*WHOLE, "0", "257"),
    "CODEINTEL_ANALYSIS_QUEUE": (*WHOLE, "0"),
    "CODEINTEL_RESULT_CACHE": (*SECONDS, "-1"),
    "CODEINTEL_SOURCES": (
        "GitLab",
        "a b",
        "a_b",
        "--a",
        "a" * 41,
        "a;b",
        ["a", "B"],
        None,
        5,
        b"a",
    ),
    "CODEINTEL_SOURCE_INSTANCES": (
        *("x", "{}", "null", "5", '["a"]', "[" * 50_000, "[[]]", 5, True, {"a": 1}, b"[]"),
        *([{}], [{**INSTANCE, "more": ""}], [{**INSTANCE, 5: ""}], [INSTANCE, {}]),
        *([{**INSTANCE, name: None}] for name in ("name", "kind", "base_url", "token")),
        *([{**INSTANCE, name: ""}] for name in INSTANCE),
        *([{**INSTANCE, "name": name}] for name in ("Work", "a b", "-a", "a" * 41, ["a"])),
        '[{"name": "a", "kind": "gitlab"}]',
    ),
    "CODEINTEL_SEARCH_CACHE": (*SECONDS, "-1"),
    "CODEINTEL_TRUST_FRESH": (*SECONDS, "-1"),
    "CODEINTEL_TRUST_LOOKUPS": RATE,
    "CODEINTEL_TRUST_REQUESTS_PER_HOUR": (*WHOLE, "0"),
    "CODEINTEL_JOB_WORKERS": (*WHOLE, "65"),
    "CODEINTEL_CONTACT": (
        "a)b",
        "a(b",
        "a\\b",
        "a\nb",
        "\N{LATIN SMALL LETTER E WITH ACUTE}",
        None,
        5,
    ),
    "CODEINTEL_EXECUTION": ("", "on", "true", None, True, 1),
    "CODEINTEL_RUN_TIMEOUT": (*SECONDS, "0.5"),
    "CODEINTEL_RUN_RETENTION": (*SECONDS, "59"),
    "CODEINTEL_RUN_RESUME_GRACE": SECONDS,
    "CODEINTEL_HOLD_TTL": (*SECONDS, "0"),
    "CODEINTEL_DRAIN_TIMEOUT": SECONDS,
}
HINTS = {
    "DATABASE_URL": "(text|URL like `postgresql:|begin with `postgresql:|a PostgreSQL or SQLite)",
    "REDIS_URL": "(text|a Redis URL like `redis://)",
    "CODEINTEL_KEY_PEPPER": "text",
    "CODEINTEL_PUBLIC_URL": "(text|an origin)",
    "CODEINTEL_ALLOWED_HOSTS": "a comma-separated list",
    "CODEINTEL_TRUSTED_PROXIES": "a comma-separated list",
    "CODEINTEL_CORS_ORIGINS": "(an origin|a comma-separated list)",
    "CODEINTEL_DEFAULT_TIER": "one of FREE, PRO, TEAM",
    "CODEINTEL_DEFAULT_CREDITS": "a whole number of at least 0",
    "CODEINTEL_ANALYSIS_PROCESSES": "a whole number from 1 to 256",
    "CODEINTEL_ANALYSIS_QUEUE": "a whole number of at least 1",
    "CODEINTEL_RESULT_CACHE": "a number of seconds of at least 0",
    "CODEINTEL_SOURCES": "(text|names with commas between them)",
    "CODEINTEL_SOURCE_INSTANCES": (
        "(a JSON list like|no other fields than|a text as `|`.*` in every entry|lower-case)"
    ),
    "CODEINTEL_SEARCH_CACHE": "a number of seconds of at least 0",
    "CODEINTEL_CONTACT": "(text|an e-mail address or a URL)",
    "CODEINTEL_EXECUTION": "(text|`off` or `bubblewrap`)",
    "CODEINTEL_RUN_TIMEOUT": "a number of seconds of at least 1",
    "CODEINTEL_RUN_RETENTION": "a number of seconds of at least 60",
    "CODEINTEL_RUN_RESUME_GRACE": "a number of seconds of at least 0",
    "CODEINTEL_HOLD_TTL": "a number of seconds of at least 1",
    "CODEINTEL_DRAIN_TIMEOUT": "a number of seconds of at least 0",
    "CODEINTEL_LIMIT_DEFAULT": "a rate like `6000/minute`",
    "CODEINTEL_LIMIT_FAILED_AUTH": "a rate like `6000/minute`",
    "CODEINTEL_TRUST_FRESH": "a number of seconds of at least 0",
    "CODEINTEL_TRUST_LOOKUPS": "a rate like `6000/minute`",
    "CODEINTEL_TRUST_REQUESTS_PER_HOUR": "a whole number of at least 1",
    "CODEINTEL_JOB_WORKERS": "a whole number from 0 to 64",
    **{
        f"CODEINTEL_TIER_LIMITS_{tier}": "two whole numbers, `analysis,transform` per hour"
        for tier in Tier
    },
}


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
    "name", ["DATABASE_URL", "REDIS_URL", "CODEINTEL_KEY_PEPPER", "CODEINTEL_SOURCE_INSTANCES"]
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


# What wins.


@pytest.mark.parametrize(
    ("sources", "value", "origin"),
    [
        ((), 120.0, None),
        (("file",), 1.0, "codeintel.cfg"),
        (("file", "environ"), 2.0, "the environment"),
        (("environ", "create_app"), 3.0, "create_app()"),
        (("file", "create_app"), 3.0, "create_app()"),
        (("file", "environ", "create_app"), 3.0, "create_app()"),
    ],
)
def test_the_nearest_wins(
    instance: Path, sources: tuple[str, ...], value: float, origin: str | None
) -> None:
    name = "CODEINTEL_RUN_TIMEOUT"
    if "file" in sources:
        configure(instance, f"{name} = 1\n")
    environ = {name: "2"} if "environ" in sources else {}
    loaded = load(instance, {name: 3} if "create_app" in sources else {}, environ)
    assert loaded.settings.run_timeout == value
    found = loaded.origins.get(name)
    assert found == origin or (found or "").endswith(f"/{origin}")


def test_a_wrong_value_that_is_overridden_does_no_harm(instance: Path) -> None:
    configure(instance, "CODEINTEL_RUN_TIMEOUT = 'soon'\n")
    assert load(instance, environ={"CODEINTEL_RUN_TIMEOUT": "5"}).settings.run_timeout == 5


def test_the_process_s_environment_is_the_default_one(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(instance))
    monkeypatch.setenv("CODEINTEL_DEFAULT_CREDITS", "7")
    loaded = load_settings()
    assert (loaded.settings.instance, loaded.settings.default_credits) == (instance, 7)
    assert loaded.origins["CODEINTEL_INSTANCE"] == "the environment"


@pytest.mark.parametrize(
    ("overrides", "environ", "expected", "origin"),
    [
        ({}, {}, "instance", "default"),
        ({}, {"CODEINTEL_INSTANCE": ""}, "instance", "default"),
        ({}, {"CODEINTEL_INSTANCE": "a"}, "a", "the environment"),
        ({"CODEINTEL_INSTANCE": "b"}, {"CODEINTEL_INSTANCE": "a"}, "b", "create_app()"),
        ({"CODEINTEL_INSTANCE": Path("b")}, {}, "b", "create_app()"),
        ({"CODEINTEL_INSTANCE": ""}, {"CODEINTEL_INSTANCE": "a"}, "a", "the environment"),
    ],
)
def test_the_instance_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    overrides: Any,
    environ: Any,
    expected: str,
    origin: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / expected).mkdir()
    configure(tmp_path / expected, "CODEINTEL_DEFAULT_CREDITS = 9\nCODEINTEL_INSTANCE = 'other'\n")
    loaded = load_settings(overrides, environ)
    assert loaded.settings.instance == tmp_path / expected, "absolute; the file cannot move itself"
    assert loaded.settings.default_credits == 9
    assert loaded.origins.get("CODEINTEL_INSTANCE", "default") == origin


# The file.


@pytest.mark.parametrize(
    "text",
    [
        "not python\n",
        "1 / 0\n",
        "import no_such_module_anywhere\n",
        "x = '\0'\n",
        "raise ValueError\n",
    ],
)
def test_a_broken_file_is_named(instance: Path, text: str) -> None:
    path = configure(instance, text)
    with pytest.raises(SettingError, match=r"codeintel\.cfg cannot be read: ") as caught:
        load(instance)
    assert path in str(caught.value)


def test_a_missing_file_or_folder_is_fine(instance: Path) -> None:
    assert load(instance / "missing").settings.instance == instance / "missing"
    assert not (instance / "missing").exists()


def test_the_file_is_python(instance: Path) -> None:
    configure(instance, "import os\nlower = 5\nOTHER = 1\nCODEINTEL_RUN_TIMEOUT = 2 * 30\n")
    loaded = load(instance)
    assert loaded.settings.run_timeout == 60
    assert loaded.unknown == ()


def test_unknown_names_are_kept_for_plugins(instance: Path) -> None:
    configure(instance, "CODEINTEL_ACME_TABLE = {'a': (1, 2)}\nACME = 1\ncodeintel_acme = 2\n")
    loaded = load(
        instance,
        {"CODEINTEL_ACME_OBJECT": instance, "ACME": 1},
        {
            "CODEINTEL_ACME_WORD": "x",
            "PATH": "/bin",
            "CODEINTEL_API_KEY": "k",
            "CODEINTEL_URL": "u",
        },
    )
    assert loaded.unknown == (
        "CODEINTEL_ACME_OBJECT",
        "CODEINTEL_ACME_TABLE",
        "CODEINTEL_ACME_WORD",
    )
    extra = {name: loaded.values[name] for name in loaded.unknown}
    assert extra == {
        "CODEINTEL_ACME_OBJECT": instance,
        "CODEINTEL_ACME_TABLE": {"a": (1, 2)},
        "CODEINTEL_ACME_WORD": "x",
    }
    assert set(loaded.values) - set(extra) == {info.name for info in SETTINGS}


# Together.


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"DATABASE_URL": "postgresql://h/d"}, "CODEINTEL_KEY_PEPPER must be set .* PostgreSQL"),
        ({"DATABASE_URL": "postgresql+psycopg://h/d"}, "CODEINTEL_KEY_PEPPER must be set"),
        ({**POSTGRES, "CODEINTEL_KEY_PEPPER": "   "}, "CODEINTEL_KEY_PEPPER must be set"),
        ({"CODEINTEL_KEY_PEPPER": "p" * 31}, "CODEINTEL_KEY_PEPPER must have at least 32"),
        ({**POSTGRES, "CODEINTEL_KEY_PEPPER": "p" * 31}, "must have at least 32 characters"),
    ],
)
def test_what_does_not_go_together(instance: Path, overrides: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message) as caught:
        load(instance, overrides)
    assert "ppp" not in str(caught.value)


def test_the_driver_is_ours(instance: Path) -> None:
    settings = load(instance, POSTGRES).settings
    assert settings.database == "postgresql+psycopg://u@h/d"
    assert settings.key_pepper == PEPPER


def test_limits_by_tier(instance: Path) -> None:
    settings = load(instance, {"CODEINTEL_TIER_LIMITS_PRO": "1,2"}).settings
    found = {tier: settings.tier_limits(tier) for tier in Tier}
    assert found == {Tier.FREE: (30, 20), Tier.PRO: (1, 2), Tier.TEAM: (300, 200)}


def test_workers_learn_no_secret(instance: Path) -> None:
    secrets = {
        **POSTGRES,
        "REDIS_URL": "redis://:p@h",
        "CODEINTEL_SOURCE_INSTANCES": [{**INSTANCE, "token": "t"}],
    }
    loaded = load(instance, {**secrets, "CODEINTEL_ACME": "kept"})
    shared = loaded.without_secrets()
    assert set(loaded.values) - set(shared) == set(secrets)
    assert {info.name for info in SETTINGS if info.secret} == set(secrets)
    assert shared["CODEINTEL_ACME"] == "kept"
    assert PEPPER not in repr(shared)


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
        "codeintel.setting_values.SettingError: CODEINTEL_RUN_TIMEOUT (set in create_app()) "
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
