"""Each trick by which a name imitates another, and similar honest names."""

from __future__ import annotations

import pytest

from codeintel.trust.names import EditKind, suspicion
from codeintel.trust.names.spelling import spelling_edit

IMITATIONS = [
    ("pypi", "nunpy", "numpy", EditKind.KEYBOARD),
    ("pypi", "requesys", "requests", EditKind.KEYBOARD),
    ("pypi", "reqests", "requests", EditKind.DELETION),
    ("pypi", "cryptograhpy", "cryptography", EditKind.TRANSPOSITION),
    ("pypi", "tensorfllow", "tensorflow", EditKind.REPETITION),
    ("pypi", "Pilow", "pillow", EditKind.REPETITION),
    ("pypi", "colourama", "colorama", EditKind.INSERTION),
    ("pypi", "setup-tools", "setuptools", EditKind.SEPARATORS),
    ("pypi", "requests2", "requests", EditKind.VERSION),
    ("pypi", "r\u0435quests", "requests", EditKind.HOMOGLYPH),
    ("pypi", "co1orama", "colorama", EditKind.HOMOGLYPH),
    ("npm", "cornrnander", "commander", EditKind.HOMOGLYPH),
    ("npm", "loadsh", "lodash", EditKind.TRANSPOSITION),
    ("npm", "Lodash", "lodash", EditKind.CASE),
    ("npm", "@typs/node", "@types/node", EditKind.DELETION),
    ("npm", "@t\u0443pes/node", "@types/node", EditKind.HOMOGLYPH),
    ("npm", "@angular-core", "@angular/core", EditKind.SCOPE),
    ("npm", "chokeder", "chokidar", EditKind.SOUND),
    ("npm", "typescriptjs", "typescript", EditKind.AFFIX),
    ("npm", "--save-dev", "npm", EditKind.OPTION),
    ("pypi", "--upgrade", "pip", EditKind.OPTION),
    ("cargo", "rustdecimal", "rust_decimal", EditKind.SEPARATORS),
    ("gem", "nokogirii", "nokogiri", EditKind.REPETITION),
    ("docker", "ngnix:1.25", "nginx", EditKind.TRANSPOSITION),
    ("github_actions", "actoins/checkout", "actions/checkout", EditKind.TRANSPOSITION),
    ("actions", "aws-acions/x", "aws-actions/x", EditKind.DELETION),
    (
        "golang",
        "github.com/siruspen/logrus",
        "github.com/sirupsen/logrus",
        EditKind.TRANSPOSITION,
    ),
    ("go", "githib.com/spf13/cobra", "github.com/spf13/cobra", EditKind.KEYBOARD),
    (
        "maven",
        "org.fasterxml.jackson.core:jackson-databind",
        "com.fasterxml.jackson.core:jackson-databind",
        EditKind.SUBSTITUTION,
    ),
]

WORDS_PUT_RIGHT = [
    ("pypi", "pyhton", "python"),
    ("pypi", "kuberntes-thing", "kubernetes-thing"),
    ("pypi", "tkinterr", "tkinter"),
    ("npm", "electorn", "electron"),
    ("npm", "discrod", "discord"),
    ("npm", "mssql.js", "mssql"),
    ("npm", "http-proxy.js", "http-proxy"),
]

HONEST = [
    ("pypi", "pytest-mock"),
    ("pypi", "request-id"),
    ("pypi", "flask-login"),
    ("pypi", "dataset"),
    ("pypi", "scrapbook"),
    ("npm", "@types/lodash"),
    ("npm", "@types/react-dom"),
    ("npm", "lodash.merge"),
    ("npm", "react-redux"),
    ("npm", "@acme/lodash"),
    ("npm", "preact"),
    ("npm", "hash.js"),
    ("pypi", "python-redis"),
    ("cargo", "serde_json"),
    ("docker", "library/nginx"),
    ("github_actions", "actions/cache"),
    ("github_actions", "somebody/checkout"),
    ("go", "github.com/spf13/viper"),
    ("maven", "com.example:library"),
]


