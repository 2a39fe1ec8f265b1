"""The templates for CI systems and for pre-commit, run as those systems run them."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import junitparser
import pytest
import yaml
from template_runs import NEW, OLD, ROOT, Workplace

_EXPRESSION = re.compile(r"\$\{\{ (?P<name>[\w.-]+) \}\}")
SH = shutil.which("sh") or "/bin/sh"
_INPUT = re.compile(r"\$\[\[ inputs\.(?P<name>[\w-]+) \]\]")


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """Return a folder with the program."""
    return Workplace(tmp_path)


@pytest.fixture
def pull_request(workplace: Workplace) -> Path:
    """Return a clone of a pull request with one new finding, as CI makes it."""
    origin = workplace.repository("origin", app=OLD)
    workplace.git(origin, "switch", "-q", "-c", "feature")
    (origin / "app.py").write_text(OLD + NEW)
    workplace.commit(origin, "second")
    clone = workplace.folder / "clone"
    address = f"file://{origin}"
    workplace.git(
        workplace.folder, "clone", "-q", "--depth=1", "-b", "feature", address, str(clone)
    )
    return clone


def test_pre_commit_stops_findings(workplace: Workplace) -> None:
    hooks = workplace.repository("hooks")
    (hooks / ".pre-commit-hooks.yaml").write_bytes((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    workplace.commit(hooks, "hooks")
    root = workplace.repository("project", app=OLD)
    use_hooks(root, hooks, workplace, "codeintel-scan", "codeintel-scan-new", "codeintel-scan-warn")
    assert hook(workplace, root, "codeintel-scan").status == 0  # app.py is not staged
    (root / "app.py").write_text(f"# changed\n{OLD}")
    workplace.git(root, "add", "app.py")
    stopped = hook(workplace, root, "codeintel-scan")
    assert stopped.status == 1
    assert "app.py:6:12" in stopped.told
    assert hook(workplace, root, "codeintel-scan-new").status == 0
    warned = hook(workplace, root, "codeintel-scan-warn")
    assert warned.status == 0
    assert "app.py:6:12" in warned.told
    (root / "app.py").write_text(OLD + NEW)
    workplace.git(root, "add", "app.py")
    (root / "app.py").write_text(OLD)  # the staged content counts
    new = hook(workplace, root, "codeintel-scan-new")
    assert new.status == 1
    assert "app.py:9:12" in new.told
    assert "app.py:5:12" not in new.told


def use_hooks(root: Path, hooks: Path, workplace: Workplace, *names: str) -> None:
    """Configure hooks of a repository with the installed program, so that nothing is installed."""
    used = [{"id": name, "language": "system"} for name in names]
    revision = workplace.git(hooks, "rev-parse", "HEAD")
    config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": used}]}
    (root / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    workplace.commit(root, "hooks")


def hook(workplace: Workplace, root: Path, name: str) -> Any:
    """Run a hook on the staged files."""
    return workplace.run(root, sys.executable, "-m", "pre_commit", "run", name, "--color", "never")


def action_steps(inputs: dict[str, str], context: dict[str, str]) -> list[dict[str, Any]]:
    """Return the steps of the action that run, with values for its expressions."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    values = {f"inputs.{name}": each["default"] for name, each in action["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()} | context
    steps = []
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert not _EXPRESSION.search(step["run"]), "a value in a script could be a command"
        wanted = re.fullmatch(r"inputs\.install == '(\w+)'", step.get("if", ""))
        if wanted and values["inputs.install"] != wanted[1]:
            continue
        environment = {
            name: _EXPRESSION.sub(lambda match: values[match["name"]], value)
            for name, value in step["env"].items()
        }
        steps.append({**step, "env": environment})
    return steps


def run_action(workplace: Workplace, root: Path, base_ref: str = "", **inputs: str) -> Any:
    """Run the steps of the action. Return how they ended and their outputs."""
    outputs = workplace.folder / "outputs"
    outputs.write_text("")
    context = {"github.action_path": str(ROOT)}
    for step in action_steps({"install": "false", **inputs}, context):
        environment = {**step["env"], "GITHUB_OUTPUT": str(outputs), "GITHUB_BASE_REF": base_ref}
        ended = workplace.run(
            root,
            "bash",
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            step["run"],
            **environment,
        )
        if ended.status:
            break
    return ended, dict(line.split("=", 1) for line in outputs.read_text().splitlines())


