from __future__ import annotations

import pytest
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer
from codeintel_plugins.redaction import Redactor, plain
from codeintel_plugins.toolkit.positions import ToolSource
from msgspec import UNSET
from msgspec.structs import replace
from static_helpers import finding, findings, rules, run

from codeintel.contracts import Applicability, Edit, Fix, Model, Range

VALUE = "Tr0ub4dor&3x!"
CODE = f'password = "{VALUE}"\nimport os\n'
REDACTOR = Redactor(ToolSource(CODE))
ELSEWHERE, ON_THE_SECRET = Range(2, 1, 3, 1), Range(1, 1, 1, 20)


def with_fix(content: str, place: Range = ELSEWHERE, message: str = "Do it") -> Fix:
    return Fix(message, Applicability.SAFE, (Edit(place, content),))


@pytest.mark.parametrize("quoted", [VALUE, VALUE[:8], VALUE[3:], f"x{VALUE}y"])
def test_a_message_that_quotes_any_part_is_replaced(quoted: str) -> None:
    redacted = REDACTOR.redact(finding("SIM999", message=f"Use `a` instead of `{quoted}`"))
    assert redacted.message == "SIM999 applies here; its message would quote a secret."


def test_a_message_without_secrets_is_kept() -> None:
    redacted = REDACTOR.redact(finding("F401", message="`os` imported but unused"))
    assert redacted.message == "`os` imported but unused"


@pytest.mark.parametrize("letter", "SB")
@pytest.mark.parametrize("number", ["105", "106", "107"])
def test_messages_about_literals_are_our_own(letter: str, number: str) -> None:
    said = finding(f"{letter}{number}", message='Possible hardcoded password: "abc"')
    redacted = REDACTOR.redact(replace(said, fix=with_fix("abc")))
    assert "abc" not in redacted.message
    assert redacted.fix is UNSET


@pytest.mark.parametrize(
    ("fix", "kept"),
    [
        (with_fix(""), True),
        (with_fix("import sys\n"), True),
        (with_fix("", ON_THE_SECRET), True),
        (with_fix(f"x = '{VALUE}'"), False),
        (with_fix(f"x = '{VALUE[2:11]}'"), False),
        (with_fix("x = 'Tr0ub' '4dor&3x!'", ON_THE_SECRET), False),
        (with_fix("", message=f"Replace `{VALUE}`"), False),
    ],
)
def test_a_fix_that_repeats_a_secret_is_dropped(fix: Fix, kept: bool) -> None:
    redacted = REDACTOR.redact(replace(finding("UP999"), fix=fix))
    assert (redacted.fix is not UNSET) is kept


def test_messages_are_plain_and_short() -> None:
    assert plain("a\x00b\u202ec\nd") == "a\\u0000b\\u202ec\\u000ad"
    assert len(plain("x" * 1_000)) == 500


def test_the_tools_never_tell_a_value() -> None:
    code = (
        f'import os\npassword = "%s" % "{VALUE}"\nopen("{VALUE}").read()\n'
        f'token = "".join(["{VALUE}", "{VALUE}"])\nconnect(password="{VALUE}")\n'
        f'def f(password="{VALUE}"):\n    return {{"{VALUE}": 1, "{VALUE}": 2}}\n'
        f'getattr(f, "Tr0ub4dor_3x")\nprint("{{}}".format("{VALUE}"))\n"{VALUE}" is f\n'
    )
    ruff = run(RuffAnalyzer(), code, model=Model.PRO)
    bandit = run(BanditAnalyzer(), code)
    assert rules(ruff) >= {"F601", "F632"}
    for found in [*findings(ruff), *findings(bandit)]:
        assert VALUE not in str(found)
        assert VALUE[:8] not in found.message
