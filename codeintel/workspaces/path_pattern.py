"""What a regular expression can say of the paths and labels that are taken, for those who read the
description of the API. Pure.

:mod:`codeintel.contracts.workspaces.paths` decides. It counts bytes, too, and knows normal forms,
and which paths collide.
"""

from __future__ import annotations

_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_END = r"[. ]*(?:/|$)"
_NO_DOTS = r"(?!\.{1,2}(?:/|$))"
_NOT_GITS = rf"(?!\.[gG][iI][tT]{_END})(?![gG][iI][tT]~)"
_NOT_OURS = rf"(?!\.[cC][oO][dD][eE][iI][nN][tT][eE][lL]{_END})(?![cC][oO][dD][eE][iI][nN]~)"
_NAME = rf"{_NO_DOTS}{_NOT_GITS}[^/\\:{_CONTROL}]{{1,255}}"
PATTERN = rf"^/{_NOT_OURS}{_NAME}(?:/{_NAME})*$"
"""Names with slashes before them: none is `.`, `..` or Git's own folder, and the first not ours."""
FOLDER_PATTERN = rf"^(?!\.{{1,2}}$)(?![A-Za-z]:)[^/\\{_CONTROL}]*$"
"""A name: no path, no drive, not `..`. It may be empty."""
LABEL_PATTERN = rf"^[^{_CONTROL}]*$"
"""No control characters, nor line breaks of another kind."""
