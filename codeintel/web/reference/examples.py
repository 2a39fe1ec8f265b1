"""Write a request in curl, Python and JavaScript. The examples run as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from codeintel.web.schemas.commands import curl, pretty, variable

_PARAMETER = re.compile(r"\{(\w+)\}")
_SECONDS = 60


@dataclass(frozen=True)
class SampleRequest:
    """A request to show. `body` is None without a body, `cookie` is empty without a session, and
    `file` is the name under which to store an answer that is no text."""

    base: str
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    key: bool = False
    cookie: str = ""
    body: Any = None
    answer: str = "json"
    """`json`, `text`, `events`, `file` or `nothing`."""
    file: str = ""


class Example(NamedTuple):
    """A request in one language. `name` is for scripts and styles."""

    name: str
    title: str
    code: str


def examples(request: SampleRequest) -> tuple[Example, ...]:
    """Return the request in all languages."""
    command = curl(
        request.base,
        request.method,
        request.path,
        key=request.key,
        example=request.body,
        stream=request.answer == "events",
        cookie=request.cookie,
        query=request.query,
        file=request.file,
    )
    return (
        Example("curl", "curl", command),
        Example("python", "Python", python(request)),
        Example("javascript", "JavaScript", javascript(request)),
    )


def python(request: SampleRequest) -> str:
    """Return a program that uses the library requests."""
    reads_variables = request.key or request.cookie or "{" in request.path
    imports = [
        *(["import json"] if request.answer == "events" else ()),
        *(["import os"] if reads_variables else ()),
    ]
    headers = {}
    if request.key:
        headers["Authorization"] = "f\"Bearer {os.environ['CODEINTEL_API_KEY']}\""
    if request.cookie and request.method != "GET":
        headers["Sec-Fetch-Site"] = '"same-origin"'
    arguments = [_python_address(request)]
    if request.query:
        arguments.append(f"params={_python_value(request.query)}")
    if headers:
        pairs = ", ".join(f'"{name}": {value}' for name, value in headers.items())
        arguments.append(f"headers={{{pairs}}}")
    if request.cookie:
        arguments.append(f'cookies={{"{request.cookie}": os.environ["CODEINTEL_SESSION"]}}')
    if request.body is not None:
        arguments.append(f"json={_python_value(request.body)}")
    if request.answer == "events":
        arguments.append("stream=True")
    arguments.append(f"timeout={_SECONDS}")
    call = _lines(f"requests.{request.method.lower()}(", arguments, ")")
    parts = ["\n".join(imports), "import requests"] if imports else ["import requests"]
    return "\n\n".join([*parts, _python_rest(request, call)])


def _python_rest(request: SampleRequest, call: str) -> str:
    if request.answer == "events":
        return (
            f"with {call} as response:\n"
            "    response.raise_for_status()\n"
            "    for line in response.iter_lines():\n"
            '        if line.startswith(b"data:"):\n'
            '            print(json.loads(line.removeprefix(b"data:")))'
        )
    last = {
        "json": "print(response.json())",
        "text": "print(response.text)",
        "nothing": "print(response.status_code)",
        "file": (f'with open("{request.file}", "wb") as file:\n    file.write(response.content)'),
    }[request.answer]
    return f"response = {call}\nresponse.raise_for_status()\n{last}"


def _python_address(request: SampleRequest) -> str:
    address = json.dumps(request.base + request.path, ensure_ascii=False)
    if "{" not in request.path:
        return address
    return "f" + _PARAMETER.sub(lambda match: f"{{os.environ['{variable(match[1])}']}}", address)


def _python_value(value: Any) -> str:
    """Return JSON as Python code, with a line for each entry."""
    match value:
        case Mapping() if value:
            return _lines("{", [f"{_text(k)}: {_python_value(v)}" for k, v in value.items()], "}")
        case list() | tuple() if value:
            return _lines("[", [_python_value(each) for each in value], "]")
        case Mapping():
            return "{}"
        case str():
            return _text(value)
    return repr(value)


def _lines(start: str, entries: list[str], end: str) -> str:
    inner = _indented(entries, "    ")
    return f"{start}\n{inner},\n{end}"


def _indented(entries: list[str], indent: str) -> str:
    """Return entries on lines with commas. Line separators of Unicode do not end a line."""
    return re.sub(r"^", indent, ",\n".join(entries), flags=re.MULTILINE)


def _text(text: str) -> str:
    """Return a string literal, which is the same in Python and JSON."""
    return json.dumps(text, ensure_ascii=False)


def javascript(request: SampleRequest) -> str:
    """Return a module that uses `fetch`, for Node.js or another runtime with `process.env`."""
    options = []
    if request.method != "GET":
        options.append(f'method: "{request.method}"')
    headers = []
    if request.key:
        headers.append("Authorization: `Bearer ${process.env.CODEINTEL_API_KEY}`")
    if request.cookie:
        headers.append(f"Cookie: `{request.cookie}=${{process.env.CODEINTEL_SESSION}}`")
        if request.method != "GET":
            headers.append('"Sec-Fetch-Site": "same-origin"')
    if request.body is not None:
        headers.append('"Content-Type": "application/json"')
    if headers:
        options.append(_object("headers: ", headers))
    if request.body is not None:
        options.append(f"body: JSON.stringify({pretty(request.body)})")
    given = _object(", ", options) if options else ""
    call = f"const response = await fetch({_javascript_address(request)}{given});"
    check = "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);"
    return _JAVASCRIPT_RESTS[request.answer](request, f"{call}\n{check}")


def _object(start: str, entries: list[str]) -> str:
    inner = _indented(entries, "  ")
    return f"{start}{{\n{inner},\n}}"


def _javascript_address(request: SampleRequest) -> str:
    address = request.base + request.path
    if request.query:
        address += f"?{urlencode(request.query)}"
    if "{" not in request.path:
        return json.dumps(address, ensure_ascii=False)
    inside = _PARAMETER.sub(lambda match: f"${{process.env.{variable(match[1])}}}", address)
    return f"`{inside}`"


_EVENTS = """
let rest = "";
for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + piece).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    if (line.startsWith("data:")) console.log(JSON.parse(line.slice(5)));
  }
}"""
_JAVASCRIPT_RESTS: Mapping[str, Callable[[SampleRequest, str], str]] = {
    "json": lambda _, call: f"{call}\nconsole.log(await response.json());",
    "text": lambda _, call: f"{call}\nconsole.log(await response.text());",
    "nothing": lambda _, call: f"{call}\nconsole.log(response.status);",
    "events": lambda _, call: f"{call}\n{_EVENTS.strip()}",
    "file": lambda request, call: (
        f'import {{ writeFile }} from "node:fs/promises";\n\n{call}\n'
        f'await writeFile("{request.file}", Buffer.from(await response.arrayBuffer()));'
    ),
}
