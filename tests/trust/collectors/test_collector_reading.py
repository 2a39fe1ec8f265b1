"""Reading what is not sure, the ids of repositories, and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.trust.collectors import shipped
from codeintel_plugins.trust.collectors.names import owner_and_name, repository_of
from codeintel_plugins.trust.collectors.shipped import checked
from collector_bodies import answer, collector
from hypothesis import given, strategies as st

from codeintel.contracts import (
    SourceError,
    SourceProblem,
)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/o/r", "github.com/o/r"),
        ("git+https://github.com/o/r.git", "github.com/o/r"),
        ("git://www.GitHub.com/o/R.git/", "github.com/o/R"),
        ("git@github.com:o/r.git", "github.com/o/r"),
        ("ssh://git@github.com:22/o/r.git", "github.com/o/r"),
        ("git+ssh://git@gitlab.com/a/b/c.git", "gitlab.com/a/b/c"),
        ("scm:git:git@github.com:o/r.git", "github.com/o/r"),
        ("https://user:secret@github.com/o/r", "github.com/o/r"),
        ("https://github.com/o/r/tree/main/packages/x?y=z#readme", "github.com/o/r"),
        ("https://gitlab.com/a/b/c/-/tree/main", "gitlab.com/a/b/c"),
        ("https://codeberg.org/o/r.js/src", "codeberg.org/o/r.js"),
        ("https://git.example.test/~u/r", "git.example.test/~u/r"),
        ("github.com/o/r", "github.com/o/r"),
        ("https://github.com/sponsors/o", ""),
        ("https://github.com/o", ""),
        ("https://github.com/o/..", ""),
        ("https://github.com/o/.git", ""),
        ("https://example.test/kit#readme", ""),
        ("https://localhost/o/r", ""),
        ("ftp://github.com/o/r", ""),
        ("javascript:alert(1)", ""),
        ("https://[::1/o/r", ""),
        ("https://github.com/o/r r", ""),
        ("https://github.com/o/\u202er", ""),
        ("", ""),
        (None, ""),
        ("https://github.com/" + "x" * 2_000 + "/r", ""),
    ],
)
def test_repositories(url: Any, name: str) -> None:
    assert repository_of(url) == name
    assert repository_of(name) == name, "its own spelling"


@given(st.text() | st.text("git+https:/@.~hubcom", max_size=40))
def test_repositories_of_any_text(text: str) -> None:
    name = repository_of(text)
    assert repository_of(name) == name
    assert not name or name.isascii()


@pytest.mark.parametrize("repository", ["github.com/o", "gitlab.com/o/r", "github.com/o/r/x", 5])
def test_owners_elsewhere(repository: Any) -> None:
    assert owner_and_name(repository, "github.com") is None
    assert owner_and_name("github.com/o/r", "github.com") == ("o", "r")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-02-10T17:01:40Z", "2026-02-10T17:01:40Z"),
        ("2026-02-10T17:01:40.999999999Z", "2026-02-10T17:01:40Z"),
        ("2026-02-10T17:01:40+02:00", "2026-02-10T15:01:40Z"),
        ("2026-02-10T17:01:40", "2026-02-10T17:01:40Z"),
        ("2026-02-10", "2026-02-10T00:00:00Z"),
        ("0001-01-01T00:00:00Z", None),
        ("0001-01-01T00:00:00+12:00", None),
        ("9999-12-31T23:59:59-12:00", None),
        ("1970-01-01T00:00:00Z", None),
        ("2026-02-30", None),
        ("2026-W07-2", None),
        ("20260210", None),
        ("\N{ARABIC-INDIC DIGIT TWO}026-02-10", None),
        ("", None),
        (5, None),
        (None, None),
    ],
)
def test_times(text: Any, time: str | None) -> None:
    assert shipped.time(text) == time


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (0, 0),
        (2**53 - 1, 2**53 - 1),
        (2**53, None),
        (-1, None),
        (5.0, None),
        ("5", None),
        (True, None),
    ],
)
def test_counts(value: Any, count: int | None) -> None:
    assert shipped.count({"x": value}, "x") == count


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *[(0, 0.0), (10, 10.0), (10.1, None), (-0.1, None), (10**400, None)],
        *[(float("nan"), None), (float("inf"), None), (True, None), ("5", None), (None, None)],
    ],
)
def test_numbers(value: Any, number: float | None) -> None:
    assert shipped.real({"x": value}, "x", 10) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a\r\n\tb ", "a b"),
        ("a\x00b\u202e\ud800c", "abc"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("x" * 400, "x" * 300),
        (5, ""),
        (None, ""),
    ],
)
def test_lines(value: Any, text: str) -> None:
    assert shipped.line(value) == text


@pytest.mark.parametrize(
    ("value", "is_page"),
    [
        ("https://example.test/x", True),
        ("http://example.test", True),
        ("javascript:alert(1)", False),
        ("https://user@example.test", False),
        ("https://", False),
        ("https://[::1", False),
        ("https://example.test/a b", False),
        ('https://example.test/"', False),
        ("https://example.test/" + "x" * 2_000, False),
        (None, False),
    ],
)
def test_pages(value: Any, is_page: bool) -> None:
    assert bool(shipped.web_url(value)) is is_page


@pytest.mark.parametrize(
    ("status", "token", "problem", "words"),
    [
        (401, "", "UNAUTHORIZED", "needs a token"),
        (401, "x", "UNAUTHORIZED", "rejected the token"),
        (403, "", "REFUSED", "status 403"),
        (403, "x", "UNAUTHORIZED", "rejected the token"),
        (429, "", "RATE_LIMITED", "too many requests"),
        (204, "", "MALFORMED", "status 204"),
        (304, "", "MALFORMED", "status 304"),
        (301, "", "UNAVAILABLE", "Set its new URL"),
        (404, "", "UNAVAILABLE", "Check its URL"),
        (418, "", "REFUSED", "status 418"),
        (500, "", "UNAVAILABLE", "status 500"),
        (599, "x", "UNAVAILABLE", "status 599"),
    ],
)
def test_refusals(status: int, token: str, problem: str, words: str) -> None:
    with pytest.raises(SourceError, match=f"^OSV .*{words}") as raised:
        checked(collector("osv", token=token), answer("secret of the upstream", status))
    assert raised.value.problem is SourceProblem[problem]
    assert "secret" not in raised.value.message
