"""The direct dependencies of a revision, by its manifests, and their trust.

Worker processes read the manifests. A manifest that takes too long is skipped and reported. Names
leave the service only if they are not known as private, each once, and only if the account allows
it. As background work, lookups respect the hourly limits of upstreams, and do not count against an
account's lookups.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from gevent.pool import Pool
from msgspec import UNSET

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import letting_others_run
from codeintel.base.logging import describe
from codeintel.contracts import Ecosystem, Target
from codeintel.platform.workers.text_functions import FILE_CHARACTERS, TextWorkError
from codeintel.platform.workers.text_pool import TextPool
from codeintel.trust.assembly import TrustNetwork
from codeintel.trust.scores import Signal, Status
from codeintel.trust.service import Snapshot, Trust
from codeintel.trust.targets import parse_target
from codeintel.workspaces.proof.assembling import Dependencies
from codeintel.workspaces.proof.manifests.formats import RUNTIME
from codeintel.workspaces.proof.manifests.function import MANIFESTS, ManifestPart
from codeintel.workspaces.proof.manifests.reader import is_of_interest, manifests
from codeintel.workspaces.proof.shapes import Dependency, DependencyTrust, Manifest
from codeintel.workspaces.reading import Texts
from codeintel.workspaces.secret_scan import in_parts

log = logging.getLogger(__name__)

LIMIT = 200
"""Maximum number of packages that are looked up."""
AT_ONCE = 4
SECONDS = 300.0
"""Time limit for all packages. Stored results let a later analysis get further."""
CONCERNS = 5
_POOR = 0.3
"""Score of a signal, from 0 to 1, up to which the signal is a concern."""
_PAUSE_SECONDS = 1.0

NO_NAME = "No registry allows this name."
TOO_MANY = "The report's limit of package lookups was reached."
NO_TIME = "The time for looking up packages was over; a later analysis goes on."
PRIVATE = "Another file of the workspace marks it as private."
FAILED = "The lookup failed."
TIMES_AS_DEAR = 16
"""Cost of a character in a manifest, up to 3 µs, compared with other texts."""
TRIES = 3
"""Worker processes for the manifests of one revision.