def test_the_action_annotates_new_findings(workplace: Workplace, pull_request: Path) -> None:
    ended, outputs = run_action(workplace, pull_request, "main", html="report.html")
    assert ended.status == 1, ended.told
    commands = [line for line in ended.told.splitlines() if line.startswith("::error file=")]
    assert len(commands) == 1
    assert commands[0].startswith("::error file=app.py,line=9,")
    assert outputs == {"sarif": "codeintel.sarif", "exit-status": "1"}
    log = json.loads((pull_request / "codeintel.sarif").read_text())
    states = sorted(each["baselineState"] for each in log["runs"][0]["results"])
    assert states == ["new", "unchanged"]
    assert "<!DOCTYPE html>" in (pull_request / "report.html").read_text()


def test_the_action_takes_inputs(workplace: Workplace, pull_request: Path) -> None:
    ended, outputs = run_action(
        workplace,
        pull_request,
        **{"fail-on": "none", "sarif": "a b.sarif", "paths": "app.py", "base": "none"},
    )
    assert (ended.status, outputs["exit-status"]) == (0, "0"), ended.told
    assert (pull_request / "a b.sarif").is_file()
    hostile, _ = run_action(workplace, pull_request, paths='$(touch "hacked") ; touch hacked')
    assert hostile.status == 2
    assert not (pull_request / "hacked").exists()


def test_paths_can_have_several_lines(workplace: Workplace) -> None:
    root = workplace.repository("several", app="x = 1\n", tool=OLD, other=OLD)
    ended, _ = run_action(workplace, root, paths="app.py\n tool.py\n", base="none")
    assert ended.status == 1, ended.told
    assert "file=tool.py" in ended.told
    assert "file=other.py" not in ended.told


def without_program(workplace: Workplace) -> dict[str, str]:
    """Return a search path without codeintel, and with a pip that only prints its arguments."""
    programs = workplace.folder / "others"
    programs.mkdir()
    for name in ("bash", "git", "mkdir", "apt-get"):
        (programs / name).symlink_to(shutil.which(name) or "/bin/false")
    for name in ("pip", "python3"):
        (programs / name).write_text('#!/bin/sh\necho "pip: $*"\nexit 7\n'.replace("/bin/sh", SH))
        (programs / name).chmod(0o755)
    return {"PATH": str(programs)}


def test_no_package_is_guessed(workplace: Workplace, pull_request: Path) -> None:
    job = component()["codeintel-scan"]
    before = "\n".join(job["before_script"])
    commands = {
        "PACKAGE": (str(ROOT / "templates/scan.sh"),),
        "SCAN_PACKAGE": ("-eo", "pipefail", "-c", before),
    }
    environment = {**job["variables"], **without_program(workplace)}
    for name, command in commands.items():
        refused = workplace.run(pull_request, "bash", *command, **environment)
        assert refused.status == 2, refused.told
        assert "codeintel is not installed. Set " in refused.told
        assert "pip:" not in refused.told
        given = environment | {name: "git+https://git.example.org/a/b"}
        installed = workplace.run(pull_request, "bash", *command, **given)
        assert installed.status == 7
        assert "install --quiet git+https://git.example.org/a/b" in installed.told


def test_pip_runs_no_module_of_the_repository(workplace: Workplace) -> None:
    hostile = "open('hacked', 'w').close()\n"
    root = workplace.repository("hostile", pip=hostile, typing=hostile, logging=hostile)
    path = without_program(workplace)
    program = Path(path["PATH"]) / "python3"
    program.write_text(f'#!{SH}\nexec "{sys.executable}" "$@"\n')
    (program.parent / "python").symlink_to(program)
    [install, _] = action_steps({}, {"github.action_path": "/nonexistent"})
    commands = (
        (str(ROOT / "templates/scan.sh"),),
        ("-eo", "pipefail", "-c", install["run"]),
    )
    for command in commands:
        ended = workplace.run(root, "bash", *command, PACKAGE="/nonexistent", **path)
        assert "/nonexistent" in ended.told
        assert ended.status == 1, ended.told
        assert not (root / "hacked").exists(), command


def test_the_component_keeps_the_settings_of_the_project(workplace: Workplace) -> None:
    root = workplace.repository("project", app=OLD)
    (root / ".codeintel.toml").write_text('fail-on = "none"\n')
    for fail_on, status in (("", 0), ("critical", 1)):
        job = component(**({"fail-on": fail_on} if fail_on else {}))["codeintel-scan"]
        script = "\n".join([*job["before_script"], *job["script"]])
        ended = workplace.run(root, "bash", "-eo", "pipefail", "-c", script, **job["variables"])
        assert ended.status == status, ended.told


