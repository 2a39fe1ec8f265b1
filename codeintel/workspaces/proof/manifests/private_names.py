"""Names of packages that are never looked up: those of private registries, by what settings and
commands of builds say, and the workspace's own.

A name that is asked for at a public registry is told to it, and somebody who learns of it can put a
package of that name there. So in doubt a name is private: a registry of one's own for some packages
is taken to be that of all that it could be for, and what configures registries and cannot be read,
or was left out of the workspace, is taken to configure one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from codeintel.base.wording import pypi_name
from codeintel.workspaces.proof.manifests.formats import UnreadableError, shown
from codeintel.workspaces.proof.manifests.private_files import CONFIGS, MANIFESTS, Found

_VALUE = r"['\"]?(?:[ \t]{0,20}+[=:]{1,2}+[ \t]{0,20}+|[ \t]{1,20}+)([^\s,]{0,2000}+)"
_PYPI = re.compile(
    r"(?:--(?:extra-|default-)?index(?:-url)?|--find-links"
    rf"|\b(?:PIP|UV)_(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?|\bPIP_FIND_LINKS){_VALUE}"
)
_NPM = re.compile(
    r"(?i:--registry|\bnpm_config_registry|\byarn_(?:npm_)?registry(?:_server)?|\bregistry-url"
    rf"|\bconfig set (?:npm)?registry(?:server)?){_VALUE}"
)
_GO = re.compile(r"\bGO(?:PRIVATE|NOPROXY|NOSUMDB)\b")
_FILES = re.compile(
    r"/(?:(?:docker|container)file(?:\.[\w.-]+)?|[\w.-]+\.dockerfile|(?:gnu)?makefile|justfile"
    r"|tox\.ini|noxfile\.py|\.gitlab-ci\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml"
    r"|\.circleci/config\.ya?ml|\.github/(?:workflows|actions)/.*\.ya?ml|jenkinsfile"
    r"|(?:docker-)?compose[\w.-]*\.ya?ml|[^/]+\.sh)\Z"
)
OWN = "It is a package of this workspace."
OWN_SCOPE = "It has the scope of a package of this workspace: it may not be public."
UNREADABLE = "cannot be read, and may name a registry of its own."
OTHERS = re.compile(r"/(?:node_modules|bower_components|vendor|site-packages|\.?venv|\.tox)/")
"""What lies there belongs to others: its dependencies are not direct ones."""
Reader = Callable[[str, Found], None]
CONFIGS_ONLY = frozenset(read for _, _, read in CONFIGS)
"""Readers of files that say nothing but this: a manifest that was left out names none here."""


def pypi(text: str, found: Found) -> None:
    """Options and variables of pip and uv."""
    for match in _PYPI.finditer(text):
        found.registry(match[1])


def npm(text: str, found: Found) -> None:
    """Those of npm, pnpm and Yarn."""
    for match in _NPM.finditer(text):
        found.registry(match[1])


def golang(text: str, found: Found) -> None:
    """Variables of Go."""
    if _GO.search(text):
        found.everything = "says which modules are private."


COMMANDS: tuple[tuple[re.Pattern[str], str, Callable[[str, Found], None]], ...] = (
    (_FILES, "pypi", pypi),
    (_FILES, "npm", npm),
    (_FILES, "golang", golang),
)
"""By a path in small letters."""


_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "pypi": pypi_name,
    "nuget": str.lower,
    "composer": str.lower,
    "cargo": lambda name: name.replace("_", "-"),
}


@dataclass
class PrivateNames:
    """What is private, each with the reason for people."""

    everything: dict[str, str] = field(default_factory=dict)
    """By ecosystem: all its names."""
    scopes: dict[str, str] = field(default_factory=dict)
    """By scope of npm, with its `@`."""
    own: dict[str, set[str]] = field(default_factory=dict)
    """By ecosystem: names of the workspace's packages."""

    def reason(self, ecosystem: str, name: str) -> str:
        """Why a name is private; empty if it is not."""
        spelling = _SPELLINGS.get(ecosystem, str)
        if spelling(name) in self.own.get(ecosystem, ()):
            return OWN
        if ecosystem in self.everything:
            return self.everything[ecosystem]
        return self.scopes.get(name.partition("/")[0], "") if ecosystem == "npm" else ""


def is_config(path: str) -> bool:
    """Whether a file may say which names are private."""
    return bool(_readers(path))


class PrivateNamesReader:
    """Takes what the files of a workspace say, one after the other."""

    def __init__(self) -> None:
        self._names = PrivateNames()
        self._public_scopes = set[str]()

    def read(self, path: str, text: str) -> None:
        """Take what a file says."""
        for ecosystem, read in _readers(path):
            found = Found(ecosystem)
            try:
                read(text, found)
            except UnreadableError:
                found.everything = UNREADABLE
            _take(self._names, found, path)
            self._public_scopes |= found.public_scopes

    def unreadable(self, path: str) -> None:
        """Take into account a file that cannot be read."""
        for ecosystem, _ in _readers(path):
            _take(self._names, Found(ecosystem, UNREADABLE), path)

    def left_out(self, paths: Iterable[str]) -> None:
        """Take into account files that are not stored, such as those with secrets."""
        for path in paths:
            for ecosystem, read in _readers(path):
                if read in CONFIGS_ONLY:
                    found = Found(ecosystem, "is not stored, and may name a registry of its own.")
                    _take(self._names, found, path)

    def found(self) -> PrivateNames:
        """What all of them say together."""
        for scope in self._public_scopes:
            if self._names.scopes.get(scope, "") == OWN_SCOPE:
                del self._names.scopes[scope]
        return self._names


def private_names(files: Iterable[tuple[str, str]], left_out: Iterable[str] = ()) -> PrivateNames:
    """What the files of a workspace say.

    :param left_out: paths of files that are not stored, such as those with secrets.
    """
    reader = PrivateNamesReader()
    for path, text in files:
        reader.read(path, text)
    reader.left_out(left_out)
    return reader.found()


def _take(names: PrivateNames, found: Found, path: str) -> None:
    ecosystem = found.ecosystem
    if found.everything:
        names.everything.setdefault(ecosystem, f"`{shown(path)}` {found.everything}")
    spelling = _SPELLINGS.get(ecosystem, str)
    names.own.setdefault(ecosystem, set()).update(spelling(each) for each in found.own)
    if found.scopes:
        reason = f"`{shown(path)}` names a registry for its scope."
        names.scopes.update(dict.fromkeys(found.scopes, reason))
    for scope in found.own_scopes:
        names.scopes.setdefault(scope, OWN_SCOPE)


def _readers(path: str) -> list[tuple[str, Reader]]:
    """Those that tell of a file, with their ecosystems."""
    lower = path.lower()
    if OTHERS.search(lower):
        return []
    return [(ecosystem, read) for pattern, ecosystem, read in _ALL if pattern.search(lower)]


_ALL = (*CONFIGS, *MANIFESTS, *COMMANDS)
