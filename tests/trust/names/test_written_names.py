"""Valid names of packages."""

from __future__ import annotations

import pytest

from codeintel.trust.names import is_name

NAMES = [
    ("npm", "simplemde"),
    ("npm", "@acme/design"),
    ("npm", "_old.name-1"),
    ("npm", "r\u0435act"),
    ("pypi", "Acme_Ledger.core"),
    ("cargo", "serde_json"),
    ("gem", "ruby-openid"),
    ("nuget", "Acme.Ledger"),
    ("go", "github.com/acme/ledger/v2/pkg"),
    ("golang", "rsc.io"),
    ("maven", "org.acme:ledger"),
    ("maven", "org.acme/ledger"),
    ("composer", "acme/ledger"),
    ("github", "acme/.github"),
    ("actions", "acme/ledger/sub@8f4b7f"),
    ("docker", "ledger"),
    ("docker", "registry.acme.example:5000/team/ledger:2@sha256:ab"),
]
OTHERS = [
    ("npm", "simplemde@1.2.3"),
    ("npm", "@acme"),
    ("npm", "@acme/"),
    ("npm", "https://x.example/a.tgz"),
    ("pypi", "ledger==1.0"),
    ("pypi", "ledger[extra]"),
    ("pypi", "-rbase.txt"),
    ("pypi", "git+https://x.example/a"),
    ("pypi", "."),
    ("pypi", "acme/ledger"),
    ("cargo", 'serde = "1"'),
    ("go", "ledger"),
    ("go", "https://github.com/acme/ledger"),
    ("maven", "org.acme"),
    ("composer", "ledger"),
    ("github", "acme"),
    ("github", "github.com/acme/ledger"),
    ("actions", "./build"),
    ("actions", "docker://alpine:3"),
    ("docker", "https://registry.acme.example/ledger"),
    ("npm", "two words"),
]


@pytest.mark.parametrize(("ecosystem", "name"), NAMES)
def test_names(ecosystem: str, name: str) -> None:
    assert is_name(ecosystem, name)


@pytest.mark.parametrize(("ecosystem", "name"), OTHERS)
def test_what_is_none(ecosystem: str, name: str) -> None:
    assert not is_name(ecosystem, name)
