"""Notations of packages, and their meaning."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Ecosystem
from codeintel.trust.network import package_key
from codeintel.trust.targets import (
    MAX_KEY_CHARACTERS,
    parse_comparison,
    parse_key,
    parse_target,
    purl_of,
    without_version,
)


@pytest.mark.parametrize(
    ("text", "key", "purl"),
    [
        ("react", "npm:react", "pkg:npm/react"),
        ("  react  ", "npm:react", "pkg:npm/react"),
        ("@scope/kit", "npm:@scope/kit", "pkg:npm/%40scope/kit"),
        ("npm:@scope/kit", "npm:@scope/kit", "pkg:npm/%40scope/kit"),
        ("NPM:react", "npm:react", "pkg:npm/react"),
        ("pkg:npm/%40scope/kit", "npm:@scope/kit", "pkg:npm/%40scope/kit"),
        ("pkg:npm/%40scope/kit@1.0.0", "npm:@scope/kit@1.0.0", "pkg:npm/%40scope/kit@1.0.0"),
        ("pkg:npm/react@18.3.1", "npm:react@18.3.1", "pkg:npm/react@18.3.1"),
        ("pypi:Foo_Bar.baz", "pypi:foo-bar-baz", "pkg:pypi/foo-bar-baz"),
        ("pkg:pypi/Foo_Bar", "pypi:foo-bar", "pkg:pypi/foo-bar"),
        ("cargo:serde", "cargo:serde", "pkg:cargo/serde"),
        ("crates:serde", "cargo:serde", "pkg:cargo/serde"),
        ("pkg:cargo/serde@1.0.0+a", "cargo:serde@1.0.0+a", "pkg:cargo/serde@1.0.0%2Ba"),
        ("go:github.com/A/b", "golang:github.com/A/b", "pkg:golang/github.com/A/b"),
        ("maven:org.a:b", "maven:org.a/b", "pkg:maven/org.a/b"),
        ("maven:org.a/b", "maven:org.a/b", "pkg:maven/org.a/b"),
        ("nuget:Newtonsoft.Json", "nuget:newtonsoft.json", "pkg:nuget/newtonsoft.json"),
        ("rubygems:rails", "gem:rails", "pkg:gem/rails"),
        ("packagist:Monolog/Monolog", "composer:monolog/monolog", "pkg:composer/monolog/monolog"),
        ("github:Pallets/Flask", "github:pallets/flask", "pkg:github/pallets/flask"),
        ("docker:redis", "docker:redis", "pkg:docker/redis"),
        ("docker:library/redis", "docker:redis", "pkg:docker/redis"),
        ("docker:grafana/grafana", "docker:grafana/grafana", "pkg:docker/grafana/grafana"),
    ],
)
def test_what_is_meant(text: str, key: str, purl: str) -> None:
    target = parse_target(text)
    assert (target.key, purl_of(target)) == (key, purl)
    assert parse_key(key) == target
    assert parse_target(purl) == target


def refused(text: str) -> str:
    with pytest.raises(ServiceError) as caught:
        parse_target(text)
    assert caught.value.code is ErrorCode.INVALID_REQUEST
    assert caught.value.details == {"path": "target"}
    assert caught.value.message.endswith(".")
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("x" * 10_000, "has 10,000 characters; at most 400"),
        ("x" * 215, "not a valid npm name"),
        (f"pkg:npm/{'x' * 200}@{'1' * 51}", "have 256 characters together; at most 255"),
        *(
            (path, "not a valid ")
            for path in ("../x", "..", ".", "npm:../x", "npm:..", "a/b", "/x")
        ),
        *(
            (path, "not a valid ")
            for path in ("github:a/..", "github:a/.", "github:../b", "x/../y")
        ),
        *((path, "not a valid ") for path in ("pkg:npm/%2e%2e/x", "pkg:github/a/..", "npm:@a/..")),
        *((path, "not a valid ") for path in ("maven:..:x", "maven:a:..", "golang:a.b/../c")),
        *((path, "not a valid ") for path in ("docker:../x", "docker:a/b/c", "x\\..\\y", "npm:")),
        ("%2e%2e%2f", "is encoded twice"),
        ("%40scope%2Fkit", "is encoded twice"),
        ("pkg:npm/%2540scope/kit", "is encoded twice"),
        ("cargo::x", "not a valid cargo name"),
        ("package:react", "Unknown ecosystem `package`"),
        ("choco:x", "Known ecosystems: cargo, composer"),
        ("x:" * 100 + "x", "Unknown ecosystem `x`"),
        ("a b", "no spaces"),
        ("a\x00b", "printable"),
        ("a\nb", "printable"),
        ("react\n", "printable"),
        ("re\u0430ct", "ASCII"),
        ("\uff52eact", "ASCII"),
        ("react\u200b", "ASCII"),
        ("react@18.0.0", "`pkg:npm/name@1.0.0`"),
        ("@scope/kit@1.0.0", "`pkg:npm/name@1.0.0`"),
        ("pkg:docker/redis@7", "Remove the version"),
        ("pkg:github/a/b@v1", "Remove the version"),
        ("pkg:npm/react?arch=x", "Remove `?`, `#`"),
        ("pkg:npm/react#src", "Remove `?`, `#`"),
        ("pkg:npm/react@1/2", "has invalid characters"),
        ("pkg:npm/react@..%2f..", "has invalid characters"),
        ("pkg:", "not a valid package URL"),
        ("pkg:npm", "not a valid package URL"),
        ("pkg:deb/curl", "Unknown ecosystem `deb`"),
    ],
)
def test_what_is_refused(text: str, told: str) -> None:
    assert told in refused(text)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(max_size=40),
        st.from_regex(r"(pkg:)?[a-z]{0,6}[:/][@%A-Za-z0-9./_-]{0,30}", fullmatch=True),
    )
)
def test_anything_is_refused_or_has_one_spelling(text: str) -> None:
    try:
        target = parse_target(text)
    except ServiceError as error:
        assert error.code is ErrorCode.INVALID_REQUEST
        return
    assert parse_key(target.key) == target
    assert not {".", ".."} & set(target.name.split("/"))
    assert target.key.isascii() and len(target.key) <= MAX_KEY_CHARACTERS
    if target.name == target.name.lower():  # the library lowers npm's
        assert parse_target(purl_of(target)) == target


@pytest.mark.parametrize("ecosystem", Ecosystem)
def test_the_example_of_a_refusal_is_right(ecosystem: Ecosystem) -> None:
    example = refused(f"{ecosystem}:!").split("`")[1]
    assert parse_target(f"{ecosystem}:{example}").name == example


def test_a_comparison() -> None:
    found = parse_comparison("package:react..vs..package:pypi:flask..vs..package:pkg:npm/%40a/b@1")
    assert [each.key for each in found] == ["npm:react", "pypi:flask", "npm:@a/b@1"]
    ten = "..vs..".join(f"package:kit{number}" for number in range(10))
    assert len(parse_comparison(ten)) == 10


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "this one has 1"),
        ("package:react", "2 to 10 entries"),
        ("..vs..".join(f"package:kit{number}" for number in range(11)), "this one has 11"),
        ("package:a..vs..b", "Entry 2 of the comparison does not start with `package:`"),
        ("a..vs..package:b", "Entry 1"),
        ("package:a..vs..", "Entry 2"),
        ("package:a..vs..package:", "is empty"),
        ("package:a..vs..package:npm:a", "more than once"),
        ("package:pypi:a_b..vs..package:pypi:A.B", "more than once"),
        ("package:a..vs..package:../x", "not a valid npm name"),
        ("package:a..VS..package:b", "this one has 1"),
    ],
)
def test_a_comparison_that_is_refused(text: str, told: str) -> None:
    with pytest.raises(ServiceError) as caught:
        parse_comparison(text)
    assert caught.value.code is ErrorCode.INVALID_REQUEST
    assert caught.value.details == {"path": "target"}
    assert told in caught.value.message


@pytest.mark.parametrize("key", ["", "react", "npm:", "npm:../x", "docker:a@1", "deb:curl"])
def test_a_stored_key_that_is_none(key: str) -> None:
    with pytest.raises(ServiceError):
        parse_key(key)


@pytest.mark.parametrize(
    ("key", "package"),
    [
        ("npm:react", "npm:react"),
        ("npm:react@19.0.0", "npm:react"),
        ("npm:@babel/core", "npm:@babel/core"),
        ("npm:@babel/core@7.28.0", "npm:@babel/core"),
        ("maven:org.slf4j/slf4j-api@2.0.0", "maven:org.slf4j/slf4j-api"),
        ("golang:github.com/gorilla/mux@v1.8.1", "golang:github.com/gorilla/mux"),
        ("github:pallets/flask", "github:pallets/flask"),
    ],
)
def test_keys_without_versions(key: str, package: str) -> None:
    assert without_version(key) == package == package_key(parse_key(key))
