"""What a revision depends on directly, by its manifests, and what the trust network says of it.

Worker processes read the manifests; one that takes too long is passed over and reported. Only names
that nothing says are private go out, each once, and only where the account allows it. It is
background work: it keeps within what upstreams may be asked of in an hour, and counts against
nobody's lookups.
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
from codeintel.platform.workers.text_functions import FILE_CHARACTERS, TextFunction, TextWorkError
from codeintel.platform.workers.text_pool import TextPool
from codeintel.trust.assembly import TrustNetwork
from codeintel.trust.scores import Signal, Status
from codeintel.trust.service import Snapshot, Trust
from codeintel.trust.targets import parse_target
from codeintel.workspaces.checks import in_parts
from codeintel.workspaces.proof.assembling import Dependencies
from codeintel.workspaces.proof.manifests.formats import RUNTIME
from codeintel.workspaces.proof.manifests.reader import is_of_interest, manifests, reading
from codeintel.workspaces.proof.shapes import Dependency, DependencyTrust, Manifest
from codeintel.workspaces.reading import Texts

log = logging.getLogger(__name__)

LIMIT = 200
"""Packages that are asked for."""
AT_ONCE = 4
SECONDS = 300.0
"""For all of them: with what is stored by then, a later analysis gets further."""
CONCERNS = 5
_POOR = 0.3
"""The score of a signal, from 0 to 1, from which on down it is a concern."""
_PAUSE_SECONDS = 1.0

NO_NAME = "No registry has packages of such a name."
TOO_MANY = "There are more packages than are looked up for one report."
NO_TIME = "The time for looking up packages was over; a later analysis goes on."
PRIVATE = "It is private in another place of the workspace."
FAILED = "Looking it up failed."
TIMES_AS_DEAR = 16
"""A character of a manifest costs up to 3 µs: so many times as much as one of other texts."""
TRIES = 3
"""Worker processes for the manifests of one revision: each time without the file at which the one
before was ended."""
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
    """The manifests with what is known of each public dependency, and whether anything was asked.
    Never raises for a package: why nothing is known stands in its `unknown`.

    :param allowed: whether names may be looked up; without it all stays as it is.
    :param limit: the most packages, those that run before those that only develop.
    :param seconds: for all of them.
    :param checkpoint: called about once a second; what it raises stops the work.
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
    """The public packages, each once, and the keys of the private ones. A name that is private
    anywhere is public nowhere."""
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
    """A package as its registry writes it; None where it has no such names."""
    try:
        target = parse_target(f"{ecosystem}:{name}")
    except ServiceError:
        return None
    return target if target.ecosystem == Ecosystem(ecosystem) and not target.version else None


def _looked_up(
    targets: Sequence[Target], trust: Trust, seconds: float, checkpoint: Callable[[], None]
) -> dict[str, DependencyTrust]:
    """What is known of each by its key, as far as the time goes."""
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
            return DependencyTrust(unknown="No registry knows it.")
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
    """What is against it, the worst first: what decides alone, and then signals by the points that
    they cost."""
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


class ManifestPart(msgspec.Struct, frozen=True):
    """Files with their texts. `left_out` are paths that the workspace has beside, `unread` those of
    files that are not to be read."""

    files: list[tuple[str, str]] = []
    left_out: list[str] = []
    unread: list[str] = []


class ManifestStep(msgspec.Struct, frozen=True):
    """What is read now; at last the manifests."""

    path: str = ""
    found: list[Manifest] = []


def steps(parts: Iterable[ManifestPart]) -> Iterator[ManifestStep]:
    """Read the files of all parts together."""
    files: list[tuple[str, str]] = []
    left_out: list[str] = []
    unread: list[str] = []
    for part in parts:
        files += part.files
        left_out += part.left_out
        unread += part.unread
    for step in reading(files, left_out, unread):
        yield ManifestStep(path=step) if isinstance(step, str) else ManifestStep(found=step)


MANIFESTS = TextFunction(
    "manifests", steps, ManifestPart, ManifestStep, seconds=5.0, most_seconds=60.0
)


def read_manifests(
    texts: TextPool, account_id: str, files: Callable[[], Files], left_out: Iterable[str], size: int
) -> list[Manifest]:
    """The manifests among some files, as
    :func:`codeintel.workspaces.proof.manifests.reader.manifests` has them. Of a file that takes too
    long its `problem` says so, and if it may configure a registry, all names are taken to be
    private: nothing is looked up that it might have hidden.

    :param files: gives path and text of those that are of interest; it may be asked again.
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
    # Nothing more is tried: by their names alone they can be told of.
    return manifests(files(), left_out, [path for path, _ in files()])


def _parts(files: Files, left_out: list[str], unread: list[str]) -> Iterator[ManifestPart]:
    yield ManifestPart(left_out=left_out, unread=unread)
    for some in in_parts(files):
        yield ManifestPart(files=some)


class DependencyReader:
    """Reads manifests and, where the account allows it, asks the trust network."""

    def __init__(self, trust: TrustNetwork, workers: TextPool) -> None:
        self._trust = trust
        self._workers = workers

    def read(
        self, account_id: str, texts: Texts, left_out: Iterable[str], allowed: bool
    ) -> Dependencies:
        """The dependencies of a revision. May take minutes, in which others run.

        :param texts: of all its files.
        :param left_out: paths of those that are not stored.
        :param allowed: whether names may be looked up.
        """
        paths = [path for path in letting_others_run(sorted(texts)) if is_of_interest(path)]
        size = sum(texts.size(path) + FILE_CHARACTERS for path in paths)

        def files() -> Iterator[tuple[str, str]]:
            return ((path, texts[path]) for path in paths)

        read = read_manifests(self._workers, account_id, files, left_out, size)
        found, asked = with_trust(read, self._trust.snapshots, allowed)
        return Dependencies(tuple(found), asked)
