"""Check the imports of worker processes, because each megabyte of the zygote slows down forks."""

from __future__ import annotations

import json
import subprocess
import sys

from codeintel.app import TEXT_FUNCTIONS

SERVICE = {"authlib", "flask", "flask_limiter", "gevent", "redis", "requests", "sqlalchemy"}
PROGRAM = """
import json, sys
import codeintel.platform.workers.child
from codeintel.platform.workers.text_functions import load_functions

load_functions(sys.argv[1:])
print(json.dumps(sorted(sys.modules)))
"""


def test_text_functions_import_nothing_of_the_service() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, *TEXT_FUNCTIONS],
        capture_output=True,
        check=True,
        text=True,
        timeout=120,
    )
    assert SERVICE.isdisjoint(json.loads(answer.stdout))
