"""The child's part of a batch: run analyzers on several codes, and report each outcome."""

from __future__ import annotations

import shutil
import socket
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from codeintel.contracts import Analyzer, AnalyzerOutput, AnalyzerRequest
from codeintel.platform.workers.protocol import (
    BatchJob,
    BatchMessage,
    BatchPart,
    Budget,
    Done,
    send_frame,
)

_LOST = (BrokenPipeError, ConnectionResetError)
"""The errors of a connection whose server no longer waits."""


def run_batch(connection: socket.socket, job: BatchJob, analyzers: Mapping[str, Analyzer]) -> None:
    """Do a batch, and send the outputs of each analyzer for each request, the last being `Done`.

    :raises BrokenPipeError: if the server does not wait for the outputs.
    """
    for part in job.parts:
        missing = dict.fromkeys(part.requests)
        requests = [job.requests[number] for number in part.requests]
        try:
            for place, outputs in _results(analyzers[part.analyzer], requests, job.together):
                number = part.requests[place]
                del missing[number]
                _send_outputs(connection, part, number, outputs)
                _empty_folder()
        except _LOST:
            raise
        except BaseException as error:  # noqa: BLE001 - the server runs what is missing alone
            done = Done(error=describe_place(error))
        else:
            done = Done(error="no output")
        for number in missing:
            send_frame(connection, BatchMessage(part.place, number, done))


def _results(
    analyzer: Analyzer, requests: Sequence[AnalyzerRequest], together: bool
) -> Iterator[tuple[int, Iterable[AnalyzerOutput]]]:
    if together:
        return analyzer.analyze_many(requests)
    return Analyzer.analyze_many(analyzer, requests)


def _send_outputs(
    connection: socket.socket, part: BatchPart, number: int, outputs: Iterable[AnalyzerOutput]
) -> None:
    budget = Budget()
    done = Done()
    try:
        for output in outputs:
            if not budget.admits(output):
                done = Done(truncated=True)
                break
            budget.spend(send_frame(connection, BatchMessage(part.place, number, output)))
    except _LOST:
        raise
    except BaseException as error:  # noqa: BLE001 - a child reports whatever ended its work
        done = Done(error=describe_place(error))
    send_frame(connection, BatchMessage(part.place, number, done))


def _empty_folder() -> None:
    """Remove the files that an analyzer left in the working folder."""
    for path in Path().iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


def describe_place(error: BaseException) -> str:
    """Return the type of an exception and its place in the plugin, for the plugin's author.

    The text is left out, because it may quote the code.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"[:200]
