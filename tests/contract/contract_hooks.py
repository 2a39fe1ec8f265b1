"""Additional rules for Schemathesis: rules that an OpenAPI document cannot state, and four
refusals of valid requests that are correct here. It loads this file itself."""

from __future__ import annotations

import unicodedata
from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, HookContext, Response
from schemathesis.generation import GenerationMode

LANGUAGE = "python"
MAX_PATH_BYTES = 1_000
OWN_PAGES = {"Sec-Fetch-Site": "same-origin"}
EXCEPTIONS = {
    "trustNetwork": (503, "upstreams_unavailable", None),
    "transform": (400, "unsupported_", None),
    "runsReadRun": (400, "invalid_request", "format"),
    "scansSendContents": (400, "invalid_request", None),
}
"""By operation: the status of the refusal that is right here, what its code begins with, and the
parameter at fault if the code does not tell enough."""


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:  # noqa: ARG001
    """Apply the rules that hold between parts of a request."""
    if case.operation.tags == ["Keys"] and case.method != "GET":
        # Such calls are those of a page.
        case.headers = {**(case.headers or {}), **OWN_PAGES}
    rule = _RULES.get(_name(case))
    if rule is not None:
        rule(case)


def _name(case: Case) -> str:
    return str(case.operation.definition.raw.get("operationId"))


def _trust(case: Case) -> None:
    """Make `kind` and `target` agree, because `kind` says how to read `target`."""
    query = case.query
    if not isinstance(query, dict) or query.get("kind") not in ("package", "comparison"):
        return
    target = query.get("target")
    if target is None:
        del query["kind"]
    elif isinstance(target, str):
        entries = target.split("..vs..")
        if query["kind"] == "comparison" and len(set(entries)) < max(2, len(entries)):
            query["target"] = "package:react..vs..package:vue"
        elif query["kind"] == "package" and len(entries) > 1:
            query["kind"] = "comparison"


def _transform(case: Case) -> None:
    """Name the languages, because some code does not show its language, and conversions need
    another target language."""
    body = case.body
    if not isinstance(body, dict):
        return
    wrapped = body.get("request")
    if isinstance(wrapped, dict):
        _name_languages(wrapped, ("sourceLanguage",))
    elif "code" in body:
        _name_languages(body, ("language", "sourceLanguage"))


def _name_languages(body: dict[str, Any], names: tuple[str, ...]) -> None:
    if not any(name in body for name in names):
        body[names[0]] = LANGUAGE
    if body.get("targetLanguage") in [body[name] for name in names if name in body]:
        body["targetLanguage"] = "javascript"


def _files(case: Case) -> None:
    """Check that paths are in normal form, and that none equals another in capital letters, or
    is a folder of it."""
    body = case.body
    if not isinstance(body, dict):
        return
    for field in ("files", "changes"):
        paths = body.get(field)
        if isinstance(paths, dict):
            body[field] = _apart(paths)


def _apart(paths: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path, text in paths.items():
        normal = unicodedata.normalize("NFC", path)
        key = f"{normal.casefold()}/"
        taken = (f"{each.casefold()}/" for each in found)
        if not any(key.startswith(each) or each.startswith(key) for each in taken):
            found[normal] = text
    return found


def _events(case: Case) -> None:
    """Limit `after` to existing events. Every run has at least one."""
    if str((case.query or {}).get("after", "")).isdecimal():
        case.query["after"] = min(int(case.query["after"]), 1)
    last = str((case.headers or {}).get("Last-Event-ID", ""))
    if last.isascii() and last.isdecimal() and len(last) <= 18:
        case.headers["Last-Event-ID"] = str(min(int(last), 1))


def _scan(case: Case) -> None:
    """Keep the sum of the sizes within the limit, and name files by relative, unique paths."""
    body = case.body
    files = body.get("files") if isinstance(body, dict) else None
    if not isinstance(files, list) or not all(isinstance(each, dict) for each in files):
        return
    for number, each in enumerate(files):
        path = each.get("path")
        if isinstance(path, str) and 0 < len(path.encode("utf-8", "replace")) <= MAX_PATH_BYTES:
            each["path"] = f"src/{number}.py"
        size = each.get("size")
        if isinstance(size, int | float) and size > 1_000 and float(size).is_integer():
            each["size"] = 1_000


_RULES = {
    "runsReadEvents": _events,
    "scansRequestScan": _scan,
    "scansStreamScan": _events,
    "trustNetwork": _trust,
    "transform": _transform,
    "workspaceSync": _files,
    "workspaceEdit": _files,
}


@schemathesis.check
def only_named_exceptions(
    ctx: CheckContext,  # noqa: ARG001 - given to every check
    response: Response,
    case: Case,
) -> None:
    """Check that a permitted refusal has the only correct reason."""
    status, code, parameter = EXCEPTIONS.get(_name(case), (0, "", None))
    is_good = case.meta is None or case.meta.generation.mode == GenerationMode.POSITIVE
    if response.status_code == status and (is_good or status >= 500):
        told = response.json()["error"]
        assert told["code"].startswith(code), f"a good request was refused with {told['code']}"
        if parameter is not None:
            assert told["details"]["path"] == parameter
            assert (case.query or {}).get(parameter) == "sarif", "all runs have a JSON report"
