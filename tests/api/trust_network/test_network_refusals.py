"""Rejected targets and queries, and unknown packages."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from network_requests import error, get
from trust_upstreams import FakeUpstreams

ELEVEN = "..vs..".join(f"package:kit{number}" for number in range(11))

BAD_TARGETS = (
    *("", " ", "\t", "../x", "npm:../x", "%2e%2e%2f", "github:a/..", "github:../b", ".", ".."),
    *("npm:%2e%2e/x", "pkg:npm/../../x", "docker:../../x", "..\\x", "/etc/passwd", "a/b"),
    *("x" * 10_000, "x" * 401, "@" * 300, "%2540scope%252Fkit", "pkg:npm/%252540scope/kit"),
    *("kit\x00", "ki\x01t", "kit\n", "\x7fkit", "k\u0456t", "\uff4bit", "kit\u200b", "\U0001f600"),
    *("pkg:npm/kit?arch=x86", "pkg:npm/kit@1.0.0?a=b#c", "pkg:npm/kit#lib", "pkg:", "pkg:npm/"),
    *("nowhere:kit", "package:kit", "npm:", ":kit", "kit@1.0.0", "kit kat", "docker:kit:latest"),
    *("pkg:deb/kit", "pkg:npm/kit@1/..", "' OR 1=1 --", "<script>", "${jndi:ldap://x}", "\ufffd"),
)


@pytest.mark.parametrize("target", BAD_TARGETS, ids=range(len(BAD_TARGETS)))
def test_a_bad_target(client: FlaskClient, upstreams: FakeUpstreams, target: str) -> None:
    """Check that it is rejected before any upstream is queried, alone and in a comparison."""
    before = upstreams.asked.total()
    for query in (
        {"target": target},
        {"kind": "package", "target": target},
        {"kind": "comparison", "target": f"package:kit..vs..package:{target}"},
    ):
        answer = get(client, **query)
        assert answer.status_code == 400
        assert error(answer)["code"] == "invalid_request"
        assert error(answer)["details"]["path"] == "target"
        assert len(error(answer)["message"]) < 400
    assert upstreams.asked.total() == before


@pytest.mark.parametrize(
    ("query", "path", "told"),
    [
        ({"kind": "comparison", "target": "package:kit"}, "target", "this one has 1"),
        ({"kind": "comparison", "target": ELEVEN}, "target", "this one has 11"),
        ({"kind": "comparison", "target": "kit..vs..package:bad"}, "target", "Entry 1"),
        ({"kind": "comparison", "target": "package:kit..vs..kat"}, "target", "Entry 2"),
        (
            {"kind": "comparison", "target": "package:kit..vs..package:pkg:npm/kit"},
            "target",
            "more than once",
        ),
        ({"kind": "comparison"}, "target", "`kind` needs a `target`"),
        ({"kind": "package"}, "target", "`kind` needs a `target`"),
        ({"kind": "packages", "target": "kit"}, "kind", "one of: package, comparison"),
        ({"kind": "", "target": "kit"}, "kind", "one of: package, comparison"),
        ({"target": "kit", "depth": "99"}, "depth", "at most 3"),
        ({"target": "kit", "depth": "x"}, "depth", "an integer"),
        ({"target": "kit", "limit": "0"}, "limit", "at least 1"),
        ({"target": "kit", "offset": "-1"}, "offset", "at least 0"),
        ({"target": "package:kit..vs..package:bad"}, "target", "Unknown ecosystem `package`"),
    ],
)
def test_bad_queries(client: FlaskClient, query: dict[str, str], path: str, told: str) -> None:
    answer = get(client, **query)
    assert answer.status_code == 400
    assert error(answer)["code"] == "invalid_request"
    assert error(answer)["details"]["path"] == path
    assert told in error(answer)["message"]


def test_a_package_that_nobody_knows(client: FlaskClient) -> None:
    alone = get(client, target="unheard-of")
    compared = get(client, kind="comparison", target="package:kit..vs..package:unheard-of")
    for answer in (alone, compared):
        assert answer.status_code == 404
        assert error(answer)["code"] == "not_found"
        assert error(answer)["details"] == {"path": "target", "target": "npm:unheard-of"}


def test_one_registry_is_down_and_the_other_does_not_know_it(
    alone: FlaskClient, upstreams: FakeUpstreams
) -> None:
    upstreams.down.add("ecosystems")
    answer = get(alone, target="unheard-of")
    assert answer.status_code == 503
    assert error(answer)["code"] == "upstreams_unavailable"
    told = {each["source"]: each["message"] for each in error(answer)["details"]["unavailable"]}
    assert told["ecosystems"] == "ecosyste.ms failed (status 503)."
    assert "depsdev" not in told, "it has answered"
