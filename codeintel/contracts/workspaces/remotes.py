"""Git remotes without credentials, and links that open them in editors. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from codeintel.contracts.secret_tokens import token_rule
from codeintel.contracts.workspaces.paths import is_local_path

_KEPT = frozenset({"http", "https", "ssh", "git", "git+ssh", "ssh+git"})
"""The accepted schemes of Git remotes. Others, such as `ext::`, which runs a command, are
dropped.
"""
_LINKED = frozenset({"https", "ssh"})
_EDITORS = {
    "vscode": "vscode://vscode.git/clone?url=",
    "cursor": "cursor://vscode.git/clone?url=",
    "jetbrains": "jetbrains://idea/checkout/git?checkout.repo=",
}
_IDES = ("intellij", "pycharm", "webstorm", "phpstorm", "goland", "rider", "rubymine", "rustrover")
"""One link works for all JetBrains editors."""
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{0,20})://(?:(?P<user>[^/?#]*)@)?"
    r"(?P<host>\[[0-9A-Fa-f:.]{2,45}\]|[^/?#@:\[\]]*)(?::(?P<port>[0-9]{0,5}))?(?P<path>/[^?#]*)?"
    r"(?P<rest>[?#].*)?"
)
# Git's rule: a colon before the first slash.
_SCP = re.compile(
    r"(?:(?P<user>[^/?#:@]*(?::[^/?#@]*)?)@)?(?P<host>\[[0-9A-Fa-f:.]{2,45}\]|[^/?#:@\[\]]+)"
    r":(?!:)(?P<path>[^?#]*)(?P<rest>[?#].*)?"
)
_HOST = re.compile(r"\[[0-9A-Fa-f:.]+\]|[^\W_](?:[\w.-]*[^\W_])?\.?")
_AT = re.compile(r"[^/]@")
_USER = re.compile(r"[A-Za-z0-9_.~+][A-Za-z0-9_.~+-]*")
_NOT_PLAIN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff\\]")


class _Remote(NamedTuple):
    """The parts of a remote; `scheme` is empty for `git@host:path`."""

    scheme: str
    user: str
    host: str
    port: str
    path: str

    def text(self) -> str:
        """Return the remote in its original form."""
        user = f"{self.user}@" if self.user else ""
        if not self.scheme:
            return f"{user}{self.host}:{self.path}"
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{user}{self.host}{port}{self.path}"


def without_credentials(remote: str) -> str:
    """Return the remote without user and password, if it is a URL, and without query and fragment.
    The `git@` of an ssh remote stays. Empty for a local path, for text that is not a host's
    address, and if another part contains a token.
    """
    found = _parsed(remote)
    kept = found.text() if found is not None else ""
    return "" if token_rule(kept) else kept


def editor_uri(remote: str, source: str, otherwise: str) -> str:
    """Return a link by which the editor `source` clones the remote. Return `otherwise` for a remote
    that is neither https nor ssh, or whose host or user begins with `-`.

    :param source: the kind of client. VS Code for unknown ones.
    :param otherwise: the address of the online editing environment.
    """
    found = _parsed(remote)
    if found is None or not _is_safe(found):
        return otherwise
    return _EDITORS[_editor(source.lower())] + quote(found.text(), safe="")


def _editor(source: str) -> str:
    if any(name in source for name in _IDES):
        return "jetbrains"
    return next((name for name in _EDITORS if name in source), "vscode")


def _parsed(remote: str) -> _Remote | None:
    remote = remote.strip()
    if _NOT_PLAIN.search(remote) or is_local_path(remote):
        return None
    if found := _URL.fullmatch(remote):
        return _of_url(found)
    found = None if "://" in remote else _SCP.fullmatch(remote)
    # Without a user, only a dot in the host name distinguishes `host:path` from a drive (`c:x`) or
    # another URL (`javascript:x`, `data:x`).
    if found is None or not (found["user"] or "." in found["host"] or ":" in found["host"]):
        return None
    # The password was cut off, as in a URL, so the part before the colon is the user.
    if "@" in found["path"] or ("@" in (found["rest"] or "") and not found["user"]):
        return None
    return _Remote("", _ssh_user(found["user"]), found["host"], "", found["path"])


def _of_url(found: re.Match[str]) -> _Remote | None:
    scheme, path = found["scheme"].lower(), found["path"] or ""
    if scheme not in _KEPT or not found["host"]:
        return None
    # The password has an unencoded `/`, `?` or `#`, so its end is in a later part.
    is_cut = ":" in (found["user"] or "") or found["port"] is not None
    if _AT.search(path) or ("@" in path and is_cut) or ("@" in (found["rest"] or "") and not path):
        return None
    user = _ssh_user(found["user"]) if "ssh" in scheme else ""
    return _Remote(scheme, user, found["host"], found["port"] or "", path)


def _ssh_user(text: str | None) -> str:
    """Return the user name. Empty if it is too long for one, as tokens are."""
    name = (text or "").partition(":")[0]
    return name if len(name) <= 32 else ""


def _is_safe(remote: _Remote) -> bool:
    """Return whether Git and ssh read each part correctly, and none as an option or a command."""
    return (
        (not remote.scheme or remote.scheme in _LINKED)
        and _HOST.fullmatch(remote.host) is not None
        and (not remote.user or _USER.fullmatch(remote.user) is not None)
        and bool(remote.path.strip("/"))
        and not remote.path.startswith("-")
    )
