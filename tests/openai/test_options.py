"""Settings of the model engine that depend on others."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.openai.settings import FIRST_TOKEN_TIMEOUT, read_options

FIRST = FIRST_TOKEN_TIMEOUT.name


@pytest.mark.parametrize(
    ("config", "seconds"),
    [
        ({}, 60.0),
        ({"CODEINTEL_RUN_TIMEOUT": 120.0}, 60.0),
        ({"CODEINTEL_RUN_TIMEOUT": 120.0, FIRST: 5.0}, 10.0),
        # What hangs must not use up the run, which would be charged for its time.
        ({"CODEINTEL_RUN_TIMEOUT": 20.0}, 10.0),
        ({"CODEINTEL_RUN_TIMEOUT": 120.0, FIRST: 600.0}, 60.0),
    ],
)
def test_silent_models_leave_time_for_another_answer(
    config: dict[str, Any], seconds: float
) -> None:
    assert read_options(config).begin_timeout == seconds
