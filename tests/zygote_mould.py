"""A process that has imported all plugins, and forks the zygotes of the tests' applications.

Run as `python zygote_mould.py FD FUNCTION...`, FD being its end of a SOCK_SEQPACKET pair. It ends
when the other end is closed.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rule_pages import remember_rules

from codeintel.platform.config import load_settings
from codeintel.platform.plugins.manager import PluginManager
from codeintel.platform.workers import text_functions, zygote

REQUEST_BYTES = 1 << 16
DESCRIPTORS = 2


def warm(functions: Sequence[str]) -> None:
    """Import what zygotes import, and fill the caches that they fill.

    :param functions: where the text functions are.
    """
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"CODEINTEL_INSTANCE": folder}, {})
        registry = PluginManager(settings.without_secrets(), Path(folder)).registry
    zygote._usable("analyzer", registry.analyzers)
    zygote._usable("detector", registry.detectors)
    zygote._usable("transformation", registry.transformations)
    text_functions.load_functions(functions)


def become(control: int, errors: int, folder: str) -> None:
    """Become the zygote for the process at the other end of `control`."""
    os.setsid()
    os.chdir(folder)
    os.dup2(errors, 2)
    os.close(errors)
    sys.argv = [zygote.__file__, str(control)]
    zygote.main()


def serve(orders: socket.socket) -> None:
    """Fork a zygote for each request, and answer with its process id and a handle on it."""
    handles: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([orders, *handles], [], [])
        for handle in ready:
            if handle is not orders:
                os.waitpid(handles.pop(handle), 0)
                os.close(handle)
        if orders not in ready:
            continue
        request, descriptors, _, _ = socket.recv_fds(orders, REQUEST_BYTES, DESCRIPTORS)
        if not request:
            return
        pid = os.fork()
        if not pid:
            status = 1
            try:
                orders.close()
                for handle in handles:
                    os.close(handle)
                become(*descriptors, json.loads(request))
                status = 0
            except SystemExit as ended:
                print(ended, file=sys.stderr)  # noqa: T201 - as an interpreter would
            except BaseException:  # noqa: BLE001 - as an interpreter would
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(status)
        for descriptor in descriptors:
            os.close(descriptor)
        handle = os.pidfd_open(pid)
        handles[handle] = pid
        socket.send_fds(orders, [str(pid).encode()], [handle])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    remember_rules()
    warm(sys.argv[2:])
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as held:
        serve(held)
