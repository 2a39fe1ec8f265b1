"""Files to scan, and scanners over the worker processes of an application."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from codeintel.app import Services
from codeintel.contracts import Model
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.scans.records import FileResult, FoundFile
from codeintel.runs.scans.results import MemoryResults, ScanFile
from codeintel.runs.scans.scanner import Scanner

SQL_INJECTION = """\
from flask import request
import sqlite3

def find():
    name = request.args["name"]
    sqlite3.connect("a").execute("select * from users where name = '" + name + "'")
"""
# Two literals, so that no scanner of secrets takes it for one.
TOKEN = "ghp_" + "a8Kd0fLq2Zx7Vb3Nm5Tr9Yw1Ec4Ui6Oh1J5k"


def found_file(path: str, text: str) -> FoundFile:
    """Return the description of a file."""
    data = text.encode()
    return FoundFile(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        language=language_of_path(path),
    )


def scan_files(texts: Mapping[str, str]) -> list[ScanFile]:
    """Return files with their contents, by path."""
    return [(found_file(path, text), lambda text=text: text) for path, text in texts.items()]


def scanner(services: Services, results: MemoryResults | None = None, **options: object) -> Scanner:
    """Return a scanner that keeps its results in memory."""
    store = results if results is not None else MemoryResults()
    return Scanner(services.plugins.registry, services.pool, store, **options)  # type: ignore[arg-type]


def scanned(scanner: Scanner, texts: Mapping[str, str]) -> dict[str, FileResult]:
    """Return the results of files, by path. Each file has one."""
    found = scanner.scan(scan_files(texts), Model.FLASH, "test")
    results = [each for each in found if isinstance(each, FileResult)]
    by_path = {each.path: each for each in results}
    assert len(by_path) == len(results) == len(texts)
    return by_path
