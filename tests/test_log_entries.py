"""Entries of the log: what is in them, and what cannot come out of them."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import sys
from contextlib import closing
from contextvars import Context
from datetime import datetime
from typing import Any

import gevent
import pytest
from hypothesis import given, strategies as st
from psycopg.errors import DeadlockDetected
from sqlalchemy.exc import OperationalError

from codeintel.base import logging as log_context, logging as logs
from codeintel.base.logging import JsonFormatter, TextFormatter, describe

NASTY = "x\n2026-01-01 00:00:00,000 ERROR codeintel: forged\r\x1b[2J\x85\u2028\u202e\x00\udc80"
SECRET = "hunter2"
TEXT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ \S+: ")


def record(message: Any, *arguments: Any, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord("codeintel.x", logging.ERROR, "f.py", 1, message, arguments, None)
    vars(made).update(more)
    return made


def raised() -> ValueError:
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        return error


def told(made: logging.LogRecord) -> dict[str, Any]:
    line = JsonFormatter().format(made)
    assert "\n" not in line
    entry: dict[str, Any] = json.loads(line)
    return entry


def told_of_nobody(made: logging.LogRecord) -> dict[str, Any]:
    """Return the entry without bound values, because the requests of other tests leave their ids
    in this thread."""
    return Context().run(told, made)


def test_a_json_entry_has_what_it_is_to_have() -> None:
    entry = told_of_nobody(record("it took %d s", 5, created=1_700_000_000.25))
    assert entry == {
        "time": "2023-11-14T22:13:20.250Z",
        "level": "ERROR",
        "logger": "codeintel.x",
        "message": "it took 5 s",
    }
    assert datetime.fromisoformat(entry["time"]).tzinfo is not None


@pytest.mark.parametrize("more", [{}, {"exc_info": True}], ids=["described", "exc_info"])
def test_an_exception_is_its_type_and_frames(more: dict[str, Any]) -> None:
    error = raised()
    made = record("it failed: %s", describe(error))
    if more:
        made = record("it failed", exc_info=(type(error), error, error.__traceback__))
    entry = told(made)
    assert entry["message"] == "it failed: ValueError"
    assert entry["exception"]["type"] == "ValueError"
    (frame,) = entry["exception"]["frames"]
    assert frame == {"file": __file__, "line": error.__traceback__.tb_lineno, "function": "raised"}  # type: ignore[union-attr]
    text = TextFormatter().format(made)
    first, *rest = text.splitlines()
    assert first.endswith("it failed: ValueError")
    assert rest
    assert all(line.startswith("  ") for line in rest)
    assert SECRET not in text + json.dumps(entry)


class Cancelled(Exception):  # noqa: N818 - as drivers call theirs
    """A driver's exception."""

    sqlstate = "57014"


def behind(cause: Exception) -> Exception:
    """Return SQLAlchemy's exception for a driver's."""
    return OperationalError(f"SELECT '{SECRET}'", {"key": SECRET}, cause)


@pytest.mark.parametrize(
    ("error", "label"),
    [
        (behind(Cancelled(SECRET)), "OperationalError (Cancelled, 57014)"),
        (behind(DeadlockDetected(SECRET)), "OperationalError (DeadlockDetected, 40P01)"),
        (behind(ValueError(SECRET)), "OperationalError (ValueError)"),
        (Cancelled(SECRET), "Cancelled (57014)"),
    ],
)
def test_a_database_error_has_its_code_and_cause(error: Exception, label: str) -> None:
    made = record("it failed: %s", describe(error))
    assert TextFormatter().format(made).endswith(f"it failed: {label}")
    entry = told(made)
    assert entry["message"] == f"it failed: {label}"
    named = [entry["exception"].get(name) for name in ("type", "cause", "sqlstate")]
    assert [name for name in named if name] == re.findall(r"\w+", label)
    assert SECRET not in json.dumps(entry)