def test_the_component_leaves_patterns_to_the_program(workplace: Workplace) -> None:
    root = workplace.repository("patterns", app=OLD)
    (root / "src").mkdir()
    (root / "src/tool.py").write_text(OLD)
    workplace.commit(root, "more")
    job = component(paths="**/*.py")["codeintel-scan"]
    script = "\n".join([*job["before_script"], *job["script"]])
    ended = workplace.run(root, "bash", "-eo", "pipefail", "-c", script, **job["variables"])
    assert "src/tool.py:5:12" in ended.told
    assert "\napp.py:5:12" in ended.told


def test_the_action_installs_itself() -> None:
    [install, _] = action_steps({}, {"github.action_path": str(ROOT)})
    assert install["env"] == {"PACKAGE": str(ROOT)}
    assert install["run"].endswith('"$PACKAGE"')


def test_check_jsonschema_accepts_the_action(workplace: Workplace) -> None:
    checked(workplace, "vendor.github-actions", ROOT / "action.yml")


def test_check_jsonschema_accepts_the_component(workplace: Workplace, tmp_path: Path) -> None:
    path = tmp_path / ".gitlab-ci.yml"
    path.write_text(yaml.safe_dump(component()))
    checked(workplace, "vendor.gitlab-ci", path)


def checked(workplace: Workplace, schema: str, path: Path) -> None:
    """Fail if a file does not fit a schema of check-jsonschema."""
    command = ("-m", "check_jsonschema", "--builtin-schema", schema, str(path))
    ended = workplace.run(path.parent, sys.executable, *command)
    assert ended.status == 0, ended.told


def component(**inputs: str) -> Any:
    """Return the jobs of the GitLab component, with values for its inputs."""
    spec, _, text = (ROOT / "templates/scan.yml").read_text().partition("\n---\n")
    values = {
        name: (each or {}).get("default")
        for name, each in yaml.safe_load(spec)["spec"]["inputs"].items()
    } | inputs
    return yaml.safe_load(_INPUT.sub(lambda match: str(values[match["name"]]), text))


def test_the_component_reports_new_findings(workplace: Workplace, pull_request: Path) -> None:
    job = component(**{"fail-on": "critical"})["codeintel-scan"]
    workplace.git(pull_request, "fetch", "-q", "--depth=1", "origin", "main")
    base = workplace.git(pull_request, "rev-parse", "FETCH_HEAD")
    script = "\n".join([*job["before_script"], *job["script"]])
    variables = {**job["variables"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    ended = workplace.run(pull_request, "bash", "-eo", "pipefail", "-c", script, **variables)
    assert ended.status == 1, ended.told
    assert "app.py:9:12" in ended.told
    assert "app.py:5:12" not in ended.told
    issues = json.loads((pull_request / "gl-code-quality-report.json").read_text())
    assert sorted(each["location"]["lines"]["begin"] for each in issues) == [5, 9]
    cases = junitparser.JUnitXml.fromfile(str(pull_request / "codeintel.xml"))
    assert (cases.failures, cases.skipped) == (2, 1)
    for reported in job["artifacts"]["reports"].values():
        assert (pull_request / reported).is_file()
    assert all((pull_request / path).is_file() for path in job["artifacts"]["paths"])


def test_the_shell_script_writes_reports(workplace: Workplace, pull_request: Path) -> None:
    script = str(ROOT / "templates/scan.sh")
    workplace.git(pull_request, "fetch", "-q", "--depth=1", "origin", "main")
    ended = workplace.run(pull_request, "bash", script, BASE="FETCH_HEAD", REPORTS="out")
    assert ended.status == 1, ended.told
    assert "1 new finding" in ended.told
    names = {each.name for each in (pull_request / "out").iterdir()}
    assert names == {"junit.xml", "scan.sarif", "scan.html"}
    clean = workplace.repository("clean", app="x = 1\n")
    assert workplace.run(clean, "bash", script, ".").status == 0


def test_scripts_pass_shellcheck(workplace: Workplace, tmp_path: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    scripts = {
        "scan.sh": (ROOT / "templates/scan.sh").read_text(),
        **{
            f"{at}.sh": f"#!/usr/bin/env bash\n{step['run']}"
            for at, step in enumerate(action["runs"]["steps"])
        },
    }
    for name, text in scripts.items():
        (tmp_path / name).write_text(text)
        ended = workplace.run(tmp_path, "shellcheck", name)
        assert ended.status == 0, ended.told
