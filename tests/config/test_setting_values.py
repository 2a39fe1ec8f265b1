"""Defaults, and what values that are right become."""

from __future__ import annotations

import json
from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import limits
import pytest
from settings_loading import INSTANCE, PEPPER, POSTGRES, load

from codeintel.base.entitlements import Tier, TierLimits
from codeintel.platform.config import SETTINGS, Settings


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
        ("CODEINTEL_TIER_LIMITS_TEAM", "7, 0", TierLimits(7, 0, 0)),
        ("CODEINTEL_TIER_LIMITS_TEAM", (7, 0, 3), TierLimits(7, 0, 3)),
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
        ("CODEINTEL_LOG_FORMAT", " JSON ", "json"),
        ("CODEINTEL_ACCESS_LOG", "on", True),
        ("CODEINTEL_METRICS_PORT", "9464", 9464),
        ("CODEINTEL_METRICS_HOST", "::", "::"),
        ("CODEINTEL_METRICS_HOST", "metrics.internal", "metrics.internal"),
        ("CODEINTEL_AUDIT_RETENTION", "", 0.0),
        ("CODEINTEL_AUDIT_RETENTION", "0", 0.0),
        ("CODEINTEL_AUDIT_RETENTION", 60, 60.0),
    ],
)
def test_good_values(instance: Path, name: str, given: Any, value: Any) -> None:
    loaded = load(instance, {name: given})
    (info,) = [each for each in SETTINGS if each.name == name]
    assert getattr(loaded.settings, info.attribute) == value
    assert type(getattr(loaded.settings, info.attribute)) is type(value)
    assert loaded.values[name] == value
    assert loaded.origins[name] == "create_app()"


def test_the_driver_is_ours(instance: Path) -> None:
    settings = load(instance, POSTGRES).settings
    assert settings.database == "postgresql+psycopg://u@h/d"
    assert settings.key_pepper == PEPPER


def test_limits_by_tier(instance: Path) -> None:
    settings = load(instance, {"CODEINTEL_TIER_LIMITS_PRO": "1,2"}).settings
    found = {tier: settings.tier_limits(tier) for tier in Tier}
    assert found == {
        Tier.FREE: (30, 20, 20),
        Tier.PRO: (1, 2, 2),
        Tier.TEAM: (300, 200, 200),
    }


def test_workers_learn_no_secret(instance: Path) -> None:
    secrets = {
        **POSTGRES,
        "REDIS_URL": "redis://:p@h",
        "CODEINTEL_SOURCE_INSTANCES": [{**INSTANCE, "token": "t"}],
        "CODEINTEL_OIDC_ISSUERS": [{"issuer": "https://id.example", "audience": "a", "name": "x"}],
        "CODEINTEL_SESSION_KEY": "s" * 32,
        "CODEINTEL_ISSUER_KEY": "k",
    }
    loaded = load(instance, {**secrets, "CODEINTEL_ACME": "kept"})
    shared = loaded.without_secrets()
    assert set(loaded.values) - set(shared) == set(secrets)
    assert {info.name for info in SETTINGS if info.secret} == set(secrets)
    assert shared["CODEINTEL_ACME"] == "kept"
    assert PEPPER not in repr(shared)
