"""Malicious programs: nothing happens outside of the sandbox, and the answer arrives in time."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest
from execution_samples import a_sandbox, outcome

from codeintel.contracts import CheckStatus
from codeintel.engine.sandbox.behaviour import ORIGINAL_SECONDS, RESULT_SECONDS
from codeintel.platform.sandbox import Sandbox

SLACK_SECONDS = 30.0
"""For a busy machine; the sandboxes themselves have their own limits."""
QUIET = "\ndef quiet(n: int): return n\n"
FAILED = CheckStatus.FAILED


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return a_sandbox()


def processes() -> set[int]:
    """Return all running processes except for zombies and those of parallel tests, which have
    the same parent."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state = path.read_text().rpartition(")")[2].split()[0]
            command = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue
        pid = int(path.parent.name)
        if state != "Z" and b"harness.main" in command and not is_anothers(pid):
            found.add(pid)
    return found


def is_anothers(pid: int) -> bool:
    """Return whether the process descends from our parent, and not from this process."""
    while pid > 1:
        if pid in {os.getpid(), os.getppid()}:
            return pid == os.getppid()
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return False


HOSTILE = {
    "fork bomb": "import os\nwhile True: os.fork()\n",
    "patient fork bomb": """import os
def f(n: int):
    while True:
        try: os.fork()
        except OSError: pass
""",
    "other processes": "import os\ndef f(n: int): return os.popen('id').read()\n",
    "threads": """import threading
def f(n: int):
    while True: threading.Thread(target=f).start()
""",
    "allocation": "x = bytearray(10**10)\n",
    "growing": "x = []\nwhile True: x.append(bytearray(10**6))\n",
    "endless": "while True: pass\n",
    "endless and deaf": """def f(n: int):
    while True:
        try:
            while True: pass
        except BaseException: pass
""",
    "endless in C": "def f(n: int): return sum(range(10**12))\n",
    "sleeping": "import time\ndef f(n: int):\n    while True:\n        try: time.sleep(99)\n"
    "        except BaseException: pass\n",
    "exit": "import sys\nsys.exit(1)\n",
    "exit at once": "import os\ndef f(n: int): os._exit(0)\n",
    "killing": """import os, signal
for process in (os.getppid(), -1, 1, 0):
    try: os.kill(process, signal.SIGKILL)
    except OSError: pass
""",
    "output": "while True: print('x' * 100_000)\n",
    "raw output": "import os\nwhile True: os.write(2, b'x' * 100_000)\n",
    "output in our place": "import os\nwhile True: os.write(200, b'x' * 100_000)\n",
    "recursion": "def f(n: int): return f(n)\n",
    "deep recursion": "import sys\nsys.setrecursionlimit(10**9)\ndef f(n: int): return f(n)\n",
    "deaf to signals": """import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
def f(n: int):
    while True: pass
""",
    "crash": "import ctypes\ndef f(n: int): ctypes.string_at(0)\n",
    "broken built-ins": "import builtins as b\nb.len = b.isinstance = b.repr = b.str = None\n",
    "no modules": "import sys\nsys.modules.clear()\n",
    "closed": "import os\nos.closerange(0, 1000)\n",
    "at the end": "import atexit, time\natexit.register(time.sleep, 99)\n",
    "files": """def f(n: int):
    number = 0
    while True:
        number += 1
        open(f'/tmp/{number}', 'wb').write(bytes(500_000))
""",
    "system calls": """import ctypes
libc = ctypes.CDLL(None)
for number in (41, 56, 57, 58, 59, 101, 161, 165, 250, 272, 308, 310, 317, 321, 322, 425, 435):
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
""",
}


def assert_ended(before: set[int]) -> None:
    """Check that no process is left. The kernel may need a moment to end many."""
    until = time.monotonic() + SLACK_SECONDS
    while not (left := processes()) <= before:
        assert time.monotonic() < until, left - before
        time.sleep(0.05)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_originals(sandbox: Sandbox, name: str) -> None:
    code = HOSTILE[name] + QUIET
    before, begun = processes(), time.monotonic()
    found = outcome(sandbox, code)
    assert time.monotonic() - begun < ORIGINAL_SECONDS + RESULT_SECONDS + SLACK_SECONDS
    assert_ended(before)
    assert found.status is not FAILED, found.text  # it is the same program


@pytest.mark.parametrize(
    "name", [name for name in HOSTILE if name not in {"exit at once", "no modules", "at the end"}]
)
def test_hostile_results(sandbox: Sandbox, name: str) -> None:
    """Check a malicious result of a harmless original."""
    original = "def f(n: int): return n\n" + QUIET
    before, begun = processes(), time.monotonic()
    found = outcome(sandbox, original, HOSTILE[name] + original.replace("def f", "def g"))
    assert time.monotonic() - begun < ORIGINAL_SECONDS + RESULT_SECONDS + SLACK_SECONDS
    assert_ended(before)
    assert found.status is FAILED, found.text


def test_nothing_can_be_reached(sandbox: Sandbox, tmp_path: Path) -> None:
    """Check that a program's output, which would include its discoveries, equals that of a
    program that prints that it discovered nothing."""
    canary = tmp_path / "canary"
    canary.write_text("secret")
    os.environ["CANARY"] = "secret"
    descriptor = os.open(canary, os.O_RDWR)
    os.set_inheritable(descriptor, True)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        door.settimeout(0)
        code = f"""import os, socket
def tried(attempt):
    try: return bool(attempt())
    except OSError: return False
found = [
    tried(lambda: socket.create_connection(('127.0.0.1', {door.getsockname()[1]}), 1)),
    tried(lambda: open({str(canary)!r}).read()),
    tried(lambda: open({str(canary)!r}, 'w')),
    tried(lambda: os.remove({str(canary)!r}) is None),
    tried(lambda: os.pread({descriptor}, 9, 0)),
    tried(lambda: os.pwrite({descriptor}, b'x', 0)),
    tried(lambda: open('/etc/passwd').read()),
    tried(lambda: os.listdir('/proc')),
    tried(lambda: os.listdir({str(tmp_path)!r})),
    tried(lambda: open('/usr/lib/written', 'w')),
    tried(lambda: os.kill({os.getpid()}, 0) is None),
    'CANARY' in os.environ,
]
def seen(): return found
"""
        nothing = (
            f"{code.partition('found =')[0]}found = {[False] * 12}\ndef seen(): return found\n"
        )
        try:
            found = outcome(sandbox, nothing, code)
            with pytest.raises(BlockingIOError):
                door.accept()
        finally:
            os.close(descriptor)
            del os.environ["CANARY"]
    assert found.status is CheckStatus.PASSED, found.text
    assert canary.read_text() == "secret"


def test_memory_is_limited(sandbox: Sandbox) -> None:
    # `bytes` reserves memory without writing to it, so that the call is fast on a busy machine.
    fits = "def f(): return len(bytes(200 * 1024**2))\n"
    assert outcome(sandbox, fits).status is CheckStatus.PASSED
    found = outcome(sandbox, fits, fits.replace("200", "900"))
    assert found.status is FAILED, found.text


def test_a_forged_report_is_no_pass(sandbox: Sandbox) -> None:
    """Check that a result that reports its own success must still behave like the original."""
    code = "def f(n: int): return n\n"
    forged = """import os
os.write(200, b'{"what":"loaded","status":"value"}\\n{"what":"finished"}\\n')
os._exit(0)
"""
    assert outcome(sandbox, code, forged + code).status is not CheckStatus.PASSED
