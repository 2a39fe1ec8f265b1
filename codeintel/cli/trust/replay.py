"""`codeintel trust replay`: a score worked out again from what it was made of."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import click
import msgspec

from codeintel.cli.common import look_at_app, open_services, write_line
from codeintel.server.opening import Failure, services_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codeintel.contracts import Scorer
    from codeintel.trust.scores import Score
    from codeintel.trust.store import Stored

EXIT_DIFFERENT = 1


class _Given(NamedTuple):
    """What is replayed: both as canonical JSON."""

    inputs: bytes
    score: bytes
    scorers: Sequence[Scorer]


@click.command(short_help="Prove that a score follows from its inputs.")
@click.argument("snapshot")
def replay(snapshot: str) -> None:
    """Work out the score of SNAPSHOT again, from its inputs alone, and compare byte by byte.
    SNAPSHOT is the id of a stored one, or a file that `codeintel trust explain --json` has written.

    \b
    Exit status:
      0    every byte is the same
      1    it is not, which the output shows
      2    it cannot be replayed
    """
    from codeintel.trust import scores

    given = _of_file(Path(snapshot)) if Path(snapshot).is_file() else _stored(snapshot)
    told = _score_of(given)
    version = scores.scorer_version(given.scorers)
    if told.scorer_version != version:
        raise Failure(
            f"The snapshot was scored by version {told.scorer_version}; this installation has "
            f"{version}, with other signals or weights. Replay it where it was made."
        )
    inputs_hash = scores.hash_of(given.inputs)
    if inputs_hash != told.inputs_hash:
        _differs(f"The inputs have the hash {inputs_hash}; the score names {told.inputs_hash}.")
    again = scores.score(scores.decode_inputs(given.inputs), given.scorers)
    encoded = scores.encode_score(again)
    if encoded != given.score:
        pairs = zip(told.signals, again.signals, strict=False)
        other = next((a.id for a, b in pairs if a != b), "the sum")
        _differs(
            f"It differs: {told.score:g} was stored, {again.score:g} follows; first: {other}. "
            "Either the snapshot was changed, or a plugin's formula was, without a new `version`."
        )
    write_line(
        f"Equal: {len(encoded):,} bytes, SHA-256 {scores.hash_of(encoded)}, "
        f"{again.target.key} {again.score:g} of 100 by scorer {version}"
    )


def _score_of(given: _Given) -> Score:
    from codeintel.trust import scores

    try:
        return scores.decode_score(given.score)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Failure(f"What is stored is no score: {error}.") from None


def _differs(message: str) -> NoReturn:
    write_line(message)
    sys.exit(EXIT_DIFFERENT)


def _stored(snapshot_id: str) -> _Given:
    with open_services() as services:
        found = services.trust.store.find(snapshot_id)
        if found is None:
            raise Failure(
                f"There is no snapshot {snapshot_id} and no such file. `codeintel trust explain` "
                "tells a package's; of each the newest 50 are kept."
            )
        _check_row(found)
        scorers = services.trust.snapshots.scorers
        return _Given(found.inputs.encode(), found.body.encode(), scorers)


def _check_row(found: Stored) -> None:
    """What stands beside the inputs in the row has to be what stands in them: readers go by it."""
    from codeintel.trust.scores import hash_of

    try:
        package = found.read_inputs().target.key
    except (msgspec.MsgspecError, ValueError) as error:
        _differs(f"What is stored are no inputs: {error}.")
    if package != found.package:
        _differs(f"The inputs are of {package}; it is stored as that of {found.package}.")
    if hash_of(found.inputs.encode()) != found.inputs_hash:
        _differs(f"The inputs do not have the hash {found.inputs_hash} that is stored with them.")


def _of_file(path: Path) -> _Given:
    """The document in canonical form: what stands around and between its parts says nothing."""
    from codeintel.trust.scores import Explained, encode_inputs, encode_score

    try:
        document = msgspec.json.decode(path.read_bytes(), type=Explained)
    except (OSError, msgspec.MsgspecError, ValueError) as error:
        raise Failure(
            f"{path} is no snapshot of `codeintel trust explain --json`: {error}."
        ) from None
    with look_at_app(at_plugins=False) as app:
        scorers = services_of(app).trust.snapshots.scorers
    return _Given(encode_inputs(document.inputs), encode_score(document.score), scorers)
