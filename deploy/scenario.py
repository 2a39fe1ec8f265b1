"""Runs codeintel on three nodes and two workers behind nginx, on this machine and to be tried out:
`python deploy/scenario.py`.

PostgreSQL, Redis and nginx are started from the installed programs, in temporary folders and on
free ports; nginx has the configuration of this folder. With Ctrl-C everything ends, and is deleted.
It needs an installation with the extra `test`, and is what tests/server/test_many_nodes.py runs.
"""

from __future__ import annotations

import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "server")]

import pytest  # noqa: E402
from many_nodes import running_installation  # noqa: E402
from servers import PostgresServer, RedisServer, running  # noqa: E402
from support import make_user  # noqa: E402

from codeintel.base.entitlements import Tier  # noqa: E402


def main() -> int:
    """Run it until a signal comes; returns the exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="codeintel-")))
            postgres, redis = PostgresServer(), RedisServer()
            stack.enter_context(running(postgres))
            stack.enter_context(running(redis))
            print("Starting three nodes, two workers and nginx ...", flush=True)
            many = stack.enter_context(
                running_installation(folder, postgres.url, redis.url, plugin="")
            )
            scopes = ("api:v1", "workspace:write")
            user = make_user(
                many.services, "you@example.org", tier=Tier.TEAM, credits_=1000, scopes=scopes
            )
            link = many.services.links.make(user.account.id)
            print(
                f"\n  nodes         {' '.join(node.url for node in many.nodes)}\n"
                f"  nginx         {many.front.url}, its files in {many.front.folder}\n"
                f"  sign in at    {many.front.url}/signin/{link}\n\n"
                f"export CODEINTEL_URL={many.front.url}\n"
                f"export CODEINTEL_API_KEY={user.token}\n"
                f"export REQUESTS_CA_BUNDLE={many.front.bundle}\n"
                "codeintel analyze path/to/module.py\n\nCtrl-C ends it.",
                flush=True,
            )
            signal.pause()
    except KeyboardInterrupt:
        return 0
    except pytest.skip.Exception as missing:
        print(f"It cannot run here: {missing.msg}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
