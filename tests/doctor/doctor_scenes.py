"""Installations for the doctor to check, and the results."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask

from codeintel import create_app
from codeintel.operations.doctor.checks import Check, examine
from codeintel.operations.doctor.installation import SECONDS, Installation, look_at
from codeintel.operations.doctor.results import Finding, Status
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema

PEPPER = "a-pepper-for-tests-that-is-long-enough"
Look = Callable[[Installation], Iterator[Finding]]


class Found(list[Finding]):
    """Findings of one look."""

    def __getitem__(self, check: Any) -> Any:
        """Return the only finding of a check, or the first of several that is not ok."""
        those = [each for each in self if each.check == check]
        assert those, f"no {check} among {[each.check for each in self]}"
        return next((each for each in those if each.status is not Status.OK), those[0])

    def status(self, check: str) -> str:
        """Return the status of a check."""
        return str(self[check].status)

    @property
    def bad(self) -> dict[str, str]:
        """The checks that found something."""
        wrong = (Status.ERROR, Status.WARNING)
        return {each.check: str(each.status) for each in self if each.status in wrong}


@dataclass
class Scene:
    """One installation.

    :param environ: its environment besides the instance folder.
    """

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    def look(self, look: Look, *, offline: bool = True, seconds: float = SECONDS) -> Found:
        """Return the findings of one check."""
        return self.look_all([Check("checked", look)], offline=offline, seconds=seconds)

    def look_all(self, checks: Any, *, offline: bool = True, seconds: float = SECONDS) -> Found:
        """Return the findings of several checks."""
        environ = {"CODEINTEL_INSTANCE": str(self.folder), **self.environ}
        return Found(examine(look_at(environ, offline=offline, seconds=seconds), checks))

    def app(self) -> Flask:
        """Return an application over its database, with the schema in place."""
        app = create_app({"CODEINTEL_INSTANCE": self.folder, **self.environ})
        ensure_schema(app)
        return app

    def filled(self, work: Callable[[Flask], object] = lambda _: None) -> None:
        """Create a database that the service has used and closed."""
        app = self.app()
        with app.app_context():
            work(app)
            db.engine.dispose()

    def files(self) -> Mapping[str, str]:
        """Return all files in the folder, with the hash of their contents.

        SQLite's shared memory has no hash, because readers write to it, too.
        """
        return {
            str(each.relative_to(self.folder)): ""
            if each.name.endswith("-shm")
            else hashlib.sha256(each.read_bytes()).hexdigest()
            for each in self.folder.rglob("*")
            if each.is_file()
        }