@pytest.mark.parametrize(("ecosystem", "name", "target", "kind"), IMITATIONS)
def test_an_imitation_is_told_with_its_target_and_edit(
    ecosystem: str, name: str, target: str, kind: EditKind
) -> None:
    found = suspicion(ecosystem, name)
    assert found is not None
    assert (found.target, found.edit.kind, found.suspicious) == (target, kind, True)
    assert found.name == name


@pytest.mark.parametrize(("ecosystem", "name", "target"), WORDS_PUT_RIGHT)
def test_a_misspelt_technology_is_told_without_a_famous_package(
    ecosystem: str, name: str, target: str
) -> None:
    found = suspicion(ecosystem, name)
    assert found is not None
    assert (found.target, found.suspicious, found.is_famous) == (target, True, False)


def test_words_put_right_that_are_a_famous_name_are_told_as_famous() -> None:
    found = suspicion("npm", "sockjs")
    assert found is not None
    assert (found.target, found.edit.detail, found.is_famous) == ("socks", "`j` is inserted", True)


@pytest.mark.parametrize(("ecosystem", "name"), HONEST)
def test_an_honest_name_is_not_suspicious(ecosystem: str, name: str) -> None:
    found = suspicion(ecosystem, name)
    assert found is None or not found.suspicious


@pytest.mark.parametrize(
    ("ecosystem", "name"),
    [
        ("npm", "@types/reqct"),
        ("npm", "@babel/coer"),
        ("github_actions", "actions/chekout"),
        ("go", "github.com/spf13/cobrra"),
        ("docker", "bitnami/rediss"),
        ("maven", "org.slf4j:slf4j-apii"),
    ],
)
def test_a_well_known_owner_may_call_things_anything(ecosystem: str, name: str) -> None:
    assert suspicion(ecosystem, name) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("babelcore", EditKind.SCOPE),
        ("typescriptjs", EditKind.AFFIX),
        ("lodash-cli", EditKind.AFFIX),
        ("stringify-json-safe", EditKind.WORD_ORDER),
    ],
)
def test_what_honest_names_do_too_is_named_at_least(name: str, kind: EditKind) -> None:
    found = suspicion("npm", name)
    assert found is not None
    assert kind in {found.edit.kind, *(each.edit.kind for each in found.others)}


@pytest.mark.parametrize(
    ("found", "expected", "kind", "detail"),
    [
        ("axois", "axios", EditKind.TRANSPOSITION, "the letters `io` are swapped"),
        ("lodashh", "lodash", EditKind.REPETITION, "the letter `h` is repeated"),
        ("comander", "commander", EditKind.REPETITION, "the letter `m` is not repeated"),
        ("lodashs", "lodash", EditKind.PLURAL, "an `s` is added"),
        ("request", "requests", EditKind.PLURAL, "the last `s` is left out"),
        ("lodash4", "lodash", EditKind.VERSION, "the number `4` is added"),
        ("psycopg", "psycopg2", EditKind.VERSION, "the number `2` is left out"),
        ("sha7", "sha3", EditKind.VERSION, "`7` replaces `3`"),
        ("numoy", "numpy", EditKind.KEYBOARD, "`o` replaces `p`, the adjacent key"),
        ("1odash", "lodash", EditKind.HOMOGLYPH, "`1` replaces `l`, which it looks like"),
        (
            "cornmon",
            "common",
            EditKind.HOMOGLYPH,
            "`rn` replaces `m`, which it looks like",
        ),
        ("colurama", "colorama", EditKind.SUBSTITUTION, "`u` replaces `o`"),
        ("flxask", "flask", EditKind.INSERTION, "`x` is inserted"),
        ("flsk", "flask", EditKind.DELETION, "`a` is left out"),
        ("flxyask", "flask", EditKind.SEVERAL, "`xy` is inserted"),
    ],
)
def test_an_edit_is_told_by_kind_and_letters(
    found: str, expected: str, kind: EditKind, detail: str
) -> None:
    edit, _ = spelling_edit(found, expected)
    assert (edit.kind, edit.detail) == (kind, detail)


def test_runners_up_are_less_probable_and_other_names() -> None:
    found = suspicion("pypi", "flasl")
    assert found is not None
    chances = [found.probability, *(each.probability for each in found.others)]
    targets = [found.target, *(each.target for each in found.others)]
    assert chances == sorted(chances, reverse=True)
    assert len(set(targets)) == len(targets)
