from __future__ import annotations

import pytest
from codeintel_plugins.linters import shellcheck
from codeintel_plugins.linters.shellcheck import SHELLCHECK_RULES, ShellcheckAnalyzer
from hypothesis import HealthCheck, given, settings, strategies as st
from linter_helpers import applied, findings, notes, rules, run, text_at

from codeintel.contracts import Applicability, Fix, Model, Severity
from codeintel.testing import AnalyzerContract

SHELLCHECK = ShellcheckAnalyzer()
BAD = '#!/bin/bash\ncd "$1"\nrm -rf $2/*\nfor f in $(ls); do echo $f; done\n'


class TestShellcheck(AnalyzerContract):
    analyzer = ShellcheckAnalyzer()
    bad_code = BAD
    language = "bash"


def check(code: str, model: Model = Model.FLASH) -> list[str]:
    return rules(run(SHELLCHECK, code, "bash", model))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (BAD, ["SC2164", "SC2086", "SC2115", "SC2045", "SC2086"]),
        ('rm -rf "$1/"\n', ["SC2115"]),
        ('rm -rf "${1:?}/"\n', []),
        ('eval "${a[@]}"\n', ["SC2294", "SC2154"]),
        ('printf "$1"\n', ["SC2059"]),
        ('x=`ls`; echo "$x"\n', []),
        ('#!/bin/sh\n[[ a = "$1" ]]\n', ["SC3010"]),
        ('#!/usr/bin/env bash\n[[ a = "$1" ]]\n', []),
        ('. ./other.sh\nsource "$1"\n', []),
    ],
)
def test_what_flash_finds(code: str, expected: list[str]) -> None:
    assert sorted(check(code)) == sorted(expected)


def test_pro_finds_style_too() -> None:
    code = 'x=`ls`; echo "$x"\n'
    assert check(code, Model.PRO) == ["SC2006"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ranges_and_fixes_fit_tabs_and_wide_characters(end: str) -> None:
    code = f'\techo "é𝄞"\t$1{end}\t\techo 𝄞 $2{end}'
    found = [f for f in findings(run(SHELLCHECK, code, "bash")) if f.rule_id == "SC2086"]
    assert [text_at(each.range, code) for each in found] == ["$1", "$2"]
    assert [each.range.start_line for each in found] == [1, 2]
    fixes = [each.fix for each in found if isinstance(each.fix, Fix)]
    assert applied(fixes[1], code) == '\techo "é𝄞"\t$1\n\t\techo 𝄞 "$2"\n'
    assert applied(fixes[0], code).startswith('\techo "é𝄞"\t"$1"')


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(alphabet="a é𝄞\t", max_size=12))
def test_places_do_not_depend_on_what_stands_before(before: str) -> None:
    code = f": '{before}'; echo $1\n"
    (found,) = findings(run(SHELLCHECK, code, "bash", Model.FLASH))
    assert text_at(found.range, code) == "$1"


@pytest.mark.parametrize(
    ("before", "after", "how"),
    [
        ('x=`ls`; y="$x"; export y\n', 'x=$(ls); y="$x"; export y\n', Applicability.SAFE),
        ("cd /tmp\n", "cd /tmp || exit\n", Applicability.UNSAFE),
    ],
)
def test_a_fix_removes_its_finding(before: str, after: str, how: Applicability) -> None:
    (found,) = findings(run(SHELLCHECK, before, "bash"))
    assert isinstance(found.fix, Fix)
    assert found.fix.applicability is how
    assert applied(found.fix, before) == after
    assert check(after, Model.PRO) == []


@pytest.mark.parametrize(
    "directive",
    [
        "# shellcheck disable=SC2086",
        "  #   shellcheck\tdisable=all # why",
        "# shellcheck shell=dash",
        "# shellcheck enable=all",
        "# shellcheck source=/etc/passwd",
    ],
)
def test_directives_do_not_count(directive: str) -> None:
    assert check(f"{directive}\necho $1\n") == ["SC2086"]


@pytest.mark.parametrize(
    ("code", "place", "message"),
    [
        ("if true; then\n  echo\n", (1, 1), "Couldn't find 'fi' for this 'if'."),
        ('echo "abc\n', (1, 6), "double quoted string"),
        ("cat <<EOF\nfoo\n", (1, 7), "`EOF'"),
        ("echo )\n", (1, 6), "matched up"),
    ],
)
def test_a_syntax_error_is_one_finding(code: str, place: tuple[int, int], message: str) -> None:
    outputs = run(SHELLCHECK, code, "bash")
    (found,) = findings(outputs)
    assert (found.rule_id, found.severity) == ("invalid-syntax", Severity.CRITICAL)
    assert (found.range.start_line, found.range.start_column) == place
    assert message in found.message
    assert "Fix " not in found.message
    assert "syntax error" in notes(outputs)[0]


def test_a_shell_that_it_does_not_know() -> None:
    outputs = run(SHELLCHECK, "#!/usr/bin/env zsh\nprint ${(U)x}\n", "bash")
    assert findings(outputs) == []
    assert "zsh" in notes(outputs)[0]


def test_without_data_flow_where_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shellcheck, "_DATA_FLOW_SECONDS", 0)
    outputs = run(SHELLCHECK, "echo $1\n", "bash")
    assert rules(outputs) == ["SC2086"]
    assert "too large" in notes(outputs)[0]


def test_a_secret_is_not_repeated() -> None:
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    outputs = run(SHELLCHECK, f"if [ {secret} = {secret} ]; then cd {secret}; fi\n", "bash")
    assert findings(outputs)
    assert secret[:12] not in repr(outputs)


def test_rules_are_listed_in_order() -> None:
    assert [rule.id for rule in SHELLCHECK.rules()] == sorted(SHELLCHECK_RULES)
