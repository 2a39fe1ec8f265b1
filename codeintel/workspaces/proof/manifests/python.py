"""Dependencies of Python projects. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from codeintel.base.wording import pypi_name
from codeintel.workspaces.proof.manifests.formats import (
    DEVELOPMENT,
    OPTIONAL,
    RUNTIME,
    Written,
    part,
    read_sections,
    table,
    texts,
    toml_table,
)

ELSEWHERE = "It comes from another source, not from a registry."
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,212}[A-Za-z0-9])?)[ \t]*(?:\[[^\]]{0,400}\])?[ \t]*"
    r"(?P<rest>.*)",
    re.DOTALL,
)
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9][A-Za-z0-9._-]{0,212})")
_BETWEEN = re.compile(r"[\n;](?!\s*(?:python|sys|os|plat))")
_DEVELOPMENT = re.compile(r"dev|test|lint|doc|ci\b|typing|check|format|bench", re.IGNORECASE)


def requirement(line: str, group: str) -> Written | None:
    """Return a PEP 508 requirement, or None if the line has no name."""
    line = line.strip()
    if egg := _EGG.search(line):
        return Written(egg[1], line, group, ELSEWHERE)
    found = _REQUIREMENT.fullmatch(line)
    if (
        found is None
        or line.startswith(("http:", "https:", "file:"))
        or "://" in line.split(" ")[0]
    ):
        return None
    rest = found["rest"].split(" #")[0].strip()
    if rest and not re.match(r"[<>=!~;(@,]", rest):
        return None
    return Written(found["name"], rest, group, ELSEWHERE if rest.startswith("@") else "")


def _all(lines: Iterable[str], group: str) -> Iterator[Written]:
    return (found for line in lines if (found := requirement(line, group)) is not None)


def requirements_txt(text: str, path: str) -> Iterator[Written]:
    """Yield requirements in pip's format:
    https://pip.pypa.io/en/stable/reference/requirements-file-format/
    """
    group = DEVELOPMENT if _DEVELOPMENT.search(path.rsplit("/", 2)[-1]) else RUNTIME
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        line = line.split(" --hash")[0].strip()
        edited = re.fullmatch(r"(?:-e|--editable)[ =](.*)", line)
        line = edited[1] if edited else line
        if line and not line.startswith(("#", "-")) and (found := requirement(line, group)):
            yield found


def setup_cfg(text: str) -> Iterator[Written]:
    """Yield the requirements of a `setup.cfg`.

    :raises UnreadableError: if it is not a file with sections.
    """
    sections = read_sections(text)
    options = sections.get("options", {})
    yield from _all(options.get("install_requires", "").splitlines(), RUNTIME)
    yield from _all(options.get("setup_requires", "").splitlines(), "build")
    yield from _all(options.get("tests_require", "").splitlines(), DEVELOPMENT)
    for extra, lines in sections.get("options.extras_require", {}).items():
        yield from _all(_requirements(lines), _extra(extra))


def _requirements(text: str) -> list[str]:
    """Return the requirements between line ends or semicolons.

    A separator before a marker starts none.
    """
    lines = filter(
        None, map(str.strip, text.split("\n"))
    )  # runs of blanks would be scanned repeatedly
    return _BETWEEN.split("\n".join(lines))


def _extra(name: str) -> str:
    return DEVELOPMENT if _DEVELOPMENT.search(name) else OPTIONAL


def pyproject_toml(text: str) -> Iterator[Written]:
    """Yield the requirements of PEP 621 and 735, and of the tables of Poetry, uv and PDM.

    :raises UnreadableError: if it is not TOML.
    """
    document = toml_table(text)
    elsewhere = {pypi_name(name) for name in part(document, "tool", "uv", "sources")}
    for found in _tables(document):
        if pypi_name(found.name) in elsewhere and not found.private:
            found = found._replace(private=ELSEWHERE)
        yield found


def _tables(document: dict[str, Any]) -> Iterator[Written]:
    project = part(document, "project")
    yield from _all(texts(part(document, "build-system").get("requires")), "build")
    yield from _all(texts(project.get("dependencies")), RUNTIME)
    for extra, lines in part(project, "optional-dependencies").items():
        yield from _all(texts(lines), _extra(extra))
    for lines in part(document, "dependency-groups").values():
        yield from _all(texts(lines), DEVELOPMENT)
    yield from _all(texts(part(document, "tool", "uv").get("dev-dependencies")), DEVELOPMENT)
    for lines in part(document, "tool", "pdm", "dev-dependencies").values():
        yield from _all(texts(lines), DEVELOPMENT)
    poetry = part(document, "tool", "poetry")
    yield from _named(part(poetry, "dependencies"), RUNTIME)
    yield from _named(part(poetry, "dev-dependencies"), DEVELOPMENT)
    for group in part(poetry, "group").values():
        yield from _named(part(group, "dependencies"), DEVELOPMENT)


def pipfile(text: str) -> Iterator[Written]:
    """Yield the requirements of a Pipfile.

    :raises UnreadableError: if it is not TOML.
    """
    document = toml_table(text)
    yield from _named(part(document, "packages"), RUNTIME)
    yield from _named(part(document, "dev-packages"), DEVELOPMENT)


def _named(entries: dict[str, Any], group: str) -> Iterator[Written]:
    """Yield the requirements of Poetry and Pipenv: a version by name, or a table."""
    for name, wanted in entries.items():
        if pypi_name(name) == "python":
            continue
        choices = wanted if isinstance(wanted, list) else [wanted]
        yield _choice(name, choices, group)


def _choice(name: str, choices: list[Any], group: str) -> Written:
    version, reason = "", ""
    for each in choices:
        if isinstance(each, str):
            version = version or each
            continue
        entry = table(each, "A dependency in it is neither a version nor a table.")
        version = version or str(entry.get("version", ""))
        group = OPTIONAL if entry.get("optional") is True else group
        if {"git", "path", "url", "file", "hg", "svn", "editable"} & entry.keys():
            reason = ELSEWHERE
        elif {"source", "index"} & entry.keys():
            reason = "It comes from an index that the manifest specifies."
    return Written(name, version, group, reason)
