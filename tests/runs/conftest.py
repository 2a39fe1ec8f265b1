"""Runs on the databases."""

from __future__ import annotations

import pytest
from flask import Flask
from scripted_runs import (
    Runs,
)
from sqlalchemy import Engine as Database

from codeintel.db import db
from codeintel.services import Services


@pytest.fixture
def database(database_app: Flask) -> Database:
    with database_app.app_context():
        return db.engine


@pytest.fixture
def runs(database_services: Services, database: Database) -> Runs:
    """Runs on each kind of database."""
    return Runs(database_services, database)


@pytest.fixture
def sqlite_runs(app: Flask, services: Services) -> Runs:
    """Runs on SQLite, for what does not depend on the database."""
    with app.app_context():
        return Runs(services, db.engine)
