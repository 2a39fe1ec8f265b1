"""Ctrl-C while `codeintel trust refresh` asks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from trust_upstreams import fake_upstreams

from codeintel.server import INTERRUPTED

SECONDS = 60
PROGRAM = (
    "from gevent import monkey; monkey.patch_all()\n"
    "from codeintel.cli import main\n"
    "from codeintel.cli.trust import refresh\n"
    "refresh.STOP_SECONDS = 0.1\n"
    "main()"
)


def test_ctrl_c_leaves_the_job_for_later(tmp_path: Path) -> None:
    """Check Ctrl-C while greenlets query upstreams. Python would interrupt one of them."""
    reached, open_ = threading.Event(), threading.Event()
    with fake_upstreams() as upstreams:
        for name in ("kit0", "kit1"):
            upstreams.add(name)
        answer = upstreams.answer

        def held_back(path: str, body: bytes) -> tuple[int, Any]:
            if "kit1" in path:
                reached.set()
                open_.wait(SECONDS)
                return 404, {}
            return answer(path, body)

        upstreams.answer = held_back  # type: ignore[method-assign]
        environment = {
            **os.environ,
            **upstreams.settings(),
            "CODEINTEL_INSTANCE": str(tmp_path),
            "CODEINTEL_TRUST_REQUESTS_PER_HOUR": "3600000",
        }
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "trust", "refresh", "kit0", "kit1"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert reached.wait(SECONDS)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
            open_.set()
    assert (process.returncode, out) == (INTERRUPTED, "")
    last = err.splitlines()[-1]
    assert re.match(r"Interrupted\. The job job_\w+ is queued at 1/2\. The same command", last)
    assert "Traceback" not in err and "KeyboardInterrupt" not in err