def test_sqlite_names_its_error() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("SELECT * FROM nowhere")
        except sqlite3.OperationalError as error:
            assert describe(error).label == "OperationalError (SQLITE_ERROR)"


@pytest.mark.parametrize("code", ["", 57014, "57014; x", f"{SECRET} " * 9])
def test_a_code_of_another_shape_is_left_out(code: Any) -> None:
    error = Cancelled()
    error.sqlstate = code
    assert describe(error).label == "Cancelled"


@given(st.text(), st.sampled_from(["%s", "request %s failed", "%r"]))
def test_no_text_makes_another_entry(text: str, message: str) -> None:
    for value in (text, NASTY, NASTY + text):
        for made in (record(message, value), record(value), record(value.replace("%", ""))):
            line = TextFormatter().format(made)
            assert TEXT.match(line)
            assert line.isprintable()
            entry = told_of_nobody(made)
            assert set(entry) == {"time", "level", "logger", "message"}


def test_fields_are_escaped() -> None:
    entry = told(record("GET", codeintel_fields={"path": NASTY}))
    assert entry["path"] == NASTY
    assert JsonFormatter().format(record(NASTY)).isascii()


@pytest.mark.parametrize(
    ("message", "arguments"),
    [("%d and %d", (SECRET, SECRET)), ("%s", (SECRET, SECRET)), ("%(a)s", ({"b": SECRET},))],
)
def test_arguments_that_do_not_fit_are_left_out(message: str, arguments: tuple[Any, ...]) -> None:
    for formatter in (TextFormatter(), JsonFormatter()):
        line = formatter.format(record(message, *arguments))
        assert SECRET not in line
        assert message in line


def test_urls_lose_their_users() -> None:
    line = TextFormatter().format(record("cannot reach %s", f"https://me:{SECRET}@git.example/x"))
    assert line.endswith("cannot reach https://***@git.example/x")


def test_a_greenlet_has_its_ids_and_those_of_who_started_it() -> None:
    found: dict[str, Any] = {}

    def run() -> None:
        log_context.bind(run_id="run_1")
        gevent.sleep(0)
        found["run"] = told(record("x"))

    def request(number: int) -> None:
        log_context.begin_request(f"r{number}")
        log_context.spawn(run).join()
        with log_context.bound(job_id="job_1"):
            gevent.sleep(0)
            found["job"] = told(record("x"))
        found["request"] = told(record("x"))
        gevent.spawn(lambda: found.update(other=told(record("x")))).join()
        log_context.begin_request("next")
        found["next"] = told(record("x"))

    gevent.joinall([gevent.spawn(request, number) for number in (1, 2)], raise_error=True)
    ids = {
        name: {key: entry[key] for key in entry if key.endswith("_id")}
        for name, entry in found.items()
    }
    assert ids == {
        "run": {"request_id": "r2", "run_id": "run_1"},
        "job": {"request_id": "r2", "job_id": "job_1"},
        "request": {"request_id": "r2"},
        "other": {},
        "next": {"request_id": "next"},
    }


def test_what_ends_a_greenlet_is_logged_without_its_arguments(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: Any
) -> None:
    hub = gevent.get_hub()
    monkeypatch.setattr(hub, "print_exception", hub.print_exception)
    logs.watch_greenlets()

    def fail(_secret: str) -> None:
        raise raised()

    gevent.spawn(fail, SECRET).join()
    assert "a greenlet failed: ValueError" in caplog.text
    assert SECRET not in caplog.text
    assert capsys.readouterr().err == ""


def test_what_nobody_catches_is_logged_without_its_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("excepthook", "unraisablehook"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(logs.threading, "excepthook", logs.threading.excepthook)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    try:
        logs.configure()
        error = raised()
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        logging.captureWarnings(capture=False)
        for name in ("alembic", "authlib", "huey"):
            logging.getLogger(name).setLevel(logging.NOTSET)
    assert "the process failed: ValueError" in caplog.text
    assert SECRET not in caplog.text
