"""The direct dependencies of a workspace, by its manifests of each kind."""

from __future__ import annotations

from manifest_reading import private, read, told
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
    at_public_hosts,
)

from codeintel.workspaces.proof.manifests.reader import manifests


def test_package_json() -> None:
    found = read("/web/package.json", PACKAGE_JSON)
    assert found.ecosystem == "npm"
    assert told(found) == [
        ("left", "^1.2.3", "runtime"),
        ("right", "npm:right@~2", "runtime"),
        ("tagged", "latest", "runtime"),
        ("lint", ">=1 <2 || 3.x", "development"),
        ("host", "*", "peer"),
        ("fast", "1", "optional"),
    ]
    assert private(found) == ["@kit/core", "tool", "forked", "short"]


def test_pyproject() -> None:
    found = read("/pyproject.toml", PYPROJECT)
    assert told(found) == [
        ("setuptools", ">=77", "build"),
        ("left", ">=1.2,<2; python_version > '3.8'", "runtime"),
        ("plotter", "~=3.0", "optional"),
        ("tester", "==1.0", "development"),
        ("linter", "", "development"),
        ("writer", "!=2", "development"),
    ]
    assert private(found) == ["right", "here"]


def test_poetry() -> None:
    found = read("/pyproject.toml", POETRY)
    assert told(found) == [
        ("left", "^1.2", "runtime"),
        ("plot", "~3", "optional"),
        ("several", "1", "runtime"),
        ("linter", "*", "development"),
        ("tester", "*", "development"),
    ]
    assert private(found) == ["forked", "ours"]


def test_setup_cfg() -> None:
    assert told(read("/setup.cfg", SETUP_CFG)) == [
        ("left", ">=1", "runtime"),
        ("right", '; python_version < "4"', "runtime"),
        ("tester", ">=1", "development"),
        ("plotter", "", "optional"),
    ]


def test_requirements() -> None:
    found = read("/requirements.txt", REQUIREMENTS)
    assert told(found) == [
        ("left", "==1.2.3", "runtime"),
        ("right", '>= 2 ; python_version >= "3.8"', "runtime"),
    ]
    assert private(found) == ["forked", "named"]
    assert "ada" not in repr(found)
    for path in ("/requirements-dev.txt", "/dev-requirements.in", "/requirements/test.txt"):
        assert told(read(path, "left"))[0] == ("left", "", "development")


def test_pipfile() -> None:
    found = read("/Pipfile", at_public_hosts(PIPFILE))
    assert told(found) == [("left", "*", "runtime"), ("tester", ">=1", "development")]
    assert private(found) == ["forked"]


def test_cargo() -> None:
    found = read("/Cargo.toml", CARGO)
    assert told(found) == [
        ("left", "1.2", "runtime"),
        ("right", "2", "optional"),
        ("real", "3", "runtime"),
        ("shared", "", "runtime"),
        ("tester", "1", "development"),
        ("maker", "1", "build"),
        ("nixish", "0.1", "runtime"),
    ]
    assert private(found) == ["here", "ours", "patched"]


def test_go_mod() -> None:
    found = read("/go.mod", GO_MOD)
    assert told(found) == [
        ("github.com/gorilla/mux", "v1.8.0", "runtime"),
        ("golang.org/x/text", "v0.3.0", "runtime"),
        ("gopkg.in/yaml.v3", "v3.0.1", "runtime"),
    ]
    assert private(found) == [
        "github.com/acme/other",
        "git.corp.example/team/lib",
        "github.com/swapped/out",
    ]


def test_composer() -> None:
    assert told(read("/composer.json", COMPOSER)) == [
        ("monolog/monolog", "^3.0", "runtime"),
        ("phpunit/phpunit", "^10 || ^11", "development"),
    ]


def test_gemfile() -> None:
    found = read("/Gemfile", at_public_hosts(GEMFILE))
    assert told(found) == [
        ("rails", "~> 7.1, >= 7.1.2", "runtime"),
        ("rspec", "", "development"),
        ("byebug", "", "development"),
        ("puma", "", "runtime"),
    ]
    assert private(found) == ["forked", "ours"]


def test_pom() -> None:
    found = read("/pom.xml", POM)
    assert told(found) == [
        ("org.slf4j:slf4j-api", "2.0.1", "runtime"),
        ("junit:junit", "", "development"),
        ("org.parent:up", "3", "parent"),
    ]
    assert private(found) == ["com.acme.lib:util", "${elsewhere}:x"]


def test_nuget() -> None:
    assert told(read("/src/App.csproj", CSPROJ)) == [
        ("Newtonsoft.Json", "13.0.3", "runtime"),
        ("Serilog", "3.1.1", "runtime"),
        ("StyleCop", "1", "development"),
    ]
    config = '<packages><package id="NUnit" version="4.0.1" /></packages>'
    assert told(read("/packages.config", config)) == [("NUnit", "4.0.1", "runtime")]


def test_dockerfile() -> None:
    found = read("/Dockerfile", at_public_hosts(DOCKERFILE))
    assert told(found) == [
        ("node", "22-slim", "runtime"),
        ("library/redis", "sha256:00", "runtime"),
        ("grafana/grafana", "", "runtime"),
    ]
    assert private(found) == ["registry.corp.example:5000/base", "$IMAGE"]


def test_workflow() -> None:
    found = read("/.github/workflows/ci.yml", WORKFLOW)
    assert told(found) == [("actions/checkout", "v4", "build")]
    assert private(found) == ["corp/secret-action"]


def test_manifests_are_in_order_and_each_is_read_by_its_own() -> None:
    files = [("/b/package.json", PACKAGE_JSON), ("/a/go.mod", GO_MOD), ("/A/PIPFILE", PIPFILE)]
    found = manifests(iter(files))
    assert [(each.path, each.ecosystem, each.dependencies[0].name) for each in found] == [
        ("/A/PIPFILE", "pypi", "left"),
        ("/a/go.mod", "golang", "github.com/gorilla/mux"),
        ("/b/package.json", "npm", "left"),
    ]
