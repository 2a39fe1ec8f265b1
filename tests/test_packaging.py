"""The installed files, and the imports between packages."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.version import Version

import codeintel
from codeintel.platform.plugins import discovery

ROOT = Path(__file__).parents[1]
ROOTS = {"codeintel": ROOT / "codeintel", "codeintel_plugins": ROOT / "plugins/codeintel_plugins"}
FOR_PLUGINS = {
    "codeintel",
    "codeintel.client.sse",
    "codeintel.contracts",
    "codeintel.contracts.trust",
    "codeintel.contracts.languages",
    "codeintel.contracts.positions",
    "codeintel.contracts.secret_tokens",
    "codeintel.contracts.settings",
    "codeintel.trust.names",
}
OF_THE_ENGINE = {
    f"codeintel.engine.{name}"
    for name in (
        "dataflow",
        "dataflow.interpreting.interpreter",
        "dataflow.lowering.rust_forms",
        "dataflow.origins",
        "dataflow.table",
        "dataflow.tree",
        "dataflow.called",
        "dataflow.values",
        "detection.detector",
        # A transformation may ask whether a change of its will be proven, and leave it out if not.
        "equivalence.normal_form",
        "equivalence.sql.normalize",
        "symbolic",
        "symbolic.facts",
        "symbolic.find",
        "symbolic.library",
        "syntax",
        "data_files",
    )
}
"""What the engine offers to the plugins that ship."""
MIB = 1024 * 1024
IN_THE_ROOT = {
    ".gitignore",
    ".pre-commit-config.yaml",
    ".pre-commit-hooks.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "action.yml",
    "mkdocs.yml",
    "noxfile.py",
    "pyproject.toml",
    "setup.cfg",
    "wsgi.py",
}


@pytest.fixture(scope="module")
def setup_cfg() -> ConfigParser:
    parser = ConfigParser()
    parser.read(ROOT / "setup.cfg")
    return parser


def words(text: str) -> list[str]:
    return text.split()


def folder_of(package: str) -> Path:
    root, *rest = package.split(".")
    return ROOTS[root].joinpath(*rest)


def packages() -> list[str]:
    return sorted(
        ".".join([name, *init.parent.relative_to(root).parts])
        for name, root in ROOTS.items()
        for init in root.rglob("__init__.py")
    )


def modules(package: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(ROOTS[package].rglob("*.py")):
        # Code that runs in the sandbox is independent there, under another name.
        if "inside" not in path.parts:
            yield path, ast.parse(path.read_text())


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield all imports of a module, at any level, as dotted names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield str(node.module)


def test_every_package_is_named(setup_cfg: ConfigParser) -> None:
    assert words(setup_cfg["options"]["packages"]) == packages()


def test_every_module_is_in_a_package() -> None:
    for root in ROOTS.values():
        for path in root.rglob("*.py"):
            assert (path.parent / "__init__.py").exists(), path


def test_package_data_is_there_and_complete(setup_cfg: ConfigParser) -> None:
    shipped = set()
    for package, patterns in setup_cfg["options.package_data"].items():
        for pattern in words(patterns):
            found = [path for path in folder_of(package).glob(pattern) if path.is_file()]
            assert found, f"{package}: {pattern}"
            shipped.update(found)
    for root in ROOTS.values():
        for path in root.rglob("*"):
            if path.is_file() and path.suffix not in {".py", ".pyc"}:
                assert path in shipped, path


def test_the_version_is_one() -> None:
    assert str(Version(codeintel.__version__)) == codeintel.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", codeintel.API_VERSION)


def test_the_plugins_that_ship_can_be_imported(setup_cfg: ConfigParser) -> None:
    for point in discovery.shipped():
        name = point.value
        assert find_spec(name) is not None, name
        package = name if folder_of(name).is_dir() else name.rpartition(".")[0]
        assert package in words(setup_cfg["options"]["packages"])


def test_the_entry_point_group_is_the_documented_one() -> None:
    assert discovery.ENTRY_POINT_GROUP == "codeintel.plugins"
    assert discovery.ENTRY_POINT_GROUP in (ROOT / "docs/hooks.md").read_text()


def test_the_core_knows_no_plugin() -> None:
    for path, tree in modules("codeintel"):
        assert not [name for name in imported(tree) if name.startswith("codeintel_plugins")], path
        named = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            if re.fullmatch(r"codeintel_plugins(\.\w+)*", node.value)
        ]
        assert named == (["codeintel_plugins"] if path == Path(discovery.__file__) else []), path


def test_plugins_use_what_everybody_may_use() -> None:
    for path, tree in modules("codeintel_plugins"):
        core = {name for name in imported(tree) if name.split(".")[0] == "codeintel"}
        assert core <= FOR_PLUGINS | OF_THE_ENGINE, path


def loaded_by(statement: str) -> set[str]:
    """Return the top-level modules and our own that a statement loads in a new process."""
    ended = subprocess.run(
        [sys.executable, "-c", f"{statement}; import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(ended.stdout.split())


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import codeintel", {"flask", "sqlalchemy", "gevent", "msgspec", "codeintel.app"}),
        ("import codeintel.contracts", {"flask", "sqlalchemy", "gevent"}),
        ("import codeintel.platform.workers.zygote", {"flask", "sqlalchemy", "gevent", "werkzeug"}),
        ("import codeintel_plugins.static", {"flask", "sqlalchemy", "gevent", "bandit"}),
        ("import codeintel.app", {"codeintel_plugins", "bandit"}),
        ("import codeintel.cli", {"flask", "sqlalchemy", "gevent"}),
    ],
)
def test_imports_are_light(statement: str, absent: set[str]) -> None:
    loaded = loaded_by(statement)
    assert statement.split()[-1] in loaded
    assert loaded & absent == set()


@pytest.fixture(scope="module")
def repository_files() -> list[str]:
    """Return the files in the repository or to be added, as paths from its root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not in a git repository")
    names = [name.decode() for name in listed.stdout.split(b"\0") if name]
    return [name for name in names if (ROOT / name).is_file()]


def test_files_are_small(repository_files: list[str]) -> None:
    assert "setup.cfg" in repository_files
    assert [name for name in repository_files if (ROOT / name).stat().st_size > MIB] == []


def test_nothing_is_left_in_the_root(repository_files: list[str]) -> None:
    """Check analyzers that run outside of a worker, because they write into the working folder."""
    assert {name for name in repository_files if "/" not in name} == IN_THE_ROOT
