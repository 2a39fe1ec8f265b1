"""Separate PostgreSQL and Redis servers for tests: on free loopback ports, in temporary folders,
ended only by process id."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

START_SECONDS = 20.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.01
REQUIRE = "CODEINTEL_REQUIRE_SERVICES"
MEMORY = "/dev/shm"
ENOUGH_BYTES = 1 << 30
PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin"


def free_port() -> int:
    """Return an unused loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def binary(name: str) -> str:
    """Return the path of an installed server program.

    If it is missing, skip the test, or fail it if services are required.
    """
    newest_first = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"),
        key=lambda path: [int(part) for part in path.parts[-3].split(".") if part.isdigit()],
        reverse=True,
    )
    found = next(iter(map(str, newest_first)), None) or shutil.which(name, path=PATH)
    if found is None:
        reason = f"{name} is not installed"
        if os.environ.get(REQUIRE) == "1":
            pytest.fail(f"{reason}, and {REQUIRE}=1")
        pytest.skip(reason)
    return found


def in_memory() -> str | None:
    """Return a folder in memory, if there is one with enough room: a database of PostgreSQL is
    hundreds of small files, and to copy or to delete them takes ten times as long on a disk."""
    if not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < ENOUGH_BYTES:
        return None
    return MEMORY


class Server:
    """A server process and its temporary folder."""

    def __init__(self, name: str) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix=f"codeintel-test-{name}-", dir=in_memory()))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                **self._user(),
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                told = self._log()
                self.remove()
                pytest.fail(f"{type(self).__name__} did not start: {told}")
            time.sleep(POLL_SECONDS)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End the process by a signal and wait until it has gone."""
        if self._process is None:
            return
        self.resume()
        self._process.send_signal(number)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(STOP_SECONDS)
        self._process = None

    def hang(self) -> None:
        """Stop all its processes without ending them: connections stay open, nothing answers."""
        for pid in self._pids():
            os.kill(pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Undo :meth:`hang`."""
        for pid in self._pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def remove(self) -> None:
        """End it and delete its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _pids(self) -> list[int]:
        """Return the server's process and its children."""
        if self._process is None or self._process.poll() is not None:
            return []
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [main, *map(int, children)]

    def _log(self) -> str:
        with suppress(OSError):
            return (self.folder / "log").read_text()[-2000:]
        return "no log"

    def _user(self) -> dict[str, Any]:
        return {}

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError


class PostgresServer(Server):
    """PostgreSQL, which refuses to run as root: then it runs as `postgres` or `nobody`."""

    def __init__(self) -> None:
        initdb, self._postgres = binary("initdb"), binary("postgres")
        super().__init__("postgres")
        user = self._user()
        if user:
            shutil.chown(self.folder, user["user"], user["group"])
        subprocess.run(
            f"{initdb} -D {self._data} -U test -A trust -E UTF8 --no-locale --no-sync".split(),
            check=True,
            capture_output=True,
            cwd=self.folder,
            **user,
        )

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @property
    def url(self) -> str:
        """The URL of its database, as `DATABASE_URL` takes it."""
        return f"postgresql://test@127.0.0.1:{self.port}/postgres"

    def empty(self) -> str:
        """Return the URL of its database, emptied: ten times as fast as to create another one."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return self.url

    def kill(self, number: int = signal.SIGQUIT) -> None:
        # PostgreSQL's "immediate": children end too, nothing is written, as in a crash.
        super().kill(number)

    def _user(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        for name in ("postgres", "nobody"):
            with suppress(KeyError):
                user = pwd.getpwnam(name)
                return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        return pytest.skip("PostgreSQL does not run as root, and there is nobody else")

    def _command(self) -> list[str]:
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "off",
            "max_connections": 50,
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        return [self._postgres, "-D", str(self._data), *options]

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


class RedisServer(Server):
    """Redis, without persistence."""

    def __init__(self) -> None:
        self._redis = binary("redis-server")
        super().__init__("redis")

    @property
    def url(self) -> str:
        """Its URL, as `REDIS_URL` takes it."""
        return f"redis://127.0.0.1:{self.port}/0"

    def flush(self) -> None:
        """Delete everything in it."""
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def _command(self) -> list[str]:
        options = {"port": self.port, "bind": "127.0.0.1", "dir": self.folder, "save": ""}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        return [self._redis, *words]

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=1) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


@contextmanager
def running(server: PostgresServer | RedisServer) -> Iterator[None]:
    """Run the server within the block."""
    try:
        server.start()
        yield
    finally:
        server.remove()
