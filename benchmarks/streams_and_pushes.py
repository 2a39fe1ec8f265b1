"""Check that streams end with their last event, and measure pushes during the streams.

    python benchmarks/streams_and_pushes.py [--streams 60] [--seconds 30] [--files 200]
        [--pushes 5] [--lines 40] [--database URL]

Starts codeintel over a model API that takes 3.5 seconds for an answer, which is longer than the
interval at which a stream's key is checked. `--streams` clients repeatedly read streams with one
key, while pushes of new files are timed, one at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import requests
from gateway_parts import servers, use_fast_loop
from gateway_parts.load import Load

CHUNKS, PACED_MILLISECONDS = 50, 70.0
DELAY_SECONDS = 3.0
"""From the first stream to the first push."""
PUSH_PATH = "/api/workspace/sync"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--streams", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--pushes", type=int, default=5)
    parser.add_argument("--lines", type=int, default=40, help="of each file")
    parser.add_argument("--database", default="", help="URL; SQLite by default")
    options = parser.parse_args()
    use_fast_loop()
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.upstream(CHUNKS, PACED_MILLISECONDS) as api,
        servers.codeintel(
            "codeintel", api, Path(folder) / "0", options.database, "", evidence=False
        ) as service,
    ):
        target = service.targets["paced"]
        took: list[float] = []
        pusher = threading.Thread(
            target=push_all, args=(target.url, target.headers, options, took), daemon=True
        )
        load = Load(target, options.streams)
        pusher.start()
        asyncio.run(load.measure(1.0, options.seconds, lambda: None))
        pusher.join(60)
    ends = Counter(sample.error or "complete" for sample in load.samples)
    print(f"streams: {dict(ends)}")
    if took:
        print(
            f"pushes of {options.files} files: median {statistics.median(took):.2f} s, "
            f"longest {max(took):.2f} s"
        )


def push_all(
    url: str, headers: Mapping[str, str], options: argparse.Namespace, took: list[float]
) -> None:
    """Push, each time with all files changed."""
    base = url.removesuffix("/api/v1/analyze/stream")
    time.sleep(DELAY_SECONDS)
    for number in range(options.pushes):
        files = {
            f"/src/module_{index}.py": "".join(
                f"value_{line} = {number} * {index} + {line}\n" for line in range(options.lines)
            )
            for index in range(options.files)
        }
        began = time.monotonic()
        answer = requests.post(
            base + PUSH_PATH,
            json={"name": "pushes", "files": files},
            headers=dict(headers),
            timeout=60,
        )
        took.append(time.monotonic() - began)
        if not answer.ok:
            raise SystemExit(f"a push was answered {answer.status_code}: {answer.text[:300]}")
        time.sleep(1.0)


if __name__ == "__main__":
    main()
