"""The zygote: a process with all plugins imported, from which a child is forked for each job.

It runs as `python -m codeintel.platform.workers.zygote FD`, where FD is its end of a SOCK_SEQPACKET
pair. It ends with its children when the server closes the other end.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

from codeintel.base import logging as logs
from codeintel.base.confinement import kernel
from codeintel.base.confinement.jobs import Confinement, readable
from codeintel.base.confinement.state import AUTO, UnconfinedError
from codeintel.base.logging import describe
from codeintel.contracts import Analyzer, Transformation
from codeintel.platform.plugins.manager import MANAGER_LOG, PluginManager
from codeintel.platform.workers import child
from codeintel.platform.workers.protocol import CONTROL_BYTES, Kill, decode_command, decode_hello
from codeintel.platform.workers.text_functions import load_functions

log = logging.getLogger(__name__)

PR_SET_CHILD_SUBREAPER = 36
MAX_TASKS = 512
"""Maximum number of processes and threads of one job. Beyond it, the job is killed."""
WATCH_SECONDS = 0.1
"""How often they are counted, while there are jobs."""


class Zygote:
    """Forks, kills and reaps children."""

    def __init__(
        self,
        control: socket.socket,
        tools: child.Tools,
        folder: Path,
        confinement: Confinement,
    ) -> None:
        self._control = control
        self._tools = tools
        self._folder = folder
        self._confinement = confinement
        self._watched = 0.0
        self._children: dict[int, int] = {}
        """Process id by job."""
        self._started_by_plugins = _child_pids()
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles a terminal's Ctrl-C
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Obey commands until the server is gone."""
        while True:
            control = self._control.fileno()
            seconds = WATCH_SECONDS if self._children else None
            ready, _, _ = select.select([control, self._wake], [], [], seconds)
            if time.monotonic() - self._watched >= WATCH_SECONDS:
                self._kill_bombs()
            if self._wake in ready:
                with suppress(BlockingIOError):
                    os.read(self._wake, 4096)
                self._reap()
            if control in ready and not self._obey():
                break
        for job, pid in self._children.items():
            self._kill(job)
            os.waitpid(pid, 0)
        while self._bury_orphans():
            pass
        shutil.rmtree(self._folder, ignore_errors=True)  # the server may have had no time for it

    def _obey(self) -> bool:
        try:
            payload, descriptors, _, _ = socket.recv_fds(self._control, CONTROL_BYTES, 1)
        except ConnectionResetError:  # the server was gone before it had read everything
            return False
        if not payload:
            return False
        command = decode_command(payload)
        if isinstance(command, Kill):
            self._kill(command.job)
        else:
            self._fork(command.job, _blocking(descriptors[0]))
        return True

    def _fork(self, job: int, connection: socket.socket) -> None:
        folder = self._folder / str(job)
        folder.mkdir(mode=0o700)
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                self._control.close()
                signal.set_wakeup_fd(-1)
                os.close(self._wake)
                os.close(self._waker)
                child.fence(folder, self._confinement)
                child.serve(connection, self._tools, self._confinement)
                status = 0
            finally:
                os._exit(status)
        connection.close()
        with suppress(PermissionError, ProcessLookupError):
            os.setpgid(pid, pid)  # here too, because a kill may come before the child has done it
        self._children[job] = pid

    def _kill(self, job: int) -> None:
        pid = self._children.get(job)
        if pid is not None:
            # Its number cannot belong to another process yet, because only `_reap` frees it.
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            os.kill(pid, signal.SIGKILL)  # it may have moved to another group

    def _kill_bombs(self) -> None:
        """Kill the jobs that have started more processes and threads than any job needs."""
        self._watched = time.monotonic()
        for job, pid in self._children.items():
            if _has_more_tasks(pid, MAX_TASKS):
                log.warning("killed a job with more than %d processes and threads", MAX_TASKS)
                self._kill(job)

    def _reap(self) -> None:
        """Reap dead children, and remove the processes and files that they left."""
        for job, pid in list(self._children.items()):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                continue
            self._kill(job)
            os.waitpid(pid, 0)
            del self._children[job]
            shutil.rmtree(self._folder / str(job), ignore_errors=True)
        self._bury_orphans()

    def _bury_orphans(self) -> bool:
        """Kill processes that left their process group and became children when their parent died.

        Returns whether there were any, because their own children come next.
        """
        orphans = _child_pids() - self._started_by_plugins - set(self._children.values())
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)  # the signal that follows starts another check
        return bool(orphans)


