"""`codeintel trust replay`: compute a score again from its inputs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import click
import msgspec

from codeintel.base.wording import counted
from codeintel.cli.instance import look_at_app, open_services
from codeintel.cli.output import write_line
from codeintel.server.opening import Failure, services_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codeintel.contracts import Scorer
    from codeintel.trust.scores import Score
    from codeintel.trust.store import Stored

EXIT_DIFFERENT = 1


class _Given(NamedTuple):
    """The inputs and the score to replay, as canonical JSON."""

    inputs: bytes
    score: bytes
    scorers: Sequence[Scorer]


@click.command(short_help="Compute a score again from its inputs.")
@click.argument("snapshot")
def replay(snapshot: str) -> None:
    """Compute the score of SNAPSHOT again from its inputs and compare both byte by byte.

    SNAPSHOT is the id of a stored snapshot, or a file with the output of `codeintel trust explain
    --json`.

    \b
    Exit status:
      0    the scores are equal
      1    the scores differ
      2    the score could not be computed
    """
    from codeintel.trust import scores

    given = _of_file(Path(snapshot)) if Path(snapshot).is_file() else _stored(snapshot)
    told = _score_of(given)
    version = scores.scorer_version(given.scorers)
    if told.scorer_version != version:
        raise Failure(
            f"The snapshot was scored by version {told.scorer_version}. This installation has "
            f"version {version} with different signals or weights. Replay it where it was created."
        )
    inputs_hash = scores.hash_of(given.inputs)
    if inputs_hash != told.inputs_hash:
        _differs(f"The inputs have the hash {inputs_hash}. The score names {told.inputs_hash}.")
    again = scores.score(scores.decode_inputs(given.inputs), given.scorers)
    encoded = scores.encode_score(again)
    if encoded != given.score:
        pairs = zip(told.signals, again.signals, strict=False)
        other = next((a.id for a, b in pairs if a != b), "the sum")
        _differs(
            f"The scores differ: {told.score:g} is stored, {again.score:g} is computed. The first "
            f"difference is in {other}. Either the snapshot changed, or the formula of a plugin "
            "changed without a new `version`."
        )
    write_line(
        f"Equal: {again.target.key} scores {again.score:.1f} of 100 with scorer {version}. "
        f"{counted(len(encoded), 'byte')}, SHA-256 {scores.hash_of(encoded)}."
    )


def _score_of(given: _Given) -> Score:
    from codeintel.trust import scores

    try:
        return scores.decode_score(given.score)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Failure(f"The stored score is invalid: {error}.") from None


def _differs(message: str) -> NoReturn:
    write_line(message)
    sys.exit(EXIT_DIFFERENT)


def _stored(snapshot_id: str) -> _Given:
    with open_services() as services:
        found = services.trust.store.find(snapshot_id)
        if found is None:
            raise Failure(
                f"There is no snapshot or file {snapshot_id}. Run `codeintel trust explain` to see "
                "the snapshot of a package. The newest 50 snapshots of each package are kept."
            )
        _check_row(found)
        scorers = services.trust.snapshots.scorers
        return _Given(found.inputs.encode(), found.body.encode(), scorers)


def _check_row(found: Stored) -> None:
    """Check that the row's columns match its stored inputs, because readers trust the columns."""
    from codeintel.trust.scores import hash_of

    try:
        package = found.read_inputs().target.key
    except (msgspec.MsgspecError, ValueError) as error:
        _differs(f"The stored inputs are invalid: {error}.")
    if package != found.package:
        _differs(f"The inputs belong to {package}, but the row names {found.package}.")
    if hash_of(found.inputs.encode()) != found.inputs_hash:
        _differs(f"The inputs do not have the stored hash {found.inputs_hash}.")


def _of_file(path: Path) -> _Given:
    """Read a file of `codeintel trust explain --json` into canonical form."""
    from codeintel.trust.scores import Explained, encode_inputs, encode_score

    try:
        document = msgspec.json.decode(path.read_bytes(), type=Explained)
    except (OSError, msgspec.MsgspecError, ValueError) as error:
        raise Failure(
            f"{path} is not the output of `codeintel trust explain --json`: {error}."
        ) from None
    with look_at_app(at_plugins=False) as app:
        scorers = services_of(app).trust.snapshots.scorers
    return _Given(encode_inputs(document.inputs), encode_score(document.score), scorers)
