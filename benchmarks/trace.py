"""Through how many files a request goes, and how often it moves from one to another.

    python benchmarks/trace.py [--code FILE] [--list]

Makes an application in this process, without the cache of results, and posts one analysis and one
transformation of six lines through it. `sys.setprofile` sees each call: a *file* counts if a
function of it runs between the request and the terminal event, a *move* is a call from one of our
files into another. The analyzers' processes do their work elsewhere and are not seen. The first
request of each kind, which loads modules and fills caches, is not counted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import codeintel
from codeintel import create_app

ROOT = Path(codeintel.__file__).parents[1]
OURS = (str(ROOT / "codeintel"), str(ROOT / "plugins" / "codeintel_plugins"))
ANALYSIS = "import pickle\n\n\ndef load(data):\n    # as it came\n    return pickle.loads(data)\n"
TRANSFORMATION = "def add(a, b):\n    total = a + b\n    return total\n\n\nprint(add(1, 2))\n"


class Trace:
    """Counts calls while it is on."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.moves: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> Trace:
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(OURS):
            return
        here = frame.f_code.co_filename
        self.files[here] += 1
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(OURS):
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != here:
            self.moves[caller.f_code.co_filename, here] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--code", type=Path, help="a Python file to analyze instead of six lines")
    parser.add_argument("--list", action="store_true", help="name files and moves")
    options = parser.parse_args()
    code = options.code.read_text() if options.code else ANALYSIS
    with tempfile.TemporaryDirectory(prefix="codeintel-trace-") as folder:
        app = create_app({"CODEINTEL_INSTANCE": folder, "CODEINTEL_RESULT_CACHE": "0"})
        post = poster(app)
        for path, body in (
            ("/api/v1/analyze/stream", {"code": code, "language": "python"}),
            (
                "/api/v1/transform/stream",
                {"code": TRANSFORMATION, "language": "python", "transformation": "refactor"},
            ),
        ):
            post(path, body)
            with Trace() as trace:
                post(path, body)
            show(path, trace, is_listed=options.list)


def poster(app: Any) -> Callable[[str, dict[str, str]], None]:
    """Posts bodies with a key of an account without limits, and reads answers to their end."""
    from codeintel.base.entitlements import Tier
    from codeintel.platform.db.migrate import ensure_schema

    with app.app_context():
        ensure_schema(app)
        services = app.extensions["codeintel"]
        account = services.accounts.create("trace@example.org", Tier.FREE, 100, unlimited=True)
        _, key = services.keys.create(account.id, "trace", ["api:v1"])

    def post(path: str, body: dict[str, str]) -> None:
        answer = app.test_client().post(
            path, json=body, headers={"Authorization": f"Bearer {key}"}, buffered=True
        )
        if b"event: run.completed" not in answer.data:
            raise SystemExit(f"{path}: {answer.status}\n{answer.text}")

    return post


def show(path: str, trace: Trace, *, is_listed: bool) -> None:
    print(f"{path:26} {len(trace.files):4} files {sum(trace.moves.values()):6} moves")
    if is_listed:
        for name, count in trace.files.most_common():
            print(f"    {count:6} {Path(name).relative_to(ROOT)}")
        for (one, other), count in trace.moves.most_common():
            print(f"    {count:6} {Path(one).relative_to(ROOT)} > {Path(other).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
