"""The engine's tests run it here, where nothing has limited the threads of numpy yet."""

from __future__ import annotations

import os

from codeintel.trust.forecasts.child import ONE_THREAD

# Threads that wait for each other on a busy machine take a hundred times as long.
os.environ.update(ONE_THREAD)
