"""`.codeintel.toml`, the environment and options."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from scan_samples import finding

from codeintel.cli.scan.policy import ProjectError, load_project
from codeintel.cli.scan.policy.key_lines import key_lines
from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.policy.settings import FailOn, Switch, switch_of
from codeintel.contracts import Confidence, RuleRef, Severity

WHOLE = """
include = ["src/", "lib/*.py"]
exclude = ["**/fixtures/"]
model = "pro"
severity = "low"
confidence = "low"
fail-on = "critical"
honor-suppressions = true
base = "main"
baseline = "known.jsonl"

[rules]
"python/*" = "off"
"python/eval" = "critical"

[languages.py]
files = ["*.pyx"]
severity = "medium"

[languages.ruby]
enabled = false

[[override]]
paths = ["tests/"]
fail-on = "none"
rules = { "CWE-798" = "off" }

[[suppress]]
rule = "python/exec"
paths = ["a.py"]
reason = "Only run by hand."
until = 2027-01-31
owner = "team"
"""

# What the message has to contain, and the text that causes it.
INVALID = [
    ('fail-on = "huge"', ".codeintel.toml:1: fail-on", '"huge" is not one of critical, high, '),
    ('model = "pr"', ".codeintel.toml:1: model", 'is not one of flash, pro. Did you mean "pro"?'),
    ('\n\nfial-on = "high"', ".codeintel.toml:3:", 'Did you mean "fail-on"?'),
    ("a = [1,\n2\nb = 3", ".codeintel.toml:3:", "Unclosed array"),
    (
        '[rules]\n"a" = "on"\n"b" = "loud"',
        ".codeintel.toml:3: rules.b",
        '"loud" is not one of on, off, ',
    ),
    ('[languages.python]\n# x\nseverty = "low"', ".codeintel.toml:3:", '"severity"'),
    ('[languages.python]\nseverity = "no"', ".codeintel.toml:2:", '"no" is not one of critical, '),
    ('[languages.python.rules]\n"a" = "of"', "languages.python.rules", 'Did you mean "off"?'),
    (
        '[[suppress]]\nrule = "a"\nreason = "b"\n[[suppress]]\nrule = "c"',
        ":4: suppress.1",
        "reason",
    ),
    ('[[suppress]]\nreason = "b"', ":1:", "needs `rule`, `paths` or `fingerprint`"),
    ('[[suppress]]\nrule = "a"\nreason = "b"\nuntil = "soon"', ":4: suppress.0.until", "date"),
    ("[[override]]\npaths = []", ":2: override.0.paths", "length >= 1"),
    ('include = [\n  "a",\n  3,\n]', ":1: include", "str"),
    ('\nbaseline = "/etc/passwd"', ":2: baseline", "relative path"),
    ('baseline = "a/../../b"', ":1: baseline", "relative path"),
    ('\nexclude = ["a", "!"]', ":2: exclude", "'!' is not a valid pattern"),
    ("include = ['a', 'b\\']", ":1: include", "is not a valid pattern"),
    ('[[override]]\npaths = ["[z-a]"]', ":2: override.0.paths", "'[z-a]' is not a valid pattern"),
    ('exclude = ["[abc"]', ":1: exclude", "'[abc' matches no path"),
    ('[languages.python]\nfiles = ["!"]', ":2: languages.python.files", "not a valid pattern"),
    ('\n[languages.pythonn]\nfiles = ["*.x"]', ":2: unknown language", 'Did you mean "python"?'),
    ("[languages.nosuchthing]\nenabled = false", ":1: unknown language", '"nosuchthing"'),
    ("[languages.python]\n[languages.py]\n", ":2:", "another name of python"),
    ("include = " + "[" * 5_000, ".codeintel.toml:", "nested too deeply"),
    ("include = " + "9" * 5_000, ".codeintel.toml:", "too long"),
    ("fail-on = 0x" + "f" * 5_000, ".codeintel.toml:1: fail-on", "Expected"),
    ('\nbase = "a\\u0000b"', ":2: base", "control character"),
    ('baseline = "a\\u000Ab"', ":1: baseline", "control character"),
    ('model = "pro"\nmodel = "flash"', ":2:", "Cannot overwrite a value"),
]


def test_all_settings_are_read(tmp_path: Path) -> None:
    (tmp_path / ".codeintel.toml").write_text(WHOLE)
    config = load_project(tmp_path, environment={})
    assert (config.fail_on, config.base, config.baseline) == (
        Severity.CRITICAL,
        "main",
        "known.jsonl",
    )
    assert config.file.rules == {"python/*": Switch.OFF, "python/eval": Switch.CRITICAL}
    assert config.file.suppress[0].reason == "Only run by hand."
    assert config.language_of("a/b.pyx") == "python"
    assert not config.is_enabled("ruby")
    assert config.is_enabled("python")
    assert config.origins["fail-on"] == ".codeintel.toml:7"
    assert config.origins["suppress"] == ".codeintel.toml:28"


@pytest.mark.parametrize(
    ("path", "is_selected"),
    [
        ("src/a.py", True),
        ("src/deep/a.py", True),
        ("lib/a.py", True),
        ("lib/deep/a.py", False),
        ("other.py", False),
        ("src/fixtures/a.py", False),
    ],
)
def test_include_and_exclude(path: str, is_selected: bool, tmp_path: Path) -> None:
    (tmp_path / ".codeintel.toml").write_text(WHOLE)
    assert load_project(tmp_path, environment={}).selects(path) is is_selected


def test_a_plugin_can_have_a_language_with_its_files() -> None:
    file = parse('[languages.zzyzx]\nfiles = ["*.zz"]\n')
    assert set(file.languages) == {"zzyzx"}


@pytest.mark.parametrize(
    ("rules", "switch"),
    [
        ({"ruff:*": Switch.OFF}, Switch.ON),
        ({"S102": Switch.OFF}, Switch.ON),
        ({"ruff:*": Switch.OFF, "python/*": Switch.OFF}, Switch.OFF),
        ({"python/*": Switch.OFF}, Switch.ON),
        ({"CWE-95": Switch.OFF}, Switch.OFF),
        ({"*": Switch.OFF}, Switch.OFF),
        ({"*": Switch.OFF, "ruff:S102": Switch.LOW}, Switch.LOW),
        ({"python/eval": Switch.HIGH, "S102": Switch.LOW}, Switch.LOW),
        ({"S102": Switch.LOW, "python/eval": Switch.HIGH}, Switch.HIGH),
        ({"python/eval": Switch.HIGH, "S102": Switch.OFF}, Switch.HIGH),
    ],
)
def test_a_finding_of_several_rules_is_off_if_all_are(
    rules: dict[str, Switch], switch: Switch
) -> None:
    found = finding("python/eval", also=(RuleRef("S102", "ruff"),))
    assert switch_of(found, rules) is switch


LINES = '''# a = 1
"b c" = """
d = 1
""\\""""""
e = [ # [
  "]", { f = 1, g = [[]] },
]
h.'i.j' = 1
[k]
l = {m = 1}
"\\u006E" = ""
[[o]]
p = 1
[o.q]
r = 1
[[o]]
p = 2
[o.q]
r = 2'''


def test_lines_of_keys() -> None:
    tomllib.loads(LINES)
    assert key_lines(LINES) == {
        ("b c",): 2,
        ("e",): 5,
        ("h",): 8,
        ("h", "i.j"): 8,
        ("k",): 9,
        ("k", "l"): 10,
        ("k", "n"): 11,
        ("o",): 12,
        ("o", 0): 12,
        ("o", 0, "p"): 13,
        ("o", 0, "q"): 14,
        ("o", 0, "q", "r"): 15,
        ("o", 1): 16,
        ("o", 1, "p"): 17,
        ("o", 1, "q"): 18,
        ("o", 1, "q", "r"): 19,
    }


def test_a_long_file_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed, whole = [], tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda text: parsed.append(text) or whole(text))
    text = "include = [\n" + "  'include', # rules\n" * 2_000 + "]\n[rules]\n'a' = 'loud'\n"
    with pytest.raises(ProjectError, match=r":2004: rules\.a"):
        parse(text)
    assert len(parsed) == 1


def test_control_characters_in_variables_and_options_are_rejected(tmp_path: Path) -> None:
    for name in ("base", "baseline"):
        variable = f"CODEINTEL_SCAN_{name.upper()}"
        with pytest.raises(ProjectError, match=f"{variable}: a control character"):
            load_project(tmp_path, environment={variable: "a\nb"})
        with pytest.raises(ProjectError, match=f"--{name}: a control character"):
            load_project(tmp_path, {name: "a\0b"}, {})


def test_later_layers_take_precedence(tmp_path: Path) -> None:
    (tmp_path / ".codeintel.toml").write_text('fail-on = "low"\nseverity = "low"\nbase = "a"\n')
    environment = {"CODEINTEL_SCAN_SEVERITY": "medium", "CODEINTEL_SCAN_BASE": "b"}
    config = load_project(tmp_path, {"base": "c", "model": None}, environment)
    assert config.file.fail_on is FailOn.LOW
    assert config.file.severity is Severity.MEDIUM
    assert config.base == "c"
    assert dict(config.origins) == {
        "fail-on": ".codeintel.toml:1",
        "severity": "CODEINTEL_SCAN_SEVERITY",
        "base": "--base",
    }


def test_the_environment_is_validated(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="CODEINTEL_SCAN_FAIL_ON: 'often'"):
        load_project(tmp_path, environment={"CODEINTEL_SCAN_FAIL_ON": "often"})
    honoring = load_project(tmp_path, environment={"CODEINTEL_SCAN_HONOR_SUPPRESSIONS": "1"})
    assert honoring.file.honor_suppressions


def test_defaults_need_no_file(tmp_path: Path) -> None:
    config = load_project(tmp_path, environment={})
    assert config.fail_on is Severity.HIGH
    assert config.file.confidence is Confidence.MEDIUM
    assert config.selects("anything.py")
    assert not config.origins


@pytest.mark.parametrize(("text", "place", "told"), INVALID)
def test_errors_name_the_line(text: str, place: str, told: str) -> None:
    with pytest.raises(ProjectError) as caught:
        parse(text)
    assert place in str(caught.value)
    assert told in str(caught.value)


def test_odd_files_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / ".codeintel.toml"
    path.write_bytes(b"a = '\xff'")
    with pytest.raises(ProjectError, match="not UTF-8"):
        load_project(tmp_path, environment={})
    path.write_text("# " + "x" * 300_000)
    with pytest.raises(ProjectError, match="larger than"):
        load_project(tmp_path, environment={})
    path.unlink()
    path.mkdir()
    with pytest.raises(ProjectError, match="no regular file"):
        load_project(tmp_path, environment={})
