"""A drop-in with analyzers and detectors that abuse a worker process in every way.

Instance folders have a link to it, so its imports are next to the file that the link leads to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer, LanguageDetector

sys.path.append(str(Path(__file__).resolve().parent))

import hostile_batches
import hostile_endings  # noqa: F401 - makes analyzers
import hostile_outputs  # noqa: F401 - makes analyzers
from hostile_detectors import TELLERS
from hostile_traces import CONFIG
from hostile_tricks import ACTS, Trick


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Any) -> None:
    CONFIG.update(config)
    for act, timeout in ACTS.values():
        register(Trick(act, timeout))
    register(hostile_batches.MindsAllFiles())


@hookimpl
def register_language_detectors(register: Callable[[LanguageDetector], None]) -> None:
    for teller in TELLERS:
        register(teller)
