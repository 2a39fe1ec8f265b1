"""The form of `/trust`, and how it fails."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
import trust_samples as made
from flask.testing import FlaskClient
from support import MakeApp
from trust_pages import Look, read

from codeintel.base.errors import ErrorCode, ServiceError


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("react", {"target": "react"}),
        ("  pypi:requests \n", {"target": "pypi:requests"}),
        ("pkg:npm/%40babel/core@7.28.0", {"target": "pkg:npm/%40babel/core@7.28.0"}),
        ("react, vue", {"kind": "comparison", "target": "package:react..vs..package:vue"}),
        ("react\r\nvue ,", {"kind": "comparison", "target": "package:react..vs..package:vue"}),
        ("package:kit", {"target": "kit"}),
        ("https://www.npmjs.example/package/kit", {"target": "npm:kit"}),
        (
            "https://www.npmjs.example/package/%40a/b/v/1.0.0?x=y",
            {"target": "pkg:npm/%40a/b@1.0.0"},
        ),
        ("https://pypi.example/project/x/", {"target": "pypi:x"}),
        ("pypi.example/project/x/1.2", {"target": "pkg:pypi/x@1.2"}),
        ("http://github.com/o/r.git", {"target": "github:o/r"}),
        ("https://github.com/o/r/tree/main#readme", {"target": "github:o/r"}),
        ("https://crates.io/crates/x", {"target": "cargo:x"}),
        ("https://pkg.go.dev/b.test/x@v1.0.0/y", {"target": "pkg:golang/b.test/x@v1.0.0"}),
        ("https://hub.docker.com/_/redis", {"target": "docker:redis"}),
        (
            "https://pypi.example/project/x/ https://crates.io/crates/x",
            {"kind": "comparison", "target": "package:pypi:x..vs..package:cargo:x"},
        ),
        (
            "package:a..vs..package:go:b.test/x",
            {"kind": "comparison", "target": "package:a..vs..package:go:b.test/x"},
        ),
    ],
)
def test_the_form_leads_to_an_address_that_can_be_shared(
    client: FlaskClient, typed: str, address: dict[str, str]
) -> None:
    answer = client.get("/trust", query_string={"packages": typed})
    assert answer.status_code == 303
    found = urlsplit(answer.headers["Location"])
    assert found.path == "/trust"
    assert {name: values[0] for name, values in parse_qs(found.query).items()} == address


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "Name a package, such as react"),
        (" , ", "Name a package"),
        ("ada@1", "This is not a valid npm name"),
        ("react ada@1", "ada@1: This is not a valid npm name"),
        ("klingon:x", "Unknown ecosystem klingon"),
        ("https://x.test/kit", "https://x.test/kit is not a supported package URL"),
        ("https://github.com/o", "is not a supported package URL"),
        ("https://[x", "is not a supported package URL"),
        ("vue react npm:vue", "npm:vue is listed more than once"),
        (" ".join(f"p{i}" for i in range(11)), "At most 10 packages can be compared; these are 11"),
        ("x" * 401, "The name has 401 characters; at most 400"),
        (made.HOSTILE, "<script>"),
    ],
)
def test_what_is_wrong_is_told_at_the_field(client: FlaskClient, typed: str, message: str) -> None:
    answer = client.get("/trust", query_string={"packages": typed})
    page = read(answer, 400)
    field = page.root.one("textarea")
    assert "".join(map(str, field.children)) == "\n" + typed
    assert field["aria-invalid"] == "true"
    assert field["aria-describedby"] == "packages-hint packages-wrong"
    assert message in page.root.one(id="packages-wrong").text
    assert page.root.one("title").text == "Error: Trust · codeintel"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("target", "kept", "message"),
    [
        ("foo@@x", "foo@@x", "not a valid npm name"),
        ("", "", "The field is empty"),
        ("pkg:npm", "pkg:npm", "The field is not a valid package URL"),
        ("a" * 401, "a" * 401, "The field has 401 characters"),
    ],
)
def test_a_wrong_address_fills_the_form(
    client: FlaskClient, target: str, kept: str, message: str
) -> None:
    page = read(client.get("/trust", query_string={"target": target}), 400)
    assert page.root.one("textarea").text == kept
    assert message in page.root.one(id="packages-wrong").text


def test_an_address_with_commas_leads_to_the_comparison(client: FlaskClient) -> None:
    answer = client.get("/trust?target=pypi:flask,pypi:requests")
    assert answer.status_code == 303
    found = parse_qs(urlsplit(answer.headers["Location"]).query)
    assert found["target"] == ["package:pypi:flask..vs..package:pypi:requests"]
    wrong = client.get("/trust?target=pypi:flask,pypi:-")
    page = read(wrong, 400)
    assert page.root.one("textarea").children == ["\npypi:flask\npypi:-"]


def test_a_wrong_comparison_fills_the_form(client: FlaskClient) -> None:
    found = client.get("/trust?kind=comparison&target=package:react..vs..package:react")
    page = read(found, 400)
    assert page.root.one("textarea").children == ["\nreact\nreact"]
    assert "more than once" in page.root.one(id="packages-wrong").text


@pytest.mark.parametrize(
    "query",
    ["depth=9&target=a", "kind=odd&target=a", "kind=package", "limit=x", "target=a&target=b"],
)
def test_other_parameters_are_refused_below_the_form(client: FlaskClient, query: str) -> None:
    page = read(client.get(f"/trust?{query}"), 400)
    if "target=b" in query:
        assert page.root.one(id="packages-wrong").text == "The field is given more than once."
        return
    assert page.root.one("h1").text == "Invalid request"
    assert "aria-invalid" not in page.root.one("textarea").attributes


@pytest.mark.parametrize(
    ("error", "heading", "link"),
    [
        (
            ServiceError(
                ErrorCode.NOT_FOUND, "No registry knows `npm:x<y`.", details={"target": "npm:x<y"}
            ),
            "No such package",
            "/search?q=x%3Cy",
        ),
        (
            ServiceError(
                ErrorCode.UPSTREAMS_UNAVAILABLE,
                "The registries are unreachable.",
                details={"target": "npm:x", "unavailable": [made.FAILURE]},
                retry_after=30,
            ),
            "The registries are unreachable",
            "/trust?target=x",
        ),
        (
            ServiceError(ErrorCode.OVERLOADED, "Too many.", retry_after=1),
            "The service is overloaded",
            "/trust?target=x",
        ),
    ],
)
def test_failures_say_what_to_do_next(
    client: FlaskClient, show: Look, error: ServiceError, heading: str, link: str
) -> None:
    show(error)
    answer = client.get("/trust?target=x")
    page = read(answer, error.code.status)
    main = page.root.one("main")
    assert main.one("h1").text == heading
    assert link in [each["href"] for each in main.all("a")]
    assert main.one("textarea").text == "x"
    assert answer.headers["Cache-Control"] == "no-store"
    told = None if error.retry_after is None else str(error.retry_after)
    assert answer.headers.get("Retry-After") == told
    unit = "second." if told == "1" else "seconds."
    assert (told is None) or f"Try again in {told} {unit}" in main.text
    assert ("did not answer" in main.text) == bool(error.details.get("unavailable"))


def test_too_many_requests_are_a_page(make_app: MakeApp) -> None:
    browser = make_app({"CODEINTEL_LIMIT_DEFAULT": "1/minute"}).test_client()
    assert [browser.get("/trust").status_code for _ in range(2)] == [200, 429]
    assert read(browser.get("/trust"), 429).root.one("h1").text == "Too many requests"


def test_a_slip_of_the_pen_leads_to_what_is_meant(client: FlaskClient, show: Look) -> None:
    details = {"target": "npm:lodahs", "suggestion": "npm:lodash"}
    show(ServiceError(ErrorCode.NOT_FOUND, "No registry has this package.", details=details))
    page = read(client.get("/trust?target=lodahs"), 404)
    told = page.root.one(class_="suggestion")
    assert told.text == "Did you mean npm:lodash?"
    assert told.one("a")["href"] == "/trust?target=npm:lodash"
