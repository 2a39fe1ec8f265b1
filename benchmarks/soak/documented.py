"""Check that answers have a status and an error code that the OpenAPI document lists."""

from __future__ import annotations

import re
import threading
from collections import Counter
from typing import Any

import requests

PAGE = "text/html"
SARIF = "application/sarif+json"
PRESSURE = frozenset({"overloaded", "rate_limit_exceeded"})
"""What a service may say to more than it can do; counted apart, and bounded."""


class Documented:
    """The number of answers to all clients, and the answers that the document does not list."""

    def __init__(self, url: str) -> None:
        document = requests.get(f"{url}/api/v1/openapi.json", timeout=30).json()
        self._paths: dict[str, Any] = {
            _shape(path): item for path, item in document["paths"].items()
        }
        self._lock = threading.Lock()
        self.answers: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.refused = 0

    def take(self, method: str, path: str, answer: requests.Response) -> None:
        """Count an answer; `path` is as the document has it, with names in braces."""
        problem, code = self._problem(method, path, answer), error_code(answer)
        name = f"{method} {path}: {answer.status_code} {code}".rstrip()
        with self._lock:
            self.answers[name] += 1
            self.refused += code in PRESSURE
            if problem:
                self.wrong[f"{name}: {problem}"] += 1

    def _problem(self, method: str, path: str, answer: requests.Response) -> str:
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        if answer.status_code == requests.codes.server_error:
            return "it failed"
        operation = self._paths.get(_shape(path), {}).get(method.lower())
        if operation is None:  # a page: it has no document, and may not fail
            return "" if kind == PAGE or answer.status_code < 400 else f"answered with {kind}"
        promised = operation["responses"].get(str(answer.status_code))
        if promised is None:
            return "undocumented status"
        content = promised.get("content", {})
        if content and kind not in content and kind != SARIF:
            return f"undocumented type {kind}"
        code = error_code(answer)
        if code and code not in content["application/json"].get("examples", {}):
            return "undocumented code"
        return ""


def _shape(path: str) -> str:
    """Return the path with the same name for all of its parameters."""
    return re.sub(r"\{\w+\}", "{}", path)


def error_code(answer: requests.Response) -> str:
    """The code of an error; empty for anything else."""
    is_json = answer.headers.get("Content-Type", "").startswith("application/json")
    if answer.status_code < 400 or not is_json:
        return ""
    found = answer.json().get("error", {})
    return str(found.get("code", "")) if isinstance(found, dict) else "none"
