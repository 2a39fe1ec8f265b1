"""Network diagnostics used by the on-call dashboard."""
import subprocess

from fastapi import APIRouter, Depends, HTTPException

from .security import require_operator

router = APIRouter(prefix="/diag", dependencies=[Depends(require_operator)])

PROBES = {
    "ping": "ping -c 3 -W 2 {target}",
    "trace": "traceroute -m 12 {target}",
}


def run_probe(kind: str, target: str) -> subprocess.CompletedProcess:
    command = PROBES[kind].format(target=target)
    return subprocess.run(
        command, shell=True, capture_output=True, text=True, timeout=30, check=False
    )


@router.get("/{kind}")
def probe(kind: str, target: str):
    if kind not in PROBES:
        raise HTTPException(status_code=404, detail="unknown probe")
    done = run_probe(kind, target)
    return {"reachable": done.returncode == 0, "output": done.stdout.splitlines()}
