"""`python -m soak`: the whole of it, or one part. Prints a table; exits 1 if a bound is broken."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from gateway_parts import use_fast_loop

from soak.mixed import soak_mixed
from soak.streams import soak_streams
from soak.verdict import Verdict


def main() -> None:
    parser = argparse.ArgumentParser(prog="soak", description=(__doc__ or "").split("`: ")[1])
    parser.add_argument("--only", choices=("streams", "mixed"))
    parser.add_argument("--streams", type=int, default=2_000, help="at once")
    parser.add_argument("--pace", type=float, default=5.0, help="pieces a second of each stream")
    parser.add_argument("--minutes", type=float, default=10.0, help="of mixed load")
    parser.add_argument("--clients", type=int, default=12, help="of the mixed load, at once")
    parser.add_argument(
        "--shared", action="store_true", help="two workers over PostgreSQL and Redis, for SQLite"
    )
    options = parser.parse_args()
    use_fast_loop()
    verdict = Verdict()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        if options.only != "mixed":
            soak_streams(Path(folder) / "streams", options.streams, options.pace, verdict)
        if options.only != "streams":
            soak_mixed(
                Path(folder) / "mixed", options.minutes, options.clients, options.shared, verdict
            )
    verdict.show()
    sys.exit(1 if verdict.broken else 0)


if __name__ == "__main__":
    main()
