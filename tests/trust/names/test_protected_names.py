"""Names that the caller protects, which are in no list of famous ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.trust.names import EditKind, ProtectedNames, ProtectedSuspicion, Suspicion, suspicion

GO = "github.com/acme/qledgr"
IMITATIONS = [
    ("npm", "asimplemde", "simplemde", EditKind.INSERTION),
    ("npm", "etherz-kit", "ethers-kit", EditKind.KEYBOARD),
    ("npm", "acme-design", "@acme/design", EditKind.SCOPE),
    ("npm", "@acmee/design", "@acme/design", EditKind.REPETITION),
    ("pypi", "acme-qledgrr", "acme-qledgr", EditKind.REPETITION),
    ("pypi", "ledger-acme", "acme-ledger", EditKind.WORD_ORDER),
    ("cargo", "acmeledger", "acme_ledger", EditKind.SEPARATORS),
    ("nuget", "Acme.Legder", "Acme.Ledger", EditKind.TRANSPOSITION),
    ("go", "github.com/acne/qledgr", GO, EditKind.KEYBOARD),
    ("go", "github.com/somebody/qledgr/v2", GO, EditKind.SCOPE),
    ("golang", "github.com/Somebody/Qledgr", GO, EditKind.SCOPE),
    ("github_actions", "somebody/qledgr-all@v3", "acme/qledgr-all@v1", EditKind.SCOPE),
]
OTHER_OWNERS = [
    ("go", "gitlab.com/acme/qledgr", GO, "`gitlab.com` replaces the host `github.com`"),
    (
        "go",
        "evil.example/acme/qledgr",
        GO,
        "`evil.example` replaces the host `github.com`",
    ),
    ("go", "golang.example/x/qledgr", "go.example/x/qledgr", "the host `go.example`"),
    ("docker", "registry.acne.com:5000/team/app:2", "registry.acme.com:5000/team/app:1", "`n`"),
    ("go", "gitlab.com/spf13/cobra", "github.com/spf13/cobra", "the host `github.com`"),
    ("go", "go.acne.dev/lib", "go.acme.dev/lib", "`n`"),
    ("docker", "registry.acne.com/bitnami/app", "registry.acme.com/bitnami/app", "`n`"),
    ("docker", "docker.io/acmetaem/app", "acmeteam/app", "are swapped"),
    ("docker", "acmetaem/app", "index.docker.io/acmeteam/app:3", "are swapped"),
    ("docker", "qledgerr", "docker.io/library/qledger", "is repeated"),
    ("docker", "eu.gcr.io/acmetaem/app", "eu.gcr.io/acmeteam/app", "are swapped"),
    ("docker", "ghcr.io/acmetaem/app", "ghcr.io/acmeteam/app", "are swapped"),
    ("composer", "acmee/forms", "acme/forms", "is repeated"),
]
HONEST = [
    ("npm", "react", "reacts", "is a famous one itself"),
    ("npm", "@types/acme", "@typs/acme", "is of a famous scope"),
    ("npm", "@acme/other", "@acme/design", "is of the same scope"),
    ("npm", "entirely-else", "simplemde", "is another name"),
    ("pypi", "Acme_Ledger", "acme-ledger", "is the same name to the registry"),
    ("go", "github.com/acme/qledgx", GO, "is of the same owner"),
    ("go", "github.com/spf13/qledgr", GO, "is of a well-known owner"),
    ("go", "go.uber.org/zap", "k8s.io/api", "is a path of one part"),
    ("go", "go.etcd.io/bbolt/v2", "k8s.io/klog/v2", "has a version alone after the owner"),
    ("go", "k8s.io/apis", "k8s.io/api", "is on a host that has one owner"),
    ("go", "gopkg.in/src-d/go-git.v4", "github.com/src-d/go-git", "is what is passed on"),
    ("go", "x.example/x/net", "golang.org/x/net", "has usual words"),
    ("go", "gopkg.in/yaml.v4", "gopkg.in/yaml.v3", "is another version"),
    ("go", "github.com/somebody/cli", "github.com/acme/cli", "has a usual name"),
    ("github_actions", "ncipollo/release-action@v1", "acme/release-action", "has a usual name"),
    ("github_actions", "./setup", "acme/setup", "is a path"),
    ("github_actions", "docker://alpine:3", "acme/alpine", "is an image"),
    ("github_actions", "b/.github/w/ci.yml@v1", "acme/.github/w/x.yml@v1", "is of every owner"),
    ("github_actions", "./qledgr-al", "./qledgr-all", "is a path like a path"),
    ("docker", "gcr.io/distroless/static", "ghcr.io/acme/app", "is on a registry of its own"),
    ("docker", "registry2.acme.com/team/app", "registry1.acme.com/team/app", "is on the next"),
    ("docker", "regsitry.acme.com/team/app", "registry.acme.com/team/app", "is of one domain"),
    ("docker", "10.0.0.2/team/app", "10.0.0.1/team/app", "is on another machine"),
    ("docker", "docker.io/library/qledgr", "qledgr:1", "is the same image"),
    ("docker", "qledgr:2", "qledgr", "is a tag"),
    ("docker", "qledgr@sha256:abcdef", "qledgr:1", "is a digest"),
    ("docker", "localhost:5001/team/app", "localhost:5000/team/app", "is on this machine"),
    ("docker", "somebody/postgres", "acme/postgres", "anybody names an image so"),
    ("maven", "org.example:core", "org.acme:core", "anybody names a module so"),
]


def _is_protected(found: Suspicion) -> bool:
    return isinstance(found, ProtectedSuspicion)


@pytest.mark.parametrize(("ecosystem", "name", "target", "kind"), IMITATIONS)
def test_what_imitates_a_protected_name_is_told(
    ecosystem: str, name: str, target: str, kind: EditKind
) -> None:
    found = suspicion(ecosystem, name, ProtectedNames(ecosystem, [target]))
    assert found is not None
    assert (found.target.partition("@v")[0], found.edit.kind) == (target.partition("@v")[0], kind)
    assert (found.suspicious, _is_protected(found), found.is_famous) == (True, True, False)
    before = suspicion(ecosystem, name)
    assert before is None or not before.suspicious or before.target != found.target


@pytest.mark.parametrize(("ecosystem", "name", "target", "detail"), OTHER_OWNERS)
def test_an_owner_elsewhere_or_alike_is_told(
    ecosystem: str, name: str, target: str, detail: str
) -> None:
    found = suspicion(ecosystem, name, ProtectedNames(ecosystem, [target]))
    assert found is not None
    assert (found.suspicious, _is_protected(found)) == (True, True)
    assert detail in found.edit.detail


@pytest.mark.parametrize(
    ("ecosystem", "name", "protected"),
    [row[:3] for row in HONEST],
    ids=[f"{row[0]}-{row[3]}" for row in HONEST],
)
def test_honest_names_stay_so(ecosystem: str, name: str, protected: str) -> None:
    found = suspicion(ecosystem, name, ProtectedNames(ecosystem, [protected]))
    assert found is None or not found.suspicious


def test_a_protected_name_is_honest_whatever_it_resembles() -> None:
    before = suspicion("pypi", "requets")
    assert before is not None
    assert before.suspicious
    assert suspicion("pypi", "requets", ProtectedNames("pypi", ["Requets"])) is None


def test_a_famous_name_that_is_protected_too_is_told_as_protected() -> None:
    found = suspicion("npm", "loadsh", ProtectedNames("npm", ["lodash"]))
    plain = suspicion("npm", "loadsh")
    assert found is not None
    assert plain is not None
    assert (found.target, _is_protected(found)) == ("lodash", True)
    assert found.probability > plain.probability


def test_a_famous_name_that_is_nearer_than_a_protected_one_is_told_first() -> None:
    found = suspicion("npm", "loadsh", ProtectedNames("npm", ["lodestar"]))
    assert found is not None
    assert (found.target, _is_protected(found), found.is_famous) == ("lodash", False, True)


def test_an_option_is_told_even_if_it_is_protected() -> None:
    found = suspicion("npm", "--save-dev", ProtectedNames("npm", ["--save-dev"]))
    assert found is not None
    assert found.edit.kind == EditKind.OPTION


def test_the_more_names_are_protected_the_less_a_likeness_to_one_weighs() -> None:
    others = [f"zz{number:04}-unlike" for number in range(3_000)]
    few, many = (
        suspicion("npm", "asimplemde", ProtectedNames("npm", ["simplemde", *others[:count]]))
        for count in (50, 3_000)
    )
    assert few is not None
    assert many is not None
    assert few.target == many.target == "simplemde"
    assert few.probability > many.probability > 0


def test_many_names_of_one_scope_are_one_scope_to_resemble() -> None:
    chances = []
    for count in (10, 3_000):
        protected = ProtectedNames("npm", [f"@acme/x{number}" for number in range(count)])
        found = suspicion("npm", "@acmr/x1", protected)
        assert found is not None
        chances.append(found.probability)
    assert chances[0] == chances[1]


def test_a_famous_name_is_told_as_protected_however_long_the_list_is() -> None:
    others = [f"zz{number:04}-unlike" for number in range(3_000)]
    found = suspicion("pypi", "reqeusts", ProtectedNames("pypi", ["requests", *others]))
    assert found is not None
    assert (found.target, _is_protected(found), found.suspicious) == ("requests", True, True)


def test_names_of_another_ecosystem_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="names of pypi are protected, and npm is asked"):
        suspicion("npm", "simplmde", ProtectedNames("pypi", ["simplemde"]))


def test_empty_lines_and_repeated_names_are_no_names() -> None:
    protected = ProtectedNames("npm", ["", "  ", "simplemde", " simplemde "])
    assert protected.has("simplemde")
    assert not protected.has("")
    assert suspicion("npm", "zzyzx-unlike", ProtectedNames("npm", [])) is None


_NAMES = st.text(st.sampled_from("abcdeimnopst-_.@/1"), min_size=1, max_size=14)


@settings(deadline=None)
@given(st.sampled_from(["npm", "pypi", "go", "docker", "hex"]), _NAMES, st.lists(_NAMES))
def test_protection_adds_suspicion_and_never_takes_it(
    ecosystem: str, name: str, names: list[str]
) -> None:
    protected = ProtectedNames(ecosystem, names)
    before, after = suspicion(ecosystem, name), suspicion(ecosystem, name, protected)
    if protected.has(name.strip()):
        assert after is None or after.edit.kind == EditKind.OPTION
    elif before is not None:
        assert after is not None
        assert after.probability >= before.probability
