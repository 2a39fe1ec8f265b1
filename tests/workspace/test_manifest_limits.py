"""Manifests that are broken, hostile, too many or none."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, strategies as st
from manifest_reading import read
from manifest_texts import (
    CARGO,
    COMPOSER,
    CSPROJ,
    DOCKERFILE,
    GEMFILE,
    GO_MOD,
    PACKAGE_JSON,
    PIPFILE,
    POETRY,
    POM,
    PYPROJECT,
    REQUIREMENTS,
    SETUP_CFG,
    WORKFLOW,
)
from msgspec import UNSET

from codeintel.workspaces.proof.manifests.reader import MAX_CHARACTERS, MAX_DEPENDENCIES, manifests


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/package.json", "{"),
        ("/package.json", "[]"),
        ("/package.json", '{"a":' * 5_000),
        ("/composer.json", "\ud800"),
        ("/pyproject.toml", "["),
        ("/pyproject.toml", "a" + ".a" * 200_000 + " = 1"),
        ("/pyproject.toml", "[a" + " . 'b'" * 50_000 + "]"),
        ("/pyproject.toml", "x = {a = '''a'b''', c" + ".c" * 20_000 + " = ''}"),
        ("/pyproject.toml", 'x = """"""""\ny' + ".c" * 20_000 + ' = ""'),
        ("/pyproject.toml", "x = " + "[" * 50_000),
        ("/Pipfile", "[packages]\nleft = [1]"),
        ("/Cargo.toml", "= 1"),
        ("/setup.cfg", "no section"),
        ("/pom.xml", "<project>"),
        ("/pom.xml", "<other/>"),
        ("/pom.xml", ""),
        ("/pom.xml", "<project>" * 200 + "</project>" * 200),
        ("/pom.xml", '<!DOCTYPE p [<!ENTITY a "b">]><project>&a;</project>'),
        ("/pom.xml", '<!DOCTYPE p SYSTEM "file:///etc/passwd"><project/>'),
        ("/a.csproj", "<Project><x></Project>"),
        ("/package.json", " " * (MAX_CHARACTERS + 1)),
    ],
)
def test_a_broken_manifest_says_so(path: str, text: str) -> None:
    found = read(path, text, ("/sub/requirements.txt", "left"))
    assert isinstance(found.problem, str)
    assert found.dependencies == ()
    assert text[:6] not in found.problem or len(text) < 2


def test_what_is_no_manifest_or_belongs_to_others() -> None:
    found = manifests(
        [
            ("/readme.md", "left"),
            ("/node_modules/a/package.json", PACKAGE_JSON),
            ("/vendor/a/composer.json", COMPOSER),
            ("/package-lock.json", "{"),
            ("/pyproject.toml", "[tool.ruff]\n"),
            ("/xpom.xml", "<"),
        ]
    )
    assert found == []


def test_more_than_are_read() -> None:
    lines = "\n".join(f"name{i}" for i in range(MAX_DEPENDENCIES))
    found = manifests([("/a/requirements.txt", lines), ("/b/requirements.txt", "left\nright")])
    assert [len(each.dependencies) for each in found] == [MAX_DEPENDENCIES, 0]
    assert found[0].problem is UNSET
    assert "5,000" in str(found[1].problem)


def test_long_texts_are_cut_and_paths_of_a_disk_left_out() -> None:
    named = f'{{"dependencies": {{"{"a" * 900}": "{"1" * 900}"}}}}'
    [long] = read("/package.json", named).dependencies
    assert (long.name, long.requirement) == (f"{'a' * 199}…", f"{'1' * 199}…")
    found = read("/requirements.txt", f"left =={'1' * 900}\nhere @ file:///home/ada/here\n")
    assert [(each.name, len(each.requirement)) for each in found.dependencies] == [
        ("left", 200),
        ("here", len("@ …")),
    ]
    assert "/home" not in repr(found)


SAMPLES = {
    "/package.json": PACKAGE_JSON,
    "/pyproject.toml": PYPROJECT + POETRY.replace("[tool.poetry]\nname = 'kit'", ""),
    "/setup.cfg": SETUP_CFG,
    "/requirements.txt": REQUIREMENTS,
    "/Pipfile": PIPFILE,
    "/Cargo.toml": CARGO,
    "/go.mod": GO_MOD,
    "/composer.json": COMPOSER,
    "/Gemfile": GEMFILE,
    "/pom.xml": POM,
    "/a.csproj": CSPROJ,
    "/Dockerfile": DOCKERFILE,
    "/.github/workflows/x.yml": WORKFLOW,
    "/.yarnrc.yml": "npmScopes:\n  acme:\n    npmRegistryServer: x\n",
    "/.npmrc": "registry=x\n",
    "/nuget.config": "<c><packageSources><add value='x'/></packageSources></c>",
    "/install.sh": "npm ci --registry=x\nGOPRIVATE=x PIP_INDEX_URL=x\n",
    "/bunfig.toml": "[install]\nregistry = 'x'\n",
}


@given(st.sampled_from(sorted(SAMPLES)), st.randoms(use_true_random=False), st.integers(1, 30))
def test_damaged_manifests_raise_nothing(path: str, chance: random.Random, edits: int) -> None:
    text = list(SAMPLES[path])
    for _ in range(edits):
        at = chance.randrange(len(text))
        text[at : at + chance.randrange(3)] = chance.choice(
            ["", "{", "}", "[", "]", '"', "'", "\n", "<", ">", "\0", "1", "=", ".", ":", "\ud800"]
        )
    found = manifests([(path, "".join(text))])
    assert [each.path for each in found] in ([], [path])
    assert all(each.dependencies or each.problem for each in found)


@pytest.mark.parametrize("path", SAMPLES)
def test_hostile_texts_take_no_time(path: str) -> None:
    pieces = (
        "\n", " ", "a", "[", "{", "(", "<a>", "gem 'a' ", "FROM a\n", "FROM --a ", "uses: a/b@c\n",
        "\\\n", '"""', "'''",
        '"""\\', "'", '"', "a.b\n", "${", "@", "[a]\n", "a = 1\n", "a[", "a @ ",
        "npmScopes:\n ", "npmScopes: \n", "registry ", "-i ", "index-url = a\n b", "require (\n",
        "source 'a' ",
        "--registry ", "PIP_INDEX_URL", "--index ", "group :a ", "do\n", "--hash", "#egg=a", ";", "://@",
    )  # fmt: skip
    for piece in pieces:
        text = piece * (200_000 // len(piece))
        before = time.process_time()
        manifests([(path, text)])
        assert time.process_time() - before < 3, repr(piece)
