"""All checks in the order of the report. They run in parallel with one deadline."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from codeintel.operations.doctor.database import look_at_database, look_at_migrations
from codeintel.operations.doctor.files import look_at_disk, look_at_folder
from codeintel.operations.doctor.installation import Installation
from codeintel.operations.doctor.redis_server import look_at_redis
from codeintel.operations.doctor.results import (
    Finding,
    NoDatabase,
    Status,
    Unavailable,
    error,
    skipped,
)
from codeintel.operations.doctor.server import look_at_server
from codeintel.operations.doctor.settings import (
    look_at_addresses,
    look_at_names,
    look_at_secrets,
    look_at_sharing,
    look_at_values,
)
from codeintel.operations.doctor.stored import look_at_books, look_at_jobs, look_at_leases
from codeintel.operations.doctor.system import (
    look_at_confinement,
    look_at_plugins,
    look_at_sandbox,
    look_at_system,
)
from codeintel.operations.doctor.upstreams import look_at_upstreams


class Check(NamedTuple):
    """A section of the report.

    :param name: the prefix of its findings' names.
    :param look: yields findings. Its exceptions are reported.
    """

    name: str
    look: Callable[[Installation], Iterator[Finding]]


class _Work:
    """A running check."""

    def __init__(self, check: Check, installation: Installation) -> None:
        self.name = check.name
        self.thread = threading.Thread(target=self._run, name=check.name, daemon=True)
        self._look = check.look
        self._installation = installation
        self._found: list[Finding] = []

    def _run(self) -> None:
        try:
            for each in self._look(self._installation):
                self._found.append(each)
        except NoDatabase:
            self._found.append(skipped(self.name, "There is no database to read."))
        except Unavailable as why:
            self._found.append(skipped(self.name, str(why)))
        except Exception as broken:  # noqa: BLE001 - one check must not take the others down
            self._found.append(_broken(self.name, broken))

    def findings(self) -> list[Finding]:
        """Return the findings so far."""
        found = list(self._found)
        if self.thread.is_alive():
            found.append(
                error(
                    self.name,
                    "The check did not finish in time.",
                    "A dependency hangs or is very slow. See the other errors, then try again.",
                )
            )
        return found


def examine(installation: Installation, checks: Sequence[Check]) -> list[Finding]:
    """Return the findings of all checks in their order, without secrets."""
    work = [_Work(check, installation) for check in checks]
    for each in work:
        each.thread.start()
    for each in work:
        each.thread.join(installation.seconds_left)
    clean = installation.redactor.clean
    return [
        replace(each, found=clean(each.found), fix=clean(each.fix))
        for part in work
        for each in part.findings()
    ]


def counts(findings: Sequence[Finding]) -> dict[Status, int]:
    """Return the number of findings by status."""
    found = Counter(each.status for each in findings)
    return {status: found[status] for status in Status}


def _broken(name: str, broken: Exception) -> Finding:
    return error(
        name,
        f"The check failed: {type(broken).__name__}: {broken}.",
        "Report this bug to the developers of codeintel.",
    )


CHECKS = (
    Check("settings.values", look_at_values),
    Check("settings.names", look_at_names),
    Check("settings.secrets", look_at_secrets),
    Check("settings.addresses", look_at_addresses),
    Check("settings.sharing", look_at_sharing),
    Check("files", look_at_folder),
    Check("database", look_at_database),
    Check("migrations", look_at_migrations),
    Check("redis", look_at_redis),
    Check("plugins", look_at_plugins),
    Check("upstreams", look_at_upstreams),
    Check("disk", look_at_disk),
    Check("system", look_at_system),
    Check("system.confinement", look_at_confinement),
    Check("system.sandbox", look_at_sandbox),
    Check("server", look_at_server),
    Check("jobs", look_at_jobs),
    Check("leases", look_at_leases),
    Check("ledger", look_at_books),
)
