"""Remotes without credentials, and the links that editors open."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, strategies as st

from codeintel.contracts.workspaces.remotes import editor_uri, without_credentials

TOKEN = "".join(("ghp_", "0aZ9bY8cX7dW6eV5fU4gT3hS2iR1jQ0kPl1m"))
ENVIRONMENT = "https://ci.example/workspace/ws_1"


@pytest.mark.parametrize(
    ("remote", "kept"),
    [
        ("https://github.com/a/b.git", "https://github.com/a/b.git"),
        ("https://ada:pw@github.com/a/b.git?x=1#y", "https://github.com/a/b.git"),
        ("https://token@github.com/a/b", "https://github.com/a/b"),
        ("https://a@b.example:p@h.example/x", "https://h.example/x"),
        ("HTTPS://ada:p%40w@h.example:8443/x", "https://h.example:8443/x"),
        ("http://ada:pw@h.example/x", "http://h.example/x"),
        ("git://h.example/x", "git://h.example/x"),
        ("https://h.example/@scope/x", "https://h.example/@scope/x"),
        ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
        ("ssh://git@h.example:22/a/b.git", "ssh://git@h.example:22/a/b.git"),
        ("ssh://git:pw@h.example/a", "ssh://git@h.example/a"),
        ("git@github.com:a/b.git", "git@github.com:a/b.git"),
        ("github.com:a/b.git", "github.com:a/b.git"),
        ("ada:pw@h.example:a/b", "ada@h.example:a/b"),
        (" git@github.com:a/b.git\n", "git@github.com:a/b.git"),
        # A password that is not percent-encoded.
        ("https://ada:p/w@h.example/x", ""),
        ("https://ada:12#4@h.example/x", ""),
        ("https://ada:12?4@h.example/x", ""),
        ("https://ada:p#w@h.example/x", ""),
        ("https://ada:/pw@h.example/x", ""),
        ("https://ada:12/@h.example/x", ""),
        ("https://to/ken@h.example/x", ""),
        ("ada:p/w@h.example:a/b", ""),
        ("ada:p@w@h.example:a", ""),
        ("git:p:w@h.example:a@b", ""),
        ("ada:p#w@h.example:a", ""),
        ("ada:p?w@h.example:a", ""),
        ("https:/ada:pw@h.example/x", ""),
        ("https:ada:pw@h.example/x", ""),
        # A token where none is looked for.
        (f"https://h.example/oauth2:{TOKEN}/x.git", ""),
        (f"{TOKEN}@h.example:a/b", "h.example:a/b"),
        (f"ssh://h.example/{TOKEN}", ""),
        # Paths of the local disk.
        ("/home/ada/repo", ""),
        ("/srv/git/repo.git", ""),
        ("~/repo", ""),
        ("~ada/repo", ""),
        ("../repo", ""),
        ("repo", ""),
        ("file:///home/ada/repo", ""),
        ("FILE:/home/ada/repo", ""),
        ("C:\\Users\\ada\\repo", ""),
        ("C:/Users/ada/repo", ""),
        ("c:repo", ""),
        ("\\\\server\\share\\repo", ""),
        ("//server/share/repo", ""),
        # What runs commands or reads descriptors, and what is no address.
        ("ext::sh -c 'touch x'", ""),
        ("ext::sh", ""),
        ("fd::17/foo", ""),
        ("hg::https://h.example/x", ""),
        ("vscode-remote://wsl+Ubuntu/home/ada/x", ""),
        ("javascript://h.example/%0aalert(1)", ""),
        ("javascript:alert(1)", ""),
        ("javascript:alert(1)//a/b.git", ""),
        ("JavaScript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("vscode:extension/x", ""),
        ("mailto:ada@h.example", ""),
        ("ftp://h.example/x.git", ""),
        ("ftps://h.example/x.git", ""),
        ("https://", ""),
        ("https:///x", ""),
        ("https://h.example:port/x", ""),
        ("https://h.example/a\nb", ""),
        ("https://h.example/a b", ""),
        ("https://h.example/\ud800", ""),
        ("", ""),
    ],
)
def test_without_credentials(remote: str, kept: str) -> None:
    assert without_credentials(remote) == kept
    assert without_credentials(kept) == kept


@pytest.mark.parametrize(
    ("remote", "source", "uri"),
    [
        (
            "https://github.com/a/b.git",
            "vscode",
            "vscode://vscode.git/clone?url=https%3A%2F%2Fgithub.com%2Fa%2Fb.git",
        ),
        (
            "git@github.com:a/b.git",
            "cursor",
            "cursor://vscode.git/clone?url=git%40github.com%3Aa%2Fb.git",
        ),
        (
            "ssh://git@h.example:22/a b".replace(" ", "%20"),
            "JetBrains",
            "jetbrains://idea/checkout/git?checkout.repo=ssh%3A%2F%2Fgit%40h.example%3A22%2Fa%2520b",
        ),
        (
            "https://h.example/a&b=c",
            "pycharm",
            "jetbrains://idea/checkout/git?checkout.repo=https%3A%2F%2Fh.example%2Fa%26b%3Dc",
        ),
        ("https://h.example/x", "cli", "vscode://vscode.git/clone?url=https%3A%2F%2Fh.example%2Fx"),
        (
            "https://ada:pw@h.example/x",
            "",
            "vscode://vscode.git/clone?url=https%3A%2F%2Fh.example%2Fx",
        ),
    ],
)
def test_editor_links(remote: str, source: str, uri: str) -> None:
    assert editor_uri(remote, source, ENVIRONMENT) == uri


@pytest.mark.parametrize(
    "remote",
    [
        "",
        "http://h.example/x",
        "git://h.example/x",
        "ftp://h.example/x",
        "ext::sh -c touch% /tmp/x",
        "fd::17",
        "-oProxyCommand=touch x:y",
        "-oProxyCommand=x:y",
        "--upload-pack=x",
        "--upload-pack=x:y",
        "-u@h.example:x",
        "ssh://-oProxyCommand=x/y",
        "ssh://-u@h.example/x",
        "ssh://u@-h.example/x",
        "ssh://%2doProxyCommand=x/y",
        "ssh://%2du@h.example/y",
        "git@-h.example:x",
        "h.example:-x",
        "git@h.example:",
        "https://-h.example/x",
        "https://h.example",
        "https://h.example/",
        "https://h$(touch x)/y",
        "https://h`x`/y",
        "https://h;x/y",
        "ssh://$(x)@h.example/y",
        "ssh://h.example\n-o/x",
        "https://h.example\\@other.example/x",
        "/home/ada/repo",
        "file:///home/ada/repo",
        "C:\\repo",
    ],
)
def test_no_link_for(remote: str) -> None:
    for source in ("vscode", "cursor", "jetbrains", "x"):
        assert editor_uri(remote, source, ENVIRONMENT) == ENVIRONMENT


@given(st.text(alphabet="-:/@?#[]%.~\\ \n\0agitextsh:C$é", max_size=60), st.text(max_size=10))
def test_any_remote(remote: str, source: str) -> None:
    kept = without_credentials(remote)
    assert without_credentials(kept) == kept
    uri = editor_uri(remote, source, ENVIRONMENT)
    if uri == ENVIRONMENT:
        return
    assert uri.isascii()
    (cloned,) = next(iter(parse_qs(urlsplit(uri).query).values()))
    assert cloned == kept
    assert not cloned.startswith("-")
    assert "::" not in cloned.partition("/")[0].replace("[", "").split("]")[-1]
    assert "://-" not in cloned
    assert "@-" not in cloned.partition(":" if "://" not in cloned else "\0")[0]


@given(st.text(alphabet="s3cret/@:#?", min_size=1, max_size=12))
def test_no_password_of_a_plain_url_is_kept(password: str) -> None:
    marked = f"{password}Zq9"
    remote = f"https://ada:{marked}@h.example/x"
    assert "Zq9" not in without_credentials(remote)
