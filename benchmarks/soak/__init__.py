"""A long, mixed load on real servers, and what must be true behind it: see `.ci/soak`.

Fake upstreams, servers and the books' checks are those of the tests.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2] / "tests"
sys.path += [str(TESTS), str(TESTS / "server")]
