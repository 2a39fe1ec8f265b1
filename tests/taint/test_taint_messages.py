"""What flows say of the code is plain, short, and no secret."""

from __future__ import annotations

from codeintel_plugins.taint import TaintAnalyzer
from msgspec import UNSET

from codeintel.contracts import AnalyzerRequest, Model, Reported

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def steps(code: str, language: str) -> list[str]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, language, Model.PRO))
    (finding,) = [output.finding for output in outputs if isinstance(output, Reported)]
    assert finding.flow is not UNSET
    return [step.message for step in finding.flow]


def test_a_name_that_is_a_secret_is_not_repeated() -> None:
    messages = steps(f"<?php ${TOKEN} = $_GET['x']; system(${TOKEN});", "php")
    assert len(messages) >= 2
    assert TOKEN[:12] not in " ".join(messages)


def test_characters_that_turn_text_around_are_shown_as_codes() -> None:
    messages = steps("<?php $a\u202eb = $_GET['x']; system($a\u202eb);", "php")
    assert "\u202e" not in " ".join(messages)


def test_long_names_are_cut() -> None:
    name = "a" * 5_000
    messages = steps(f"exec({name}); const {name} = req.query.x; eval({name});", "javascript")
    assert max(map(len, messages)) <= 120
