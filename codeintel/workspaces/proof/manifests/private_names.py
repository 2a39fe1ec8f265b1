"""Names of packages that are never looked up.

These are names of private registries, according to settings and build commands, and the workspace's
own names. A lookup reveals the name to a public registry, and anyone who learns the name can
publish a package under it there. So a name is private in case of doubt. A private registry for some
packages applies to all packages that it could serve. A registry setting that cannot be read, or is
not part of the workspace, counts as a private registry.
"""

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
OWN_SCOPE = "It has the same scope as a package of this workspace, so it may be private."
UNREADABLE = "cannot be read, and may name another registry."
OTHERS = re.compile(r"/(?:node_modules|bower_components|vendor|site-packages|\.?venv|\.tox)/")
"""Folders with third-party code, whose dependencies are not direct ones."""
Reader = Callable[[str, Found], None]
CONFIGS_ONLY = frozenset(read for _, _, read in CONFIGS)
"""Readers of pure settings files. An excluded manifest reveals no names."""


def pypi(text: str, found: Found) -> None:
    """Read options and variables of pip and uv."""
    for match in _PYPI.finditer(text):
        found.registry(match[1])


def npm(text: str, found: Found) -> None:
    """Read options and variables of npm, pnpm and Yarn."""
    for match in _NPM.finditer(text):
        found.registry(match[1])


def golang(text: str, found: Found) -> None:
    """Read variables of Go."""
    if _GO.search(text):
        found.everything = "says which modules are private."


COMMANDS: tuple[tuple[re.Pattern[str], str, Callable[[str, Found], None]], ...] = (
    (_FILES, "pypi", pypi),
    (_FILES, "npm", npm),
    (_FILES, "golang", golang),
)
"""Readers by lower-case path."""


_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "pypi": pypi_name,
    "nuget": str.lower,
    "composer": str.lower,
    "cargo": lambda name: name.replace("_", "-"),
}


@dataclass
class PrivateNames:
    """The private names, each with a reason in words."""

    everything: dict[str, str] = field(default_factory=dict)
    """By ecosystem: the reason why all of its names are private."""
    scopes: dict[str, str] = field(default_factory=dict)
    """By npm scope, with its `@`."""
    own: dict[str, set[str]] = field(default_factory=dict)
    """By ecosystem: names of the workspace's packages."""

    def reason(self, ecosystem: str, name: str) -> str:
        """Return why a name is private, or an empty text."""
        spelling = _SPELLINGS.get(ecosystem, str)
        if spelling(name) in self.own.get(ecosystem, ()):
            return OWN
        if ecosystem in self.everything:
            return self.everything[ecosystem]
        return self.scopes.get(name.partition("/")[0], "") if ecosystem == "npm" else ""


def is_config(path: str) -> bool:
    """Return whether a file may say which names are private."""
    return bool(_readers(path))


class PrivateNamesReader:
    """Reads the files of a workspace, one at a time."""

    def __init__(self) -> None:
        self._names = PrivateNames()
        self._public_scopes = set[str]()

    def read(self, path: str, text: str) -> None:
        """Read a file."""
        for ecosystem, read in _readers(path):
            found = Found(ecosystem)
            try:
                read(text, found)
            except UnreadableError:
                found.everything = UNREADABLE
            _take(self._names, found, path)
            self._public_scopes |= found.public_scopes

    def unreadable(self, path: str) -> None:
        """Note a file that cannot be read."""
        for ecosystem, _ in _readers(path):
            _take(self._names, Found(ecosystem, UNREADABLE), path)

    def left_out(self, paths: Iterable[str]) -> None:
        """Note files that are not stored, such as those with secrets."""
        for path in paths:
            for ecosystem, read in _readers(path):
                if read in CONFIGS_ONLY:
                    found = Found(ecosystem, "is not stored, and may name another registry.")
                    _take(self._names, found, path)

    def found(self) -> PrivateNames:
        """Return the private names of all files together."""
        for scope in self._public_scopes:
            if self._names.scopes.get(scope, "") == OWN_SCOPE:
                del self._names.scopes[scope]
        return self._names


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
    """Return the readers of a file, with their ecosystems."""
    lower = path.lower()
    if OTHERS.search(lower):
        return []
    return [(ecosystem, read) for pattern, ecosystem, read in _ALL if pattern.search(lower)]


_ALL = (*CONFIGS, *MANIFESTS, *COMMANDS)
