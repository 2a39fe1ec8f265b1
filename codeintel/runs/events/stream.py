"""Event logs in Redis, with a stream for each run, for readers at other processes.

An entry's id is `<sequence>-<epoch>` (https://redis.io/docs/latest/develop/data-types/streams/).
The sequence numbers the run's events, and the epoch identifies the holder of the run that wrote the
entry. A process that has lost the run to another, and does not know it yet, cannot add events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import redis

from codeintel.contracts.states import FIRST_EPOCH
from codeintel.runs.events.log import MAX_EVENTS

PAGE = 500
"""Number of events that are read or written at a time."""
READING_SECONDS = 5
"""How long a reader at another process counts after its last report, in seconds."""

# KEYS: the stream. ARGV: epoch, seconds to live, seconds to live once the run has ended, maximum
# number of events, number of the first event, number of the earliest event that the writer has.
# Then follow each event's frame and "1" for the last event. The script returns the number of
# the last event in the stream, or -1 if a later holder has written. It leaves no gap, unless the
# writer cannot fill the gap. Events that the first holder has dropped, because its log was too
# large, are dropped here as well, so that streams are also bounded in bytes.
_ADD = """
local last, epoch = 0, 0
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if #newest > 0 then
  local dash = string.find(newest[1][1], '-', 1, true)
  last = tonumber(string.sub(newest[1][1], 1, dash - 1))
  epoch = tonumber(string.sub(newest[1][1], dash + 1))
end
if epoch > tonumber(ARGV[1]) then return -1 end
local number = tonumber(ARGV[5])
if number > last + 1 and number > tonumber(ARGV[6]) then return last end
local life = ARGV[2]
for at = 7, #ARGV, 2 do
  if number > last then
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], number .. '-' .. ARGV[1],
               'f', ARGV[at], 'e', ARGV[at + 1])
    last = number
  end
  if ARGV[at + 1] == '1' then life = ARGV[3] end
  number = number + 1
end
if ARGV[1] == '%d' then redis.call('XTRIM', KEYS[1], 'MINID', ARGV[6] .. '-0') end
redis.call('EXPIRE', KEYS[1], life)
return last
""".replace("%d", str(FIRST_EPOCH))
_LAST_EPOCH = 2**63 - 1


class Entry(NamedTuple):
    """An event of a run, in the form in which it is sent."""

    number: int
    frame: bytes
    is_last: bool
    epoch: int
    """The epoch of the holder that wrote it."""


class Page(NamedTuple):
    """Consecutive events of a run, written by the holder of `epoch` and numbered from `first`.

    `earliest` is the first event that the writer still has.
    """

    run_id: str
    epoch: int
    first: int
    earliest: int
    frames: Sequence[bytes]
    ends: bool
    """Whether the last of them is the run's last event."""


class RunStreams:
    """Reads and writes streams. Every method may raise :class:`redis.RedisError`.

    :param retention: how long, in seconds, a stream is stored after the last write.
    :param kept: how long, in seconds, the stream of an ended run is stored, if that is shorter. Its
        result is in the database.
    """

    def __init__(self, client: redis.Redis, retention: float, kept: float) -> None:
        self._redis = client
        self._lives = max(1, int(retention)), max(1, int(min(kept, retention)))
        self._add = client.register_script(_ADD)

    def add(self, pages: Sequence[Page]) -> list[int]:
        """Write pages of several runs in one round trip.

        Returns for each page the number of the last stored event, to continue from, or -1 if the
        run has another holder.
        """
        pipeline = self._redis.pipeline(transaction=False)
        for page in pages:
            arguments: list[Any] = [page.epoch, *self._lives, MAX_EVENTS, page.first]
            arguments.append(page.earliest)
            for number, frame in enumerate(page.frames, 1):
                is_last = page.ends and number == len(page.frames)
                arguments += (frame, int(is_last))
            self._add(keys=[_key(page.run_id)], args=arguments, client=pipeline)
        return [int(answer) for answer in pipeline.execute()]

    def exists(self, run_id: str) -> bool:
        """Return whether a run has events."""
        return bool(self._redis.exists(_key(run_id)))

    def read(self, positions: Mapping[str, int]) -> dict[str, list[Entry]]:
        """Return the events after the given numbers of runs, up to 500 for each run."""
        streams = {_key(run_id): f"{after}-{_LAST_EPOCH}" for run_id, after in positions.items()}
        answer: Any = self._redis.xread(streams, count=PAGE)  # type: ignore[arg-type]
        return {_run_id(key): [_entry(*each) for each in entries] for key, entries in answer}

    def last(self, run_id: str) -> Entry | None:
        """Return the newest event of a run, or None."""
        newest: Any = self._redis.xrevrange(_key(run_id), count=1)
        return _entry(*newest[0]) if newest else None

    def note_readers(self, run_ids: Iterable[str]) -> None:
        """Report to the holders of runs that they have readers at this process."""
        pipeline = self._redis.pipeline(transaction=False)
        for run_id in run_ids:
            pipeline.set(_readers_key(run_id), 1, ex=READING_SECONDS)
        pipeline.execute()

    def has_readers(self, run_id: str) -> bool:
        """Return whether a process has reported a reader within the last 5 s."""
        return bool(self._redis.exists(_readers_key(run_id)))


def _key(run_id: str) -> str:
    return f"codeintel:run:{run_id}:events"


def _readers_key(run_id: str) -> str:
    return f"codeintel:run:{run_id}:read"


def _run_id(key: bytes) -> str:
    return key.decode().split(":")[2]


def _entry(id_: bytes, fields: Mapping[bytes, bytes]) -> Entry:
    number, epoch = id_.split(b"-", 1)
    return Entry(int(number), fields[b"f"], fields[b"e"] == b"1", int(epoch))
