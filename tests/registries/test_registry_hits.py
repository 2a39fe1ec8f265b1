"""Parsing of each registry's answers."""

from __future__ import annotations

from typing import Any

import pytest
from registry_bodies import BODIES, PLACES, answer, document, facts, listed, source

NPM = "https://example.test/package"
FOUND: dict[str, list[tuple[Any, ...]]] = {
    "github": [
        (
            "1951148",
            "example-dev/legit",
            "https://github.com/example-dev/legit",
            "Git for Humans, inspired by a desktop client™.",
            5712,
            None,
        ),
        (
            "722962",
            "example-dev/CouchPotatoV1",
            "https://github.com/example-dev/CouchPotatoV1",
            "",
            1062,
            None,
        ),
        (
            "9631509",
            "Example-Org/gitfiti.fork",
            "https://github.com/Example-Org/gitfiti.fork",
            "abusing a commit calendar for fun",
            0,
            None,
        ),
    ],
    "npm": [
        (
            *("@example-scope/stellar-sdk",) * 2,
            f"{NPM}/@example-scope/stellar-sdk",
            "Library for talking to an example ledger network.",
            None,
            1558185,
        ),
        (*("yargs-like",) * 2, f"{NPM}/yargs-like", "", None, 79),
        (*("x4oh2",) * 2, f"{NPM}/x4oh2", "Example payment protocol", None, 811276),
    ],
    "npm.legacy": [
        (
            *("yargs-like",) * 2,
            f"{NPM}/yargs-like",
            "An argument parser with a sea theme.",
            None,
            None,
        )
    ],
    "docker": [
        (
            *("redis",) * 2,
            "https://hub.docker.com/_/redis",
            "Official build of an in-memory data store.",
            13623,
            11391000431,
        ),
        (*("bitnami/redis",) * 2, "https://hub.docker.com/r/bitnami/redis", "", 320, 1085123768),
        (
            *("example-user/redis-old",) * 2,
            "https://hub.docker.com/r/example-user/redis-old",
            "",
            0,
            17,
        ),
    ],
    "gitlab": [
        (
            "6364957",
            "example-user/events4x",
            "https://gitlab.com/example-user/events4x",
            "Event dispatcher and consumer",
            12,
            None,
        ),
        (
            "68749765",
            "example-group/tools/glabx",
            "https://gitlab.com/example-group/tools/glabx",
            "",
            0,
            None,
        ),
        ("70000001", "empty-user/nothing", "https://gitlab.com/empty-user/nothing", "", 0, None),
    ],
    "gitlab.authenticated": [
        (
            "68749765",
            "example-group/tools/glabx",
            "https://gitlab.com/example-group/tools/glabx",
            "",
            0,
            None,
        )
    ],
    "gitea": [
        (
            "2",
            "example-org/campaigns",
            "https://gitea.example.test/example-org/campaigns",
            "Example site",
            7,
            None,
        ),
        (
            "3",
            "example-user/old-lib",
            "https://gitea.example.test/example-user/old-lib",
            "",
            0,
            None,
        ),
        (
            "4",
            "example-user/campaigns",
            "https://gitea.example.test/example-user/campaigns",
            "",
            0,
            None,
        ),
    ],
    "crates": [
        (
            *("serde",) * 2,
            "https://crates.io/crates/serde",
            "A generic serialization and deserialization framework",
            None,
            612345678,
        ),
        (*("serde_alpha_only",) * 2, "https://crates.io/crates/serde_alpha_only", "", None, 20),
        (
            *("serde-gone",) * 2,
            "https://crates.io/crates/serde-gone",
            "All versions withdrawn",
            None,
            411,
        ),
    ],
    "huggingface": [
        (
            *("example-ai/K2-Thinking",) * 2,
            "https://huggingface.co/example-ai/K2-Thinking",
            "text generation",
            578,
            846249,
        ),
        (*("gpt2-like",) * 2, "https://huggingface.co/gpt2-like", "text generation", 2890, 9123456),
        (
            *("example-user/weights-only",) * 2,
            "https://huggingface.co/example-user/weights-only",
            "",
            0,
            0,
        ),
    ],
    "huggingface.full": [
        (
            *("example-ai/Llm-8B-Instruct",) * 2,
            "https://huggingface.co/example-ai/Llm-8B-Instruct",
            "text generation",
            4400,
            5123456,
        ),
        (*("example-ai/Q3-8B",) * 2, "https://huggingface.co/example-ai/Q3-8B", "", 700, 12),
    ],
}