def _child_pids() -> set[int]:
    """Return this process's children, or none where the kernel keeps no list of them."""
    with suppress(FileNotFoundError):
        return {int(pid) for pid in Path("/proc/thread-self/children").read_text().split()}
    return set()


def _has_more_tasks(pid: int, most: int) -> bool:
    """Return whether a process and its descendants have more tasks than a limit."""
    count, unseen = 0, [pid]
    while unseen and count <= most:
        each = unseen.pop()
        with suppress(OSError):
            count += int(Path(f"/proc/{each}/stat").read_text().rpartition(") ")[2].split()[17])
            unseen += _started_by(each)
    return count > most


def _started_by(pid: int) -> Iterator[int]:
    """Yield the children of all threads of a process."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            yield from map(int, (thread / "children").read_text().split())


def _blocking(descriptor: int) -> socket.socket:
    """Return the blocking socket of a descriptor. The server's greenlets had it non-blocking."""
    connection = socket.socket(fileno=descriptor)
    connection.setblocking(True)
    return connection


class _Loadable(Protocol):
    def preload(self) -> None: ...


T = TypeVar("T", bound=_Loadable)


def _usable(kind: str, items: Mapping[str, T]) -> dict[str, T]:
    """Return the plugins that can be preloaded."""
    usable = {}
    for name, item in items.items():
        try:
            item.preload()
            if isinstance(item, Analyzer | Transformation):
                item.programs()
        except BaseException as error:  # noqa: BLE001 - one bad plugin takes nothing else down
            log.error("%s %r cannot be used: %s", kind, name, describe(error))
        else:
            usable[name] = item
    return usable


def _confinement(config: Mapping[str, Any], instance: Path, tools: child.Tools) -> Confinement:
    """Return the limits of the children.

    :raises UnconfinedError: if confinement is required and impossible.
    """
    more = config.get("CODEINTEL_CONFINEMENT_READ", ())
    return Confinement(
        readable(instance, more, sorted(tools.programs())),
        config.get("CODEINTEL_CONFINEMENT", AUTO),
        tuple(_service()),
    )


def _service() -> Iterator[int]:
    """Yield the processes of the service and their groups, in the numbering of `kill`.

    These are this process, the server, and the server's master.
    """
    server = os.getppid()
    with suppress(OSError, ValueError):
        master = int(Path(f"/proc/{server}/stat").read_text().rpartition(") ")[2].split()[1])
        for pid in (os.getpid(), server, master):
            yield from (pid, -os.getpgid(pid))


def main() -> None:
    """Import the tools that do the jobs, report readiness, and serve."""
    gc.disable()  # imports make almost no garbage, and collections in between scan everything
    kernel.hide_memory()
    control = _blocking(int(sys.argv[1]))
    payload = control.recv(1 << 20)
    hello = decode_hello(payload)
    logs.configure(str(hello.config.get("CODEINTEL_LOG_FORMAT", logs.TEXT)))
    # The server has already reported which plugins are broken.
    logging.getLogger(MANAGER_LOG).setLevel(logging.CRITICAL)
    registry = PluginManager(hello.config, Path(hello.instance)).registry
    tools = child.Tools(
        analyzers=_usable("analyzer", registry.analyzers),
        detectors=_usable("detector", registry.detectors),
        transformations=_usable("transformation", registry.transformations),
        functions=load_functions(hello.functions),
    )
    try:
        confinement = _confinement(hello.config, Path(hello.instance), tools)
    except UnconfinedError as error:
        sys.exit(str(error))
    gc.collect()
    gc.enable()
    gc.freeze()  # keeps memory shared, because a collection touches every object
    control.send(b"ready")
    Zygote(control, tools, Path(hello.folder), confinement).serve()


if __name__ == "__main__":
    main()
