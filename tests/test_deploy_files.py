"""The units of systemd and the example settings in `deploy/`: whether they fit the service."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from support import MakeApp

from codeintel import API_VERSION
from codeintel.base.errors import ErrorCode
from codeintel.operations.doctor.checks import Check, examine
from codeintel.operations.doctor.installation import look_at
from codeintel.operations.doctor.settings import (
    look_at_addresses,
    look_at_names,
    look_at_secrets,
    look_at_sharing,
    look_at_values,
)
from codeintel.operations.doctor.system import CLIENTS, MARGIN
from codeintel.platform.config import load_settings
from codeintel.platform.config.settings import SETTINGS, Settings
from codeintel.server.gunicorn import DRAIN_MARGIN_SECONDS, HAND_OVER_SECONDS
from codeintel.testing.server import LiveServer

DEPLOY = Path(__file__).parents[1] / "deploy"
SYSTEMD = DEPLOY / "systemd"
NODE, WORKER = SYSTEMD / "codeintel.service", SYSTEMD / "codeintel-worker@.service"
EXECUTION = SYSTEMD / "codeintel.service.d/execution.conf"
NGINX = DEPLOY / "nginx/codeintel.conf"
SECONDS = 120


def options(path: Path) -> dict[str, list[str]]:
    """Return the options of a unit by name. systemd treats a repeated name as an additional
    value."""
    found: dict[str, list[str]] = {}
    for line in path.read_text().splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def example() -> dict[str, str]:
    """Return the example settings."""
    lines = (SYSTEMD / "codeintel.env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("unit", [NODE, WORKER])
def test_systemd_understands_the_units(unit: Path, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace("/opt/codeintel/bin/codeintel", "/bin/true"))
    if unit is NODE:
        (tmp_path / "codeintel.service.d").mkdir()
        shutil.copy(EXECUTION, tmp_path / "codeintel.service.d")
    verified = subprocess.run(
        [program, "verify", str(copy)], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize("unit", [NODE, WORKER])
def test_the_time_to_stop_covers_the_drain(unit: Path) -> None:
    settings = load_settings({}, environ=example() | {"CODEINTEL_KEY_PEPPER": "p" * 32}).settings
    (seconds,) = options(unit)["TimeoutStopSec"]
    assert int(seconds.removesuffix("s")) >= settings.drain_timeout + DRAIN_MARGIN_SECONDS + 10
    # The last run begins after that time, and may take its full duration.
    assert settings.drain_timeout >= Settings.run_timeout + HAND_OVER_SECONDS, "none is cut"


def test_the_example_settings_are_all_there_is() -> None:
    known = {info.name for info in SETTINGS}
    placed = "\n".join(path.read_text() for path in (NODE, WORKER))
    for name in example():
        assert name in known or f"${{{name}}}" in placed, name
    assert not example()["CODEINTEL_KEY_PEPPER"], "everybody makes their own"
    with pytest.raises(Exception, match="CODEINTEL_KEY_PEPPER must be set"):
        load_settings({}, environ=example())


def test_each_process_may_tell_its_figures_at_a_port_of_its_own() -> None:
    """systemd reads both files, and the second goes before the first."""
    common = "/etc/codeintel/codeintel.env"
    assert options(NODE)["EnvironmentFile"] == [common]
    assert options(WORKER)["EnvironmentFile"] == [common, "-/etc/codeintel/worker-%i.env"]
    told = (SYSTEMD / "codeintel.env.example").read_text() + (DEPLOY / "README.md").read_text()
    ports = re.findall(r"CODEINTEL_METRICS_PORT=(\d+)", told)
    assert set(ports) == {"9464", "9465"}
    assert "/etc/codeintel/worker-1.env" in told


def test_a_node_is_asked_by_the_public_name(make_app: MakeApp) -> None:
    """Check the command in README.md, because a node refuses its own address."""
    calls = re.findall(r"curl .*http://\S+/api/v1/health", (DEPLOY / "README.md").read_text())
    assert len(calls) == 2
    public = {name: example()[name] for name in ("CODEINTEL_PUBLIC_URL",)}
    client = make_app(public).test_client()
    for call in calls:
        [(host, node)] = re.findall(r"^curl -H 'Host: (\S+)' http://([\d.:]+)/", call)
        assert client.get("/api/v1/health", headers={"Host": node}).status_code == 400
        answer = client.get("/api/v1/health", headers={"Host": host})
        assert (answer.status_code, answer.json["data"]["status"]) == (200, "healthy")


def test_both_units_are_shut_in_alike() -> None:
    node, worker = options(NODE), options(WORKER)
    differ = {name for name in node.keys() | worker.keys() if node.get(name) != worker.get(name)}
    assert differ == {
        *("Description", "Type", "NotifyAccess", "TimeoutStartSec"),
        *("Environment", "EnvironmentFile", "ExecStart", "TasksMax"),
    }
    assert (node["KillMode"], node["User"]) == (["mixed"], ["codeintel"])


def test_what_bubblewrap_needs_is_taken_away_and_given_back() -> None:
    """Check the permissions: namespaces, mounts in them, a separate host name."""
    node, drop_in = options(NODE), options(EXECUTION)
    assert node["RestrictNamespaces"] == node["ProtectHostname"] == ["yes"]
    assert set(drop_in["RestrictNamespaces"][0].split()) == {
        *("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")
    }
    assert drop_in["ProtectHostname"] == ["no"]
    assert set(drop_in["SystemCallFilter"][0].split()) >= {"@mount", "capset", "sethostname"}


def test_the_doctor_has_what_the_node_has() -> None:
    """Check the command in both documents, with the options of the unit that are not settings."""
    texts = [DEPLOY / "README.md", DEPLOY.parent / "docs" / "doctor.md"]
    pattern = re.compile(r"systemd-run (?:[^\n]*\\\n)+ *\S+ doctor$", re.MULTILINE)
    readme, docs = (
        [word for word in found.split() if word != "\\"]
        for path in texts
        for found in pattern.findall(path.read_text())
    )
    assert readme == docs
    node = options(NODE)
    (instance,) = (each for each in node["Environment"] if each.startswith("CODEINTEL_INSTANCE="))
    assert set(docs) >= {
        f"--uid={node['User'][0]}",
        f"--property=EnvironmentFile={node['EnvironmentFile'][0]}",
        f"--setenv={instance}",
        f"--property=LimitNOFILE={node['LimitNOFILE'][0]}",
        node["ExecStart"][0].split()[0],
    }
    assert int(node["LimitNOFILE"][0]) >= CLIENTS + MARGIN


def test_the_doctor_finds_nothing_wrong_with_the_example_settings(tmp_path: Path) -> None:
    pepper = "a-pepper-for-tests-that-is-long-enough"
    environ = {**example(), "CODEINTEL_KEY_PEPPER": pepper, "CODEINTEL_INSTANCE": str(tmp_path)}
    looks = [look_at_values, look_at_names, look_at_secrets, look_at_addresses, look_at_sharing]
    found = list(examine(look_at(environ), [Check("settings", look) for look in looks]))
    assert {str(each.status) for each in found} == {"ok"}, found


def test_systemd_is_told_when_a_node_listens(tmp_path: Path) -> None:
    """`Type=notify`: by the process that was started, which has become gunicorn."""
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(address))
        told.settimeout(SECONDS)
        with LiveServer(tmp_path / "instance", NOTIFY_SOCKET=str(address)):
            assert "READY=1" in told.recv(1_024).decode()


def test_the_readme_names_every_file() -> None:
    text = (DEPLOY / "README.md").read_text()
    linked = {DEPLOY / link for link in re.findall(r"\]\(([\w./@-]+)\)", text)}
    assert all(path.is_file() for path in linked)
    files = (path for folder in ("nginx", "systemd") for path in (DEPLOY / folder).rglob("*"))
    assert linked >= {path for path in files if path.is_file()}


def test_nginx_takes_as_many_connections_of_an_address_as_a_node() -> None:
    text = NGINX.read_text()
    (most,) = re.findall(r"limit_conn codeintel_connections (\d+);", text)
    assert int(most) == Settings.max_connections_per_address
    assert re.search(r"limit_req zone=codeintel_requests burst=\d+ nodelay;", text)
    (rate,) = re.findall(r"zone=codeintel_requests:\S+ rate=(\d+)r/s;", text)
    assert int(rate) == Settings.limit_default.amount / Settings.limit_default.get_expiry()


def test_refusals_of_nginx_are_in_the_shape_of_the_services() -> None:
    bodies = re.findall(r"return \d+ '(\{.*\})';", NGINX.read_text())
    assert len(bodies) == 3
    for body in map(json.loads, bodies):
        assert set(body) == {"error", "meta"}
        assert set(body["error"]) == {"code", "message", "details"}
        assert body["error"]["code"] in set(ErrorCode)
        assert body["meta"]["version"] == API_VERSION
