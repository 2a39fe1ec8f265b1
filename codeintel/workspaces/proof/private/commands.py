"""Private names by what commands and settings of builds say of registries. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from codeintel.workspaces.proof.private.found import Found

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


_FILES = re.compile(
    r"/(?:(?:docker|container)file(?:\.[\w.-]+)?|[\w.-]+\.dockerfile|(?:gnu)?makefile|justfile"
    r"|tox\.ini|noxfile\.py|\.gitlab-ci\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml"
    r"|\.circleci/config\.ya?ml|\.github/(?:workflows|actions)/.*\.ya?ml|jenkinsfile"
    r"|(?:docker-)?compose[\w.-]*\.ya?ml|[^/]+\.sh)\Z"
)
COMMANDS: tuple[tuple[re.Pattern[str], str, Callable[[str, Found], None]], ...] = (
    (_FILES, "pypi", pypi),
    (_FILES, "npm", npm),
    (_FILES, "golang", golang),
)
"""By a path in small letters."""
