"""Network diagnostics used by the on-call dashboard."""
import ipaddress
import subprocess

from fastapi import APIRouter, Depends, HTTPException

from .security import require_operator

router = APIRouter(prefix="/diag", dependencies=[Depends(require_operator)])

PROBES = {
    "ping": ["ping", "-c", "3", "-W", "2"],
    "trace": ["traceroute", "-m", "12"],
}


def run_probe(kind: str, target: str) -> subprocess.CompletedProcess:
    command = [*PROBES[kind], str(ipaddress.ip_address(target))]
    return subprocess.run(
        command, shell=False, capture_output=True, text=True, timeout=30, check=False
    )


@router.get("/{kind}")
def probe(kind: str, target: str):
    if kind not in PROBES:
        raise HTTPException(status_code=404, detail="unknown probe")
    try:
        done = run_probe(kind, target)
    except ValueError as exc:
        raise HTTPException(status_code=422, detail="target must be an address") from exc
    return {"reachable": done.returncode == 0, "output": done.stdout.splitlines()}