Each new one skips the file at which the previous one was stopped.
"""
Files = Iterable[tuple[str, str]]


def with_trust(
    manifests: Sequence[Manifest],
    trust: Trust,
    allowed: bool,
    limit: int = LIMIT,
    *,
    seconds: float = SECONDS,
    checkpoint: Callable[[], None] = lambda: None,
) -> tuple[list[Manifest], bool]:
    """Return the manifests with the trust of each public dependency, and whether anything was
    looked up.

    Packages never cause an error. The field `unknown` has the reason for missing trust.

    :param allowed: whether names may be looked up; otherwise the manifests are unchanged.
    :param limit: maximum number of packages, runtime dependencies before development ones.
    :param seconds: time limit for all of them.
    :param checkpoint: called about once a second; its exceptions stop the work.
    """
    if not allowed:
        return list(manifests), False
    targets, private = _targets(manifests)
    chosen = targets[:limit]
    found = _looked_up(chosen, trust, seconds, checkpoint)
    found |= {key: DependencyTrust(unknown=PRIVATE) for key in private}

    def told(ecosystem: str, dependency: Dependency) -> Dependency:
        if dependency.private is not UNSET:
            return dependency
        target = _target(ecosystem, dependency.name)
        if target is None:
            known = DependencyTrust(unknown=NO_NAME)
        else:
            known = found.get(target.key) or DependencyTrust(unknown=TOO_MANY)
        return msgspec.structs.replace(dependency, trust=known)

    return [
        msgspec.structs.replace(
            manifest,
            dependencies=tuple(told(manifest.ecosystem, each) for each in manifest.dependencies),
        )
        for manifest in manifests
    ], bool(chosen)


def _targets(manifests: Iterable[Manifest]) -> tuple[list[Target], set[str]]:
    """Return the public packages, each once, and the keys of the private ones.

    A name that is private in one manifest is private in all.
    """
    public: list[tuple[bool, Target]] = []
    private = set[str]()
    for manifest in manifests:
        for each in manifest.dependencies:
            target = _target(manifest.ecosystem, each.name)
            if target is None:
                continue
            if each.private is UNSET:
                public.append((each.group != RUNTIME, target))
            else:
                private.add(target.key)
    public.sort(key=lambda entry: entry[0])
    targets = {target.key: target for _, target in public if target.key not in private}
    return list(targets.values()), private


def _target(ecosystem: str, name: str) -> Target | None:
    """Return a package in the registry's spelling, or None if the registry does not allow the
    name.
    """
    try:
        target = parse_target(f"{ecosystem}:{name}")
    except ServiceError:
        return None
    return target if target.ecosystem == Ecosystem(ecosystem) and not target.version else None


def _looked_up(
    targets: Sequence[Target], trust: Trust, seconds: float, checkpoint: Callable[[], None]
) -> dict[str, DependencyTrust]:
    """Return the trust of each package by its key, as far as the time allows."""
    found: dict[str, DependencyTrust] = {}
    ends = time.monotonic() + seconds
    waiting = iter(targets)

    def work() -> None:
        for target in waiting:
            if time.monotonic() >= ends:
                return
            found[target.key] = _known(trust, target)

    workers = Pool(AT_ONCE)
    try:
        for _ in range(AT_ONCE):
            workers.spawn(work)
        while not workers.join(min(_PAUSE_SECONDS, max(0.0, ends - time.monotonic()))):
            checkpoint()
            if time.monotonic() >= ends:
                break
    finally:
        workers.kill(block=False)
    late = DependencyTrust(unknown=NO_TIME)
    return {target.key: found.get(target.key, late) for target in targets}


def _known(trust: Trust, target: Target) -> DependencyTrust:
    try:
        return _verdict(trust.patient_snapshot(target))
    except ServiceError as error:
        if error.code is ErrorCode.NOT_FOUND:
            return DependencyTrust(unknown="No registry has this package.")
        return DependencyTrust(unknown=error.message)
    except Exception as error:  # noqa: BLE001 - of one package, and the others go on
        log.error("looking up a dependency failed: %s", describe(error))
        return DependencyTrust(unknown=FAILED)


def _verdict(snapshot: Snapshot) -> DependencyTrust:
    score = snapshot.score
    return DependencyTrust(
        score=score.score,
        low=score.low,
        high=score.high,
        concerns=tuple(_concerns(snapshot))[:CONCERNS],
    )


def _concerns(snapshot: Snapshot) -> Iterable[str]:
    """Return the concerns about a package, the worst first.

    A signal that decides alone comes first, then signals by their lost points.
    """
    score = snapshot.score
    poor = [each for each in score.signals if _is_poor(each) and each.id != score.settled_by]
    poor.sort(key=lambda signal: signal.contribution - signal.weight)
    yield from (_told(each) for each in score.signals if each.id == score.settled_by)
    yield from (_told(each) for each in poor)


def _is_poor(signal: Signal) -> bool:
    is_known = signal.status in {Status.MEASURED, Status.STALE}
    return is_known and signal.score is not None and signal.score <= _POOR


def _told(signal: Signal) -> str:
    return f"{signal.title}: {signal.note}" if signal.note else signal.title


def read_manifests(
    texts: TextPool, account_id: str, files: Callable[[], Files], left_out: Iterable[str], size: int
) -> list[Manifest]:
    """Return the manifests among some files, as
    :func:`codeintel.workspaces.proof.manifests.reader.manifests` does.

    A file that takes too long has a `problem`. If it may configure a registry, all names count as
    private, so that no hidden name is looked up.

    :param files: returns path and text of the relevant files; it may be called again.
    :param size: characters of all of them.
    """
    left_out, unread = list(left_out), list[str]()
    size *= TIMES_AS_DEAR
    for _ in range(TRIES):
        path = ""
        try:
            for step in texts.run(account_id, MANIFESTS, _parts(files(), left_out, unread), size):
                path = step.path
            return step.found
        except TextWorkError as error:
            if not path:
                break
            log.warning("a manifest was not read: %s", error or "it took too long")
            unread.append(path)
    # No further try. The file names alone are enough for a report.
    return manifests(files(), left_out, [path for path, _ in files()])


def _parts(files: Files, left_out: list[str], unread: list[str]) -> Iterator[ManifestPart]:
    yield ManifestPart(left_out=left_out, unread=unread)
    for some in in_parts(files):
        yield ManifestPart(files=some)


class DependencyReader:
    """Reads manifests and, if the account allows it, queries the trust network."""

    def __init__(self, trust: TrustNetwork, workers: TextPool) -> None:
        self._trust = trust
        self._workers = workers

    def read(
        self, account_id: str, texts: Texts, left_out: Iterable[str], allowed: bool
    ) -> Dependencies:
        """Return the dependencies of a revision. This may take minutes, in which other greenlets
        run.

        :param texts: of all its files.
        :param left_out: paths of files that are not stored.
        :param allowed: whether names may be looked up.
        """
        paths = [path for path in letting_others_run(sorted(texts)) if is_of_interest(path)]
        size = sum(texts.size(path) + FILE_CHARACTERS for path in paths)

        def files() -> Iterator[tuple[str, str]]:
            return ((path, texts[path]) for path in paths)

        read = read_manifests(self._workers, account_id, files, left_out, size)
        found, asked = with_trust(read, self._trust.snapshots, allowed)
        return Dependencies(tuple(found), asked)
