"""The pages of rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from codeintel_plugins.patterns import catalogue
from codeintel_plugins.patterns.building import page, write_pages
from codeintel_plugins.patterns.catalogue import PAGES, shipped_rules
from flask.testing import FlaskClient
from msgspec import UNSET
from web_pages import Page

from codeintel.app import Services
from codeintel.contracts.languages import language_title
from codeintel.web.rules import PAGE


def test_all_rules_are_listed_with_links_that_work(client: FlaskClient) -> None:
    texts = list(pages(client, "/docs/rules?language=python"))
    links = re.findall(r'href="(/docs/rules/patterns/[^"]+)"', "".join(texts))
    assert len(links) == sum("python" in rule.languages for rule in shipped_rules())
    assert client.get(links[0]).status_code == 200


def test_no_page_of_a_list_is_large(client: FlaskClient) -> None:
    texts = list(pages(client, "/docs/rules?analyzer=patterns"))
    assert len(texts) > 1
    assert max(map(len, texts)) < 250_000
    assert f"Page 2 of {len(texts)}." in texts[1]
    assert client.get("/docs/rules?analyzer=patterns&page=0").status_code == 400


def pages(client: FlaskClient, path: str) -> Iterator[str]:
    """Yield the pages of a list."""
    following: str | None = path
    while following:
        text = client.get(following).text
        yield text
        found = re.search(r'rel="next" href="([^"]+)"', text)
        following = unescape(found[1]) if found else None


def rule_links(client: FlaskClient, path: str) -> set[str]:
    """Return the pages of rules that a list links to."""
    return set(re.findall(r'href="(/docs/rules/[^"?]+)"', "".join(pages(client, path))))


def test_without_a_choice_the_analysers_are_listed_and_no_rule(client: FlaskClient) -> None:
    page = Page(client.get("/docs/rules").text)
    rows = page.root.one("table").one("tbody").all("tr")
    found, looks_at = {}, {}
    for row in rows:
        link, number = row.one("a"), row.all("td")[-1].text
        listed = "".join(pages(client, link["href"])).count('<th role="rowheader"')
        assert listed == int(number.split()[0].replace(",", ""))
        found[link.text] = number
        looks_at[link.text] = row.all("td")[0].text
    assert found["patterns"] == f"{len(shipped_rules()):,} rules"
    assert {"bandit", "ruff", "taint"} <= found.keys()
    assert (looks_at["bandit"], looks_at["secrets"]) == ("Python", "any language")
    assert re.fullmatch(r"[1-9]\d languages", looks_at["sql"])
    assert rule_links(client, "/docs/rules") == set()
    total = sum(int(each.split()[0].replace(",", "")) for each in found.values())
    assert f"{total:,} rules." in page.root.one("main").text


def test_a_language_narrows_the_list(client: FlaskClient) -> None:
    own = "/docs/rules?analyzer=patterns"
    everything, some = (rule_links(client, f"{own}{more}") for more in ("", "&language=go"))
    assert everything == {f"/docs/rules/patterns/{rule.id}" for rule in shipped_rules()}
    assert set() < some < everything
    assert client.get("/docs/rules?language=klingon").status_code == 400


@pytest.mark.parametrize("language", ["python", "py"])
def test_the_form_has_what_was_chosen(client: FlaskClient, language: str) -> None:
    page = Page(client.get(f"/docs/rules?language={language}").text)
    options = page.root.one("select", id="language").all("option")
    assert [each.text for each in options if "selected" in each.attributes] == ["Python"]
    assert (options[0].text, options[0].attributes) == ("any", {"value": ""})
    assert "rules for Python." in page.root.one("main").text


def test_a_page_has_all_that_the_rule_has(client: FlaskClient) -> None:
    rule = shipped_rules()[0]
    text = unescape(client.get(f"/docs/rules/patterns/{rule.id}").text)
    text = re.sub("<code>([^<>]*)</code>(?!</pre>)", r"`\1`", text)
    for part in (rule.explanation, rule.remedy, rule.cwe, *rule.examples.bad, *rule.examples.good):
        assert (part or "").rstrip() in text


def test_a_rule_of_taint_is_told_by_its_facts(client: FlaskClient) -> None:
    text = client.get("/docs/rules/taint/taint-sql").text
    assert "CWE-89" in text
    assert "<h2>How to fix it</h2>" in text


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (
            "ruff/F401",
            [
                "<h1>Unused import</h1>",
                'href="https://docs.astral.sh/ruff/rules/unused-import/"',
                *("Python", ">low:", "unused code", "runs in flash and pro"),
            ],
        ),
        (
            "bandit/B501",
            [
                ">CWE-295</a>: Improper Certificate Validation",
                "Other rules about CWE-295",
                "ruff/S501",
            ],
        ),
        ("secrets/github-token", ["<dd>any</dd>", ">critical:", "Revoke it"]),
        ("oxlint/react/jsx-key", ["JavaScript, TypeScript", "<h1>Missing key in a list</h1>"]),
        ("taint/taint-sql", ["runs in pro<", "Other rules about CWE-89"]),
    ],
)
def test_a_page_of_another_tool_s_rule_tells_what_is_known(
    client: FlaskClient, path: str, parts: list[str]
) -> None:
    text = client.get(f"/docs/rules/{path}").text
    assert [part for part in parts if part not in text] == []


def test_rules_of_plugins_of_a_tool_have_links_that_work(client: FlaskClient) -> None:
    text = client.get("/docs/rules?analyzer=oxlint").text
    link = next(each for each in re.findall(r'href="([^"]+)"', text) if "jsx-key" in each)
    assert client.get(link).status_code == 200


def test_rules_with_examples_have_the_same_facts(client: FlaskClient) -> None:
    rule = next(each for each in shipped_rules() if each.cwe == "CWE-89")
    text = client.get(f"/docs/rules/patterns/{rule.id}").text
    names = [
        "Rule",
        "Former ID",
        "Analyzer",
        "Languages",
        "Weakness",
        "Severity",
        "Confidence",
        "Category",
    ]
    assert re.findall("<dt>(.*?)</dt>", text) == names
    assert text.count("<h1>") == 1
    assert text.index("</h1>") < text.index("<dl>") < text.index("<h2>How to fix it</h2>")
    assert language_title(rule.languages[0]) in text
    assert "Other rules about CWE-89" in text


def test_an_id_that_a_rule_had_before_leads_to_its_page(client: FlaskClient) -> None:
    answer = client.get("/docs/rules/patterns/python-address-from-request")
    assert answer.status_code == 301
    assert answer.headers["Location"] == "/docs/rules/patterns/python-ssrf"
    text = client.get(answer.headers["Location"]).text
    assert "<h1>Server-side request forgery (SSRF)</h1>" in text
    assert "<code>python-address-from-request</code>" in text


def test_findings_of_earlier_versions_have_titles(client: FlaskClient) -> None:
    """Runs and reports keep the ID that a rule had then."""
    names = [f"patterns/{each}" for each in ("python-address-from-request", "python-ssrf", "none")]
    answer = client.get("/findings/titles", query_string={"rule": names})
    found = json.loads(answer.data)["rules"]
    assert found.keys() == {*names[:2]}
    assert {each["title"] for each in found.values()} == {"Server-side request forgery (SSRF)"}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("sql injection", "python-sql-injection"),
        ("python-sql-from-values", "python-sql-injection"),
        ("CWE-918 ruby", "ruby-ssrf"),
        ("forgery  GO ssrf", "go-ssrf"),
        ("insecure deserialization", "java-unsafe-deserialization"),
        ("hardcoded password", "go-hard-coded-credentials"),
    ],
)
def test_a_search_finds_titles_ids_weaknesses_and_languages(
    client: FlaskClient, query: str, found: str
) -> None:
    page = client.get("/docs/rules", query_string={"q": query})
    assert f"/docs/rules/patterns/{found}" in rule_links(client, f"/docs/rules?q={query}")
    assert Page(page.text).root.one("input", id="q")["value"] == " ".join(query.split())
    assert page.text.count('<th role="rowheader"') <= PAGE


def test_a_search_of_one_language_keeps_to_it(client: FlaskClient) -> None:
    found = rule_links(client, "/docs/rules?q=path+traversal&language=rust")
    assert "/docs/rules/patterns/rust-path-traversal" in found
    assert not any("python-" in each for each in found)


def test_words_match_at_their_beginning(client: FlaskClient) -> None:
    found = rule_links(client, "/docs/rules?q=sql+rust&analyzer=patterns")
    assert found == {"/docs/rules/patterns/rust-sql-injection"}


def test_a_search_without_words_lists_the_analyzers(client: FlaskClient) -> None:
    assert rule_links(client, "/docs/rules?q=+") == set()
    last = client.get("/docs/rules?q=python&page=900").text
    assert re.search(r"Page (\d+) of \1\.", last) and 'rel="prev"' in last
    assert "No rule matches." in client.get("/docs/rules?q=nothing-like-it").text


@pytest.mark.parametrize("path", ["/docs/", "/docs/nope", "/docs/rules/nope", "/docs/rules/a/b"])
def test_a_browser_is_told_in_html_what_does_not_exist(client: FlaskClient, path: str) -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    page = client.get(path, headers={"Accept": browser})
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert 'href="/docs/rules"' in page.text
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        answer = client.get(path, headers=accept)
        assert (answer.status_code, answer.mimetype) == (404, "application/json")


def test_the_api_answers_browsers_in_json(client: FlaskClient) -> None:
    answer = client.get("/api/v1/nope", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.mimetype) == (404, "application/json")


@pytest.mark.parametrize("path", ["patterns/no-such-rule", "nobody/taint-sql", "patterns/..%2f"])
def test_what_does_not_exist_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(f"/docs/rules/{path}").status_code == 404


def test_the_list_is_kept_but_not_who_looks_at_it(client: FlaskClient) -> None:
    answers = []
    for theme in ("dark", "light"):
        client.set_cookie("codeintel_theme", theme)
        answers.append(client.get("/docs/rules"))
    themes = [Page(answer.text).root.one("html")["data-theme"] for answer in answers]
    assert themes == ["dark", "light"]
    assert all("ETag" not in answer.headers for answer in answers)


def test_lists_without_rules_are_not_kept(client: FlaskClient) -> None:
    client.get("/docs/rules?cwe=CWE-89")
    kept = dict(client.application.extensions["codeintel.rules"])
    for more in ("cwe=CWE-999999", "cwe=CWE-89&page=900", "language=&q="):
        assert client.get(f"/docs/rules?{more}").status_code == 200
    found = client.application.extensions["codeintel.rules"].keys() - kept.keys()
    assert all(each.cwe is UNSET and each.page == 1 for each in found)


def test_code_in_examples_is_escaped(client: FlaskClient) -> None:
    for rule in shipped_rules():
        assert "<script" not in page(rule)
    assert client.get("/docs/rules").status_code == 200


def test_an_analyser_that_fails_to_tell_more_harms_nothing(
    client: FlaskClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyzer = services.plugins.registry.analyzers["patterns"]

    def broken(_rule_id: str) -> str:
        raise OSError("gone")

    monkeypatch.setattr(analyzer, "page", broken)
    rule = shipped_rules()[0]
    response = client.get(f"/docs/rules/patterns/{rule.id}")
    assert response.status_code == 200
    assert rule.id in response.text


def test_the_build_has_written_the_pages_of_the_rules_as_they_are() -> None:
    if not PAGES.is_dir():
        pytest.fail("the pages are missing: `pip install -e .` writes them")
    built = {path.name: path.read_text() for path in PAGES.glob("*.html")}
    assert built == {f"{rule.id}.html": page(rule) for rule in shipped_rules()}


def test_the_rules_that_the_build_has_written_are_those_of_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = catalogue.load_rules(catalogue.FOLDER)
    monkeypatch.setattr(catalogue, "COMPILED", tmp_path / "rules.msgpack")
    assert catalogue._read_compiled() is None
    catalogue.write_compiled(rules, catalogue.COMPILED)
    compiled = catalogue._read_compiled()
    assert compiled == rules
    assert [rule.need for rule in compiled or ()] == [rule.need for rule in rules]
    monkeypatch.setattr(catalogue, "_digest", lambda _folder: b"another")
    assert catalogue._read_compiled() is None
    catalogue.COMPILED.write_bytes(b"broken")
    assert catalogue._read_compiled() is None


def test_pages_of_rules_that_are_gone_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    rules = shipped_rules()
    write_pages(rules, folder)
    write_pages(rules[:1], folder)
    assert [path.name for path in folder.iterdir()] == [f"{rules[0].id}.html"]
