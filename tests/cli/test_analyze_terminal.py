"""`codeintel analyze` in a real terminal, against a real server on this machine."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

SECONDS = 60
PLACE = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2}
FINDING = {"ruleId": "R1", "severity": "high", "message": "shown at the end", "range": PLACE}
COMMAND = "from codeintel.cli import main; main()"


def frame(event: object) -> bytes:
    data = b"data: " + json.dumps(event).encode() + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(data), data)


def test_findings_are_counted_during_the_run_and_shown_in_colour(tmp_path: Path) -> None:
    shown = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = SECONDS

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(frame({"type": "finding", "runId": "run_1", "finding": FINDING}))
            if shown.wait(SECONDS):
                self.wfile.write(frame({"type": "run.completed", "runId": "run_1"}))
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    (tmp_path / "a.py").write_text("x = 1\n")
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.timeout = SECONDS
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        output, code = _run_in_terminal(tmp_path, server.server_address[1], shown)
        thread.join(SECONDS)
    assert code == 0
    counter, _, rest = output.partition("Analyzing: 1 finding so far")
    assert "shown at the end" not in counter
    assert "\x1b[31m\x1b[1mhigh" in rest
    assert "> 1 |\x1b[0m x = 1\r\n" in rest
    assert output.endswith("1 finding: 1 high. No credits charged.\r\n")


def _run_in_terminal(folder: Path, port: int, shown: threading.Event) -> tuple[str, int]:
    """Return the output and the exit status. Set `shown` once the finding is counted."""
    environment = {
        **os.environ,
        "CODEINTEL_URL": f"http://127.0.0.1:{port}",
        "CODEINTEL_API_KEY": "key",
        "TERM": "xterm",
    }
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "analyze", str(folder / "a.py")],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
        )
        killer = threading.Timer(SECONDS, process.kill)
        killer.start()
        os.close(theirs)
        output = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # how Linux says that the other end is closed
                break
            output += piece
            if b"1 finding so far" in output:
                shown.set()
            if not piece:
                break
        code = process.wait(SECONDS)
        killer.cancel()
        killer.join()
    finally:
        os.close(ours)
    return output.decode(), code
