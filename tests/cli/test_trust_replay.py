"""`codeintel trust replay`: the columns next to a snapshot's inputs in the database."""

from __future__ import annotations

import pytest
from trust_cases import FLAWLESS, KIT, SHIPPED, inputs_of

from codeintel.cli.trust.replay import _check_row, _Given, _score_of
from codeintel.server.opening import Failure
from codeintel.trust.scores import encode_inputs, encode_score, hash_of, score
from codeintel.trust.store import Stored

INPUTS = inputs_of(FLAWLESS)
SCORE = score(INPUTS, SHIPPED)
STORED = Stored(
    "snap_1",
    KIT.key,
    1_795_341_600_000,
    SCORE.scorer_version,
    SCORE.inputs_hash,
    encode_inputs(INPUTS).decode(),
    encode_score(SCORE).decode(),
)


def test_an_unchanged_row() -> None:
    _check_row(STORED)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (STORED._replace(package="npm:evil"), "belong to npm:kit, but the row names npm:evil"),
        (STORED._replace(inputs_hash=hash_of(b"")), "do not have the stored hash"),
        (STORED._replace(inputs=STORED.inputs + " "), "do not have the stored hash"),
        (STORED._replace(inputs="{"), "inputs are invalid"),
        (STORED._replace(inputs='{"facts":[]}'), "inputs are invalid"),
    ],
)
def test_a_changed_row(changed: Stored, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A good package's snapshot under the key of another, above all: its answer is that score."""
    with pytest.raises(SystemExit) as ended:
        _check_row(changed)
    assert ended.value.code == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("body", ["", "{", "[]", '{"score":5}'])
def test_a_score_that_is_none(body: str) -> None:
    given = _Given(STORED.inputs.encode(), body.encode(), SHIPPED)
    with pytest.raises(Failure, match="score is invalid"):
        _score_of(given)
