"""Scan on this machine: the analyzers run in worker processes, without a service or an account."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import gevent

from codeintel.base.confinement.state import UnconfinedError, require
from codeintel.base.version import __version__
from codeintel.cli.scan.cache import LocalResults
from codeintel.cli.scan.runners import Item, ScannedBy
from codeintel.client.repository.discovery import ReadText
from codeintel.contracts import Analyzer, Model, RuleInfo
from codeintel.contracts.scans.records import ExcludedFile, FoundFile
from codeintel.platform.config import SettingError, load_settings
from codeintel.platform.config.load import LoadedSettings
from codeintel.platform.plugins.manager import load_plugins
from codeintel.platform.plugins.registry import DuplicateNameError
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.scans.scanner import PLACES, NoEngineError, Scanner
from codeintel.server.opening import Failure

log = logging.getLogger(__name__)

_OF_THE_SERVICE = frozenset({"DATABASE_URL", "REDIS_URL", "CODEINTEL_INSTANCE"})
_TURN = "scan"


class LocalRunner:
    """Scans files with the analyzers of this installation."""

    def __init__(
        self, scanner: Scanner, results: LocalResults, analyzers: Mapping[str, Analyzer]
    ) -> None:
        self._scanner = scanner
        self._results = results
        self._analyzers = analyzers

    def about(self, model: Model) -> ScannedBy:
        """Return the engine.

        :raises Failure: if no engine can analyze a repository.
        """
        try:
            engine = self._scanner.engine(model)
        except NoEngineError as error:
            raise Failure(str(error)) from None
        return ScannedBy(engine.name, __version__)

    def scan(
        self,
        files: Sequence[FoundFile],
        read: ReadText,
        model: Model,
        left_out: Sequence[ExcludedFile] = (),  # noqa: ARG002 - for services
    ) -> Iterator[Item]:
        """Yield the results of files as soon as they are known. Closing it ends the work."""
        work = ((file, partial(read, file)) for file in files)
        yield from self._scanner.scan(work, model, _TURN)

    def rules(self) -> Mapping[str, Sequence[RuleInfo]]:
        """Return the rules by analyzer, which are loaded when they are first used."""
        return _Rules(self._analyzers)

    def notes(self) -> Iterator[str]:
        """Yield sentences about the scan itself."""
        if self._results.trouble:
            yield f"Results are not cached: {self._results.trouble}."


class _Rules(Mapping[str, Sequence[RuleInfo]]):
    def __init__(self, analyzers: Mapping[str, Analyzer]) -> None:
        self._analyzers = analyzers

    def __getitem__(self, name: str) -> Sequence[RuleInfo]:
        try:
            return tuple(self._analyzers[name].rules())
        except KeyError:
            raise
        except Exception as error:  # noqa: BLE001 - a plugin's
            log.warning("the rules of %r cannot be listed: %s", name, type(error).__name__)
            return ()

    def __iter__(self) -> Iterator[str]:
        return iter(self._analyzers)

    def __len__(self) -> int:
        return len(self._analyzers)


@contextmanager
def local_runner(cache: Path | None, processes: int | None = None) -> Iterator[LocalRunner]:
    """Yield a runner. Its worker processes start with the first file that is not in the cache.

    The settings come from the environment. Plugins of an operator are used only if
    CODEINTEL_INSTANCE names their folder, because the current folder may be another person's
    repository.

    :param cache: the folder of the cache. None for no cache.
    :param processes: the number of concurrent worker processes. Default: one for each CPU.
    :raises Failure: for an invalid setting, and if a required confinement is missing.
    """
    _keep_interruptions_quiet()
    with TemporaryDirectory(prefix="codeintel-scan-") as empty:
        instance = os.environ.get("CODEINTEL_INSTANCE") or empty
        loaded = _settings(instance, processes)
        try:
            loaded, plugins = load_plugins(loaded)
        except (SettingError, DuplicateNameError) as error:
            raise Failure(str(error)) from None
        settings = loaded.settings
        pool = AnalyzerPool(
            settings.analysis_processes, loaded.without_secrets(), settings.instance, PLACES
        )
        results = LocalResults(cache)
        try:
            scanner = Scanner(plugins.registry, pool, results, seconds=settings.run_timeout)
            yield LocalRunner(scanner, results, plugins.registry.analyzers)
        finally:
            pool.stop()
            results.close()


def _keep_interruptions_quiet() -> None:
    """Let Ctrl+C end the scan without a message of gevent, which prints what reaches its hub."""
    hub = gevent.get_hub()
    hub.NOT_ERROR = (*hub.NOT_ERROR, KeyboardInterrupt)


def _settings(instance: str, processes: int | None) -> LoadedSettings:
    environment = {name: value for name, value in os.environ.items() if name not in _OF_THE_SERVICE}
    overrides = {"CODEINTEL_INSTANCE": instance}
    if processes is not None:
        overrides["CODEINTEL_ANALYSIS_PROCESSES"] = str(processes)
    try:
        loaded = load_settings(overrides, environment)
        require(loaded.settings.confinement)
    except (SettingError, UnconfinedError) as error:
        raise Failure(str(error)) from None
    return loaded