def test_every_body_is_in_the_table() -> None:
    names = {path.name.removesuffix(".json") for path in BODIES.glob("*.json")}
    assert names == FOUND.keys() | {f"{kind}.errors" for kind in PLACES}


@pytest.mark.parametrize("visibility", ["public", "accounts"])
@pytest.mark.parametrize("name", FOUND)
def test_what_is_found(name: str, visibility: str) -> None:
    found = source(name.split(".")[0], visibility=visibility).hits(answer(document(name)))
    assert facts(found) == FOUND[name]


HIDDEN = [
    ("github", {"private": True}),
    ("gitlab", {"visibility": "private"}),
    ("gitlab", {"visibility": "internal"}),
    ("gitlab", {"visibility": None}),
    ("gitea", {"private": True}),
    ("gitea", {"internal": True}),
    ("huggingface", {"private": True}),
]


@pytest.mark.parametrize(("kind", "marks"), HIDDEN)
def test_what_is_private_is_for_accounts(kind: str, marks: dict[str, Any]) -> None:
    body = document(kind)
    listed(kind, body)[1].update(marks)
    seen = {
        visibility: facts(source(kind, "token", visibility).hits(answer(body)))
        for visibility in ("public", "accounts")
    }
    first, second, third = FOUND[kind]
    assert seen == {"public": [first, third], "accounts": [first, second, third]}


ID, NAME, URL, DESCRIPTION, STARS, DOWNLOADS = range(6)


@pytest.mark.parametrize(
    ("kind", "change", "column", "value"),
    [
        ("github", {"id": None}, ID, "example-dev/legit"),
        ("github", {"id": True}, ID, "example-dev/legit"),
        ("github", {"id": 2**40}, ID, str(2**40)),
        ("github", {"stargazers_count": None}, STARS, None),
        ("github", {"stargazers_count": "12"}, STARS, 12),
        ("github", {"stargazers_count": -1}, STARS, None),
        ("github", {"stargazers_count": True}, STARS, None),
        ("github", {"stargazers_count": 1.5}, STARS, None),
        ("github", {"description": 5}, DESCRIPTION, ""),
        ("github", {"description": "\ud83d"}, DESCRIPTION, "?"),
        ("github", {"description": " \N{GRINNING FACE}\n"}, DESCRIPTION, "\N{GRINNING FACE}"),
        ("npm", {"downloads": {"monthly": "79"}}, DOWNLOADS, 79),
        ("npm", {"downloads": None}, DOWNLOADS, None),
        ("npm", {"package": {"name": "a b"}}, URL, "https://npm.example.test/a%20b"),
        ("npm", {"package": {"name": "@a/b", "links": []}}, URL, "https://npm.example.test/%40a/b"),
        ("npm", {"package": {"name": "\udc00"}}, URL, "https://npm.example.test/%3F"),
        ("docker", {"pull_count": "11391000431"}, DOWNLOADS, 11391000431),
        ("docker", {"repo_name": "a?b#c/\ud800"}, URL, "https://hub.docker.com/r/a%3Fb%23c/%3F"),
        ("gitlab", {"id": []}, ID, "example-user/events4x"),
        ("gitlab", {"description": None}, DESCRIPTION, ""),
        ("gitea", {"id": 0}, ID, "0"),
        ("gitea", {"id": {"a": 1}}, ID, "example-org/campaigns"),
        ("crates", {"id": None}, ID, "serde"),
        ("crates", {"downloads": "\N{SUPERSCRIPT TWO}"}, DOWNLOADS, None),
        ("huggingface", {"id": None}, ID, "example-ai/K2-Thinking"),
        ("huggingface", {"likes": None}, STARS, None),
        ("huggingface", {"pipeline_tag": "text-to-image"}, DESCRIPTION, "text to image"),
    ],
)
def test_odd_values(kind: str, change: dict[str, Any], column: int, value: Any) -> None:
    body = document(kind)
    listed(kind, body)[0].update(change)
    found = facts(source(kind).hits(answer(body)))
    assert found[0][column] == value
    assert found[1:] == FOUND[kind][1:]


@pytest.mark.parametrize("kind", PLACES)
def test_a_broken_row_costs_no_other(kind: str) -> None:
    body = document(kind)
    rows = listed(kind, body)
    strange: list[Any] = [
        None,
        5,
        "text",
        [],
        {},
        dict.fromkeys(rows[0]),
        dict.fromkeys(rows[0], 5),
    ]
    rows[1:1] = strange
    named = [row for row in facts(source(kind).hits(answer(body))) if row[NAME]]
    assert named == FOUND[kind]
