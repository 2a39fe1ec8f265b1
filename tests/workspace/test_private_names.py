"""Names that are never looked up."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from codeintel.workspaces.proof.manifests.private_names import OWN, OWN_SCOPE
from codeintel.workspaces.proof.manifests.reader import manifests

NPM = ("/package.json", '{"dependencies": {"left": "1", "@acme/x": "1", "@far/y": "1"}}')
PIP = ("/requirements.txt", "left\nright\n")
CARGO = ("/Cargo.toml", '[dependencies]\nleft = "1"\n')
GEM = ("/Gemfile", 'gem "left"\n')
POM = (
    "/pom.xml",
    "<project><groupId>a</groupId><dependencies><dependency><groupId>g</groupId>"
    "<artifactId>left</artifactId></dependency></dependencies></project>",
)
NUGET = ("/a.csproj", '<Project><PackageReference Include="Left" Version="1"/></Project>')
COMPOSER = ("/composer.json", '{"require": {"left/right": "1"}}')
GO = ("/go.mod", "module example.com/x\nrequire github.com/left/right v1.0.0\n")

CORP = "https://packages.corp.example/x"


def public(ecosystem: str) -> str:
    labels = {
        "npm": ("registry", "npmjs", "org"),
        "pypi": ("pypi", "org"),
        "gem": ("rubygems", "org"),
        "maven": ("repo", "maven", "apache", "org"),
        "nuget": ("api", "nuget", "org"),
    }
    return f"https://{'.'.join(labels[ecosystem])}/x"


def private_of(*files: tuple[str, str], left_out: tuple[str, ...] = ()) -> dict[str, str]:
    """Return reasons by name."""
    return {
        each.name: each.private
        for manifest in manifests(files, left_out)
        for each in manifest.dependencies
        if each.private is not UNSET
    }


@pytest.mark.parametrize("files", [[NPM], [PIP], [CARGO], [GEM], [POM], [NUGET], [COMPOSER], [GO]])
def test_without_a_word_of_registries_all_are_public(files: list[tuple[str, str]]) -> None:
    assert private_of(*files) == {}


@pytest.mark.parametrize(
    ("manifest", "path", "text"),
    [
        (NPM, "/.npmrc", f"registry={CORP}\n"),
        (NPM, "/sub/.npmrc", f' registry = "{CORP}"\n'),
        (NPM, "/.npmrc", "registry=${REGISTRY}\n"),
        (NPM, "/.npmrc", f"registry={public('npm').replace('://', '://ada:pw@')}\n"),
        (NPM, "/.yarnrc", f'registry "{CORP}"\n'),
        (NPM, "/.yarnrc.yml", f'npmRegistryServer: "{CORP}"\n'),
        (NPM, "/.yarnrc.yml", "npmScopes: {acme: {npmRegistryServer: x}}\n"),
        (NPM, "/.yarnrc.yml", "? npmScopes\n: {acme: {}}\n"),
        (NPM, "/bunfig.toml", f'[install]\nregistry = "{CORP}"\n'),
        (NPM, "/bunfig.toml", "broken"),
        (PIP, "/requirements-dev.txt", f"--index-url {CORP}\n"),
        (PIP, "/requirements-dev.txt", f"-i {CORP}\n"),
        (PIP, "/constraints.txt", f"--extra-index-url={CORP}\n"),
        (PIP, "/requirements-dev.txt", "--find-links ./wheels\n"),
        (PIP, "/requirements-dev.txt", "--no-index\n"),
        (PIP, "/pip.conf", f"[global]\nindex-url = {CORP}\n"),
        (PIP, "/pip.conf", f"[global]\nextra-index-url =\n    {public('pypi')}\n    {CORP}\n"),
        (PIP, "/pip.ini", f"[global]\nfind-links={CORP}\n"),
        (PIP, "/pyproject.toml", f'[[tool.uv.index]]\nname = "corp"\nurl = "{CORP}"\n'),
        (PIP, "/pyproject.toml", f'[tool.uv]\nextra-index-url = ["{CORP}"]\n'),
        (PIP, "/pyproject.toml", f'[[tool.poetry.source]]\nname = "corp"\nurl = "{CORP}"\n'),
        (PIP, "/pyproject.toml", f'[[tool.pdm.source]]\nname = "corp"\nurl = "{CORP}"\n'),
        (PIP, "/pyproject.toml", "broken"),
        (PIP, "/uv.toml", f'index-url = "{CORP}"\n'),
        (PIP, "/Pipfile", f'[[source]]\nname = "corp"\nurl = "{CORP}"\n'),
        (PIP, "/setup.cfg", f"[easy_install]\nindex_url = {CORP}\n"),
        (CARGO, "/.cargo/config.toml", '[source.crates-io]\nreplace-with = "corp"\n'),
        (GEM, "/sub/Gemfile", f'source "{CORP}"\n'),
        (GEM, "/sub/Gemfile", 'source ENV["GEMS"]\n'),
        (GEM, "/.bundle/config", f'BUNDLE_MIRROR__ALL: "{CORP}"\n'),
        (
            POM,
            "/sub/pom.xml",
            f"<project><repositories><repository><url>{CORP}</url></repository></repositories>"
            "</project>",
        ),
        (POM, "/settings.xml", f"<s><mirrors><mirror><url>{CORP}</url></mirror></mirrors></s>"),
        (NUGET, "/NuGet.Config", f'<c><packageSources><add value="{CORP}"/></packageSources></c>'),
        (NUGET, "/nuget.config", '<!DOCTYPE c><c/>'),
        (NUGET, "/Directory.Build.props", f"<P><RestoreSources>{CORP}</RestoreSources></P>"),
        (COMPOSER, "/sub/composer.json", f'{{"repositories": [{{"url": "{CORP}"}}]}}'),
        (COMPOSER, "/sub/composer.json", f'{{"repositories": {{"x": {{"url": "{CORP}"}}}}}}'),
        (COMPOSER, "/auth.json", "{}"),
        (GO, "/go.env", "GOPRIVATE=github.com/left\n"),
        (GO, "/Makefile", "export GOPRIVATE := github.com/left\n"),
        (GO, "/.gitlab-ci.yml", "variables:\n  GONOPROXY: github.com/left\n"),
        (PIP, "/Dockerfile", f"ENV PIP_INDEX_URL={CORP}\n"),
        (PIP, "/Dockerfile.ci", f"RUN pip install --extra-index-url {CORP} left\n"),
        (PIP, "/tox.ini", f"[testenv]\nsetenv =\n  UV_INDEX_URL = {CORP}\n"),
        (PIP, "/.github/workflows/ci.yml", f"env:\n  PIP_EXTRA_INDEX_URL: '{CORP}'\n"),
        (PIP, "/install.sh", "pip install --index-url=$URL left\n"),
        (NPM, "/.github/workflows/ci.yml", f"with:\n  registry-url: {CORP}\n"),
        (NPM, "/Dockerfile", f"RUN npm config set registry {CORP} && npm ci\n"),
        (NPM, "/install.sh", f"npm ci --registry={CORP}\n"),
    ],
)  # fmt: skip
def test_a_registry_of_one_s_own(manifest: tuple[str, str], path: str, text: str) -> None:
    named = {each.name for each in manifests([manifest])[0].dependencies}
    found = private_of(manifest, (path, text))
    assert found.keys() >= named
    assert all(path in reason for reason in found.values())
    assert "corp.example" not in repr(found)


@pytest.mark.parametrize(
    ("manifest", "path", "text"),
    [
        (NPM, "/.npmrc", f"# {CORP}\nsave-exact=true\nregistry={public('npm')}\n"),
        (NPM, "/.npmrc", f"@acme:registry={public('npm')}\n"),
        (NPM, "/.yarnrc.yml", f'nodeLinker: pnp\nnpmRegistryServer: "{public("npm")}"\n'),
        (NPM, "/node_modules/x/.npmrc", f"registry={CORP}\n"),
        (PIP, "/requirements-dev.txt", f"--index-url {public('pypi')}\nleft\n"),
        (PIP, "/pip.conf", "[global]\nno-index = false\ntimeout = 60\n"),
        (PIP, "/pyproject.toml", f'[[tool.uv.index]]\nurl = "{CORP}"\nexplicit = true\n'),
        (PIP, "/pyproject.toml", '[[tool.poetry.source]]\nname = "PyPI"\npriority = "primary"\n'),
        (CARGO, "/.cargo/config.toml", f'[registries.corp]\nindex = "{CORP}"\n'),
        (GEM, "/sub/Gemfile", f'source "{public("gem")}"\nsource "{CORP}" do\n  gem "ours"\nend\n'),
        (
            NUGET,
            "/nuget.config",
            f'<c><packageSources><clear/><add value="{public("nuget")}"/></packageSources></c>',
        ),
        (COMPOSER, "/sub/composer.json", '{"repositories": [{"packagist": false}]}'),
        (NPM, "/.github/workflows/ci.yml", f"with:\n  registry-url: '{public('npm')}'\n"),
        (PIP, "/Dockerfile", f"RUN pip install --index-url {public('pypi')} left\n"),
        (GO, "/Makefile", "build:\n\tgo build ./...\n"),
    ],
)
def test_what_is_no_registry_of_one_s_own(manifest: tuple[str, str], path: str, text: str) -> None:
    found = private_of(manifest, (path, text))
    assert found.keys() <= {"ours"}


def test_registries_of_a_scope() -> None:
    for path, text in (
        ("/.npmrc", f"@acme:registry={CORP}\n"),
        ("/.yarnrc", f'"@acme:registry" "{CORP}"\n'),
        ("/.yarnrc.yml", f"npmScopes:\n  # ours\n  acme:\n    npmRegistryServer: {CORP}\n\nx: 1\n"),
        ("/bunfig.toml", f'[install.scopes]\nacme = "{CORP}"\n'),
        ("/sub/package.json", f'{{"publishConfig": {{"@acme:registry": "{CORP}"}}}}'),
        ("/sub/package.json", f'{{"name": "@acme/z", "publishConfig": {{"registry": "{CORP}"}}}}'),
    ):
        assert private_of(NPM, (path, text)).keys() == {"@acme/x"}, path


def test_packages_of_the_workspace_and_their_scope() -> None:
    own = ("/sub/package.json", '{"name": "left", "private": true}')
    assert private_of(NPM, own) == {"left": OWN}
    scoped = ("/sub/package.json", '{"name": "@acme/z"}')
    assert private_of(NPM, scoped) == {"@acme/x": OWN_SCOPE}
    access = '{"name": "@acme/w", "publishConfig": {"access": "public"}}'
    assert private_of(NPM, scoped, ("/w/package.json", access)) == {}
    hidden = access.replace("{", '{"private": true, ', 1)
    assert private_of(NPM, ("/w/package.json", hidden)) == {"@acme/x": OWN_SCOPE}
    scope = ("/.npmrc", f"@acme:registry={CORP}\n")
    assert private_of(NPM, scope, ("/w/package.json", access)).keys() == {"@acme/x"}
    assert private_of(PIP, ("/pyproject.toml", '[project]\nname = "LEFT"\n')) == {"left": OWN}
    assert private_of(CARGO, ("/sub/Cargo.toml", '[package]\nname = "left"\n')) == {"left": OWN}
    project = "<Project><PackageId>LEFT</PackageId></Project>"
    assert private_of(NUGET, ("/b.csproj", project)) == {"Left": OWN}
    composer = ("/sub/composer.json", '{"name": "Left/Right"}')
    assert private_of(COMPOSER, composer) == {"left/right": OWN}


@pytest.mark.parametrize(
    ("manifest", "path"),
    [
        (NPM, "/.npmrc"),
        (NPM, "/web/.yarnrc.yml"),
        (PIP, "/pip.conf"),
        (PIP, "/.pypirc"),
        (CARGO, "/.cargo/credentials.toml"),
        (COMPOSER, "/auth.json"),
        (NUGET, "/NuGet.Config"),
    ],
)
def test_a_file_with_secrets_may_have_named_a_registry(
    manifest: tuple[str, str], path: str
) -> None:
    found = private_of(manifest, left_out=(path, "/logo.png"))
    assert found
    assert all("is not stored" in reason and path in reason for reason in found.values())
    assert private_of(manifest, left_out=("/logo.png", "/package.json")) == {}
