"""Messages that tell workers of jobs: ids, carried by huey through a file or Redis.

They only save waiting. A message may be lost or arrive twice, so the table decides.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import msgspec

from codeintel.platform.shared_redis import Breaker, SharedRedis

log = logging.getLogger(__name__)

QUEUE = "codeintel"
FILE = "jobs.db"
MOST = 10_000
"""Maximum queue length. Beyond it, apparently no worker reads messages."""
FILE_WAIT_SECONDS = 0.1
"""How long to wait inside SQLite, which stops every greenlet, for another process's lock."""


class _Message(msgspec.Struct, frozen=True):
    id: str


class Messages:
    """A queue of job ids: in a file for the processes of one machine, in Redis for many machines.

    Nothing is created or connected before it is used, and no storage error is raised.

    :param folder: the folder of the file.
    """

    def __init__(self, folder: Path, redis: SharedRedis | None) -> None:
        self._folder = folder
        self._redis = redis
        self._breaker = redis.breaker if redis is not None else Breaker("The file of job messages")
        self._made: Any = None
        self._is_ready = redis is not None

    @property
    def huey(self) -> Any:
        """The queue as huey has it, maybe without its storage."""
        if self._made is None:
            self._made = self._make()
        return self._made

    @property
    def works(self) -> bool:
        """Whether the queue answered when it was last used."""
        return not self._breaker.is_open

    def send(self, job_id: str) -> bool:
        """Tell workers of a job. Return False if that is not possible now."""
        if self._breaker.is_open:
            return False
        try:
            if self._storage().queue_size() >= MOST:
                return False
            self.huey.enqueue(self.huey.job(id=job_id))
        except Exception as error:  # noqa: BLE001 - whatever it is, jobs go on without
            self._breaker.failed(error)
            return False
        self._breaker.answered(wrote=True)
        return True

    def receive(self) -> str | None:
        """Return the id of a job to check, or None if the queue is empty or out of reach."""
        if self._breaker.is_open:
            return None
        try:
            self._storage()
            message = self.huey.dequeue()
        except msgspec.MsgspecError as error:
            log.warning("dropped a message that is not a job's: %s", type(error).__name__)
            return None
        except Exception as error:  # noqa: BLE001 - whatever it is, jobs go on without
            self._breaker.failed(error)
            return None
        self._breaker.answered()
        return None if message is None else str(message.id)

    def are_read(self) -> bool:
        """Return whether the queue is empty, so all messages were received or lost."""
        if self._breaker.is_open:
            return False
        try:
            return bool(self._storage().queue_size() == 0)
        except Exception as error:  # noqa: BLE001 - whatever it is, jobs go on without
            self._breaker.failed(error)
            return False

    def close(self) -> None:
        """Close the file until it is used again."""
        if self._made is not None and self._redis is None:
            self._made.storage.close()

    def _storage(self) -> Any:
        storage = self.huey.storage
        if not self._is_ready:
            (self._folder / FILE).touch(mode=0o600)  # SQLite would make it readable by everyone
            storage.initialize_schema()
            self._is_ready = True
        return storage

    def _make(self) -> Any:
        # A consumer's dependency, which most commands do without.
        from huey import RedisHuey, SqliteHuey  # type: ignore[import-untyped]

        options = {"serializer": _Json(), "results": False}
        if self._redis is not None:
            pool = self._redis.client.connection_pool
            # Its connections are those of short commands, so nothing waits for Redis.
            made = RedisHuey(QUEUE, connection_pool=pool, blocking=False, **options)
        else:
            made = SqliteHuey(
                QUEUE,
                filename=str(self._folder / FILE),
                timeout=FILE_WAIT_SECONDS,
                create_tables=False,
                **options,
            )
        made.job = made.task(name=_TASK)(_never_called).task_class
        return made


_TASK = "job"


def _never_called() -> None:
    """Never called: workers read the message's id and the row instead."""


class _Json:
    """huey's serializer, for messages with only an id.

    huey's own would unpickle what it finds in the queue, so anyone who can write there could run
    code here.
    """

    def serialize(self, message: Any) -> bytes:
        """Return the message of a task."""
        return msgspec.json.encode(_Message(message.id))

    def deserialize(self, data: bytes) -> Any:
        """Return the task's message.

        :raises msgspec.MsgspecError: for anything else.
        """
        from huey.registry import Message  # type: ignore[import-untyped]

        found = msgspec.json.decode(data, type=_Message)
        return Message(id=found.id, name=f"{__name__}.{_TASK}")
