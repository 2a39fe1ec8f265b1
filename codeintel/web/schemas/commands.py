"""Write requests as curl commands."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

_PARAMETER = re.compile(r"\{(\w+)\}")


def pretty(value: Any) -> str:
    """Return JSON with indents."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def curl(
    base: str,
    method: str,
    path: str,
    *,
    key: bool,
    example: Any,
    stream: bool,
    cookie: str = "",
    query: Mapping[str, Any] | None = None,
    file: str = "",
) -> str:
    """A command for a POSIX shell. Path parameters become shell variables, as the key is one.

    :param base: origin of the service.
    :param key: whether to send an API key.
    :param example: the JSON body, or None for none.
    :param cookie: name of the session's cookie, where that is the credential.
    :param file: where to write the answer, if it is no text.
    """
    # In double quotes a shell still reads these four characters.
    origin = re.sub(r'([\\"$`])', r"\\\1", base.rstrip("/"))
    address = _PARAMETER.sub(lambda match: f"${variable(match[1])}", path)
    if query:
        address += f"?{urlencode(query)}"
    flags = ["curl"]
    if stream:
        flags.append("--no-buffer")
    if method != "GET" and not (method == "POST" and example is not None):
        flags += ["-X", method]
    if file:
        flags += ["--output", file]
    lines = [f'{" ".join(flags)} "{origin}{address}"']
    if key:
        lines.append('-H "Authorization: Bearer $CODEINTEL_API_KEY"')
    if cookie:
        lines.append(f'-b "{cookie}=$CODEINTEL_SESSION"')
        if method != "GET":
            lines.append('-H "Sec-Fetch-Site: same-origin"')
    if example is not None:
        lines.append('-H "Content-Type: application/json"')
        lines.append(f"-d {shlex.quote(pretty(example))}")
    return " \\\n  ".join(lines)


def variable(parameter: str) -> str:
    """Return the environment variable of a path parameter. `PATH` belongs to the shell."""
    name = parameter.upper()
    return "FILE_PATH" if name == "PATH" else name
