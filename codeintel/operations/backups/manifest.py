"""What a backup says of itself."""

from __future__ import annotations

import msgspec

FORMAT = "codeintel backup"
VERSION = 1
MANIFEST = "manifest.json"
SECRETS = "secrets.json"


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file in the archive. `sha256` is of its bytes as they are unpacked."""

    sha256: str
    bytes: int


def table_path(name: str) -> str:
    """The name of a table's file in the archive."""
    return f"tables/{name}.jsonl"


class TablePart(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rows of one table: a JSON list a line, with the values of `columns` in their order,
    bytes in base64."""

    name: str
    columns: tuple[str, ...]
    rows: int

    @property
    def path(self) -> str:
        """Its name in the archive."""
        return table_path(self.name)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. It is written last, so a backup that was cut off has none."""

    format: str
    version: int
    product: str
    """The version of codeintel that made it."""
    revision: str
    """Of the schema, as the migrations number it."""
    database: str
    """`sqlite` or `postgresql`: where it came from. It may go to either."""
    made_ms: int
    tables: tuple[TablePart, ...]
    secrets: Part | None = None


class Secrets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a backup has beside the database, if it was asked to."""

    key_pepper: str
