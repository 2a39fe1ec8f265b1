"""`codeintel trust replay`: a snapshot proven, or what is wrong with it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from trust_cli import Document, failed, run


def replay(document: Any, path: Path = Path("snapshot.json")) -> Result:
    path.write_text(document if isinstance(document, str) else json.dumps(document, indent=1))
    return run("replay", str(path))


def test_replay(document: Document) -> None:
    """Check a file as printed, a reformatted file, and the stored data."""
    Path("printed.json").write_text(run("explain", "kit2", "--json").stdout)
    backwards = json.loads(
        json.dumps(document), object_pairs_hook=lambda pairs: dict(reversed(pairs))
    )
    results = [
        run("replay", "printed.json"),
        replay(document),
        replay(backwards),
        replay({**document, "note": "mine"}),
        run("replay", document["id"]),
    ]
    for result in results:
        assert result.exit_code == 0, result.output
        assert result.stdout == results[0].stdout
    score = document["score"]
    assert re.match(r"Equal: npm:kit2 scores [\d.]+ of 100 ", results[0].stdout)
    assert f"with scorer {score['scorerVersion']}. " in results[0].stdout


def at(document: Document, id_: str) -> Document:
    found: Document = next(each for each in document["score"]["signals"] if each["id"] == id_)
    return found


def test_a_changed_score(document: Document) -> None:
    for id_, key, value in (
        ("license", "contribution", 4.5),
        ("age", "value", 9_999),
        ("maintainers", "note", "Trust me."),
        ("lookalike-name", "evidenceUrl", "https://example.test/"),
    ):
        changed = json.loads(json.dumps(document))
        at(changed, id_)[key] = value
        result = replay(changed)
        assert result.exit_code == 1
        assert (
            f"difference is in {id_}. Either the snapshot changed, or the formula of a plugin"
            in result.stdout
        )
        assert "without a new `version`." in result.stdout
    document["score"]["score"] += 1
    result = replay(document)
    assert result.exit_code == 1 and "difference is in the sum." in result.stdout


def test_changed_inputs(document: Document) -> None:
    """Check that the hash differs. If the hash was changed as well, check that the score
    differs."""
    facts = document["inputs"]["facts"]
    next(each for each in facts if each["name"] == "maintainers")["value"].pop()
    result = replay(document)
    assert result.exit_code == 1
    assert f"The score names {document['score']['inputsHash']}" in result.stdout
    named = re.search(r"have the hash ([0-9a-f]{64})", result.stdout)
    assert named is not None
    document["score"]["inputsHash"] = named[1]
    result = replay(document)
    assert result.exit_code == 1 and "difference is in maintainers." in result.stdout


def test_other_scorers(document: Document) -> None:
    document["score"]["scorerVersion"] = "1-000000000000"
    failed(replay(document), "was scored by version 1-000000000000. This installation has")


@pytest.mark.parametrize("content", ["", "[]", "{}", "{", '{"inputs": {}, "score": {}}', "\x00"])
def test_what_is_no_snapshot(content: str) -> None:
    failed(replay(content), "snapshot.json is not the output of `codeintel trust explain --json`")


def test_what_is_not_stored() -> None:
    failed(run("replay", "snap_none"), "There is no snapshot or file snap_none.")
