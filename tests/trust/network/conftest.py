"""A database with the network's tables, of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Engine, create_engine

from codeintel.platform.db import _prepare_sqlite, db
from codeintel.platform.db.models import Base
from codeintel.platform.db.writer import Writer
from codeintel.trust import tables


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Provide SQLite as in applications, without an application, which takes longer to create."""
    made = create_engine(f"sqlite:///{tmp_path / 'network.db'}", connect_args={"timeout": 0})
    _prepare_sqlite(made)
    networks = [tables.TrustNode, tables.TrustEdge, tables.TrustRanking, tables.TrustRank]
    wanted = [model.__table__ for model in (*networks, tables.TrustPackage)]
    Base.metadata.create_all(made, tables=wanted)  # type: ignore[arg-type]
    yield made
    made.dispose()


@pytest.fixture
def each_engine(database_app: Flask) -> Engine:
    """Return SQLite and PostgreSQL, of an application."""
    with database_app.app_context():
        return db.engine


@pytest.fixture
def writer(engine: Engine) -> Writer:
    """Return the writer over SQLite."""
    return Writer(engine)


@pytest.fixture
def each_writer(each_engine: Engine) -> Writer:
    """Return the writer over SQLite and over PostgreSQL."""
    return Writer(each_engine)
