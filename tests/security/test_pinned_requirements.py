"""The packages that a deployment installs, by version and digest: `requirements.txt` and
`build-requirements.txt` in `deploy/`."""

from __future__ import annotations

import configparser
import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from codeintel.base.extras import EXTRAS

ROOT = Path(__file__).parents[2]
PINS = ROOT / "deploy/requirements.txt"
BUILD_PINS = ROOT / "deploy/build-requirements.txt"
PYTHONS = ("3.11.9", "3.12.4", "3.13.1", "3.14.0")
DIGEST = re.compile(r"--hash=sha256:[0-9a-f]{64}")
ELSEWHERE = re.compile(r"://|\b[\w-]+\.(?:org|com|net|io|dev)\b|--(?:extra-)?index|--find-links")


def entries(file: Path = PINS) -> dict[str, list[tuple[Requirement, int]]]:
    """Return the pins of each package, with how many digests each has."""
    found: dict[str, list[tuple[Requirement, int]]] = {}
    whole = file.read_text().replace("\\\n", " ")
    for line in whole.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        text, *_ = line.split("--hash=")
        requirement = Requirement(text.strip())
        known = found.setdefault(canonicalize_name(requirement.name), [])
        known.append((requirement, len(DIGEST.findall(line))))
    return found


def surroundings(python: str) -> dict[str, str]:
    """Return the values of environment markers on Linux."""
    return {
        "python_version": ".".join(python.split(".")[:2]),
        "python_full_version": python,
        "sys_platform": "linux",
        "platform_system": "Linux",
        "platform_machine": "x86_64",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


def wanted() -> list[Requirement]:
    """Return the requirements of a deployment: the distribution with all of its extras."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    parts = (config["options.extras_require"][each.name] for each in EXTRAS)
    lines = "\n".join([config["options"]["install_requires"], *parts]).splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def wanted_to_build() -> list[Requirement]:
    system = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    return [Requirement(line) for line in system["requires"]]


def applies(requirement: Requirement, here: dict[str, str], extras: set[str]) -> bool:
    """Return whether a package with these extras needs the requirement in this environment."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**here, "extra": each}) for each in extras | {""})


def needed(first: list[Requirement], here: dict[str, str]) -> list[Requirement]:
    """Return the requirements and their dependencies, according to the installed packages. Those
    of missing packages are unknown."""
    found: list[Requirement] = []
    left, seen = list(first), set()
    while left:
        requirement = left.pop()
        key = canonicalize_name(requirement.name), frozenset(requirement.extras)
        found.append(requirement)
        if key in seen:
            continue
        seen.add(key)
        try:
            lines = importlib.metadata.requires(requirement.name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        more = map(Requirement, lines)
        left += [each for each in more if applies(each, here, set(requirement.extras))]
    return found


def check(first: list[Requirement], file: Path, python: str) -> int:
    """Check that the file has one version for each of them and for what they need, that fits;
    returns how many packages that are."""
    pins, here = entries(file), surroundings(python)
    everything = needed(first, here)
    for requirement in everything:
        known = pins.get(canonicalize_name(requirement.name), [])
        fitting = [pin for pin, _ in known if pin.marker is None or pin.marker.evaluate(dict(here))]
        assert len(fitting) == 1, f"{requirement}: renew deploy/{file.name}"
        [version] = [each.version for each in fitting[0].specifier]
        assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}"
    return len({canonicalize_name(each.name) for each in everything})


@pytest.mark.parametrize("python", PYTHONS)
def test_everything_that_is_needed_has_one_version_that_fits(python: str) -> None:
    assert check(wanted(), PINS, python) > len(wanted())


@pytest.mark.parametrize("python", PYTHONS)
def test_everything_that_builds_has_one_version_that_fits(python: str) -> None:
    """Check the build requirements, because pip would download the newest versions in build
    isolation."""
    assert check(wanted_to_build(), BUILD_PINS, python) >= len(wanted_to_build())


def test_what_builds_and_runs_has_one_version() -> None:
    """Check that versions agree, because a single call of pip installs both files."""
    running = {name: pins[0][0] for name, pins in entries().items()}
    for name, [(pin, _)] in entries(BUILD_PINS).items():
        assert pin.specifier == running.get(name, pin).specifier, name


@pytest.mark.parametrize("file", [PINS, BUILD_PINS], ids=lambda file: file.name)
def test_every_line_is_one_version_with_digests(file: Path) -> None:
    pins = [pin for known in entries(file).values() for pin in known]
    assert pins
    for requirement, digests in pins:
        assert [each.operator for each in requirement.specifier] == ["=="], requirement
        assert requirement.url is None
        assert digests > 0, requirement


@pytest.mark.parametrize("file", [PINS, BUILD_PINS], ids=lambda file: file.name)
def test_nothing_says_where_to_download(file: Path) -> None:
    assert ELSEWHERE.findall(file.read_text()) == []


@pytest.mark.parametrize("doc", ["docs/security.md", "docs/operating.md", "deploy/README.md"])
def test_nothing_is_installed_without_a_digest(doc: str) -> None:
    """Check the commands of the deployment guides."""
    text = (ROOT / doc).read_text().replace("\\\n", " ")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    calls = re.findall(r"pip install ([^&\n]+)", "".join(blocks))
    assert any(PINS.name in each and BUILD_PINS.name in each for each in calls)
    for call in calls:
        options = set(call.split())
        assert options & {"--require-hashes", "--no-build-isolation"}, call
        assert "--no-deps" in options, call
