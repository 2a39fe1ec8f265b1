"""What the trust network says of the packages that manifests name.

Only names that nothing says are private go out, each once, and only where the account allows it.
It is background work: it keeps within what upstreams may be asked of in an hour, and counts against
nobody's lookups.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence

import msgspec
from gevent.pool import Pool
from msgspec import UNSET

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging.setup import describe
from codeintel.contracts import Ecosystem, Target
from codeintel.trust.scores import Signal, Status
from codeintel.trust.service import Snapshot, Trust
from codeintel.trust.targets import parse_target
from codeintel.workspaces.proof.formats.parts import RUNTIME
from codeintel.workspaces.proof.shapes import Dependency, DependencyTrust, Manifest

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
