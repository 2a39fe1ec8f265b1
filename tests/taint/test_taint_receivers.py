"""Common method names are sinks only on dangerous receivers."""

from __future__ import annotations

import pytest
from codeintel_plugins.taint import TaintAnalyzer

from codeintel.contracts import AnalyzerRequest, Model, Reported

FLASK = "from flask import request\nq = request.args['q']\n"
GIN = 'package main\nfunc show(c *gin.Context) {\n\tq := c.Query("q")\n\t%s\n}\n'
SQL = "SELECT * FROM t WHERE a = "

HARMLESS = [
    ("python", FLASK + "bus.execute(Search(q))"),
    ("python", FLASK + "workflow.execute(q)"),
    ("python", FLASK + "import sqlalchemy\nschema.execute(q)"),
    ("python", FLASK + "doors.open(q)"),
    ("python", FLASK + "client.get(q)"),
    ("go", GIN % "bus.Exec(q)"),
    ("go", 'import "database/sql"\n' + GIN % "s.commandBus.Exec(q)"),
    ("go", GIN % "report.Group(q)"),
    ("go", GIN % "store.Get(ctx, q)"),
    ("php", "<?php $dispatcher->exec($_GET['q']);"),
    ("php", "<?php new PDO($dsn); $this->bus->query($_GET['q']);"),
    ("javascript", "app.get('/', (req, res) => { bus.query(req.query.q); });"),
]
HARMFUL = [
    ("python", FLASK + "handle.execute(f'" + SQL + "{q}')", "sql"),
    ("python", FLASK + "import sqlite3\nthings.execute(q)", "sql"),
    ("python", FLASK + "open(q)", "path"),
    ("python", FLASK + "import httpx\nclient.get(q)", "url"),
    ("go", GIN % ('x.Exec("' + SQL + '" + q)'), "sql"),
    ("go", 'import "database/sql"\n' + GIN % "s.things.Query(q)", "sql"),
    ("php", "<?php $things->exec(\"" + SQL + "{$_GET['q']}\");", "sql"),
    ("php", "<?php exec($_GET['q']);", "command"),
    ("php", "<?php \\exec($_GET['q']);", "command"),
    ("javascript", "import pg from 'pg';\n"
                   "app.get('/', (req, res) => { x.query(req.query.q); });", "sql"),
]  # fmt: skip


def classes(code: str, language: str) -> list[str]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, language, Model.PRO))
    rules = (each.finding.rule_id for each in outputs if isinstance(each, Reported))
    return [rule.removeprefix("taint-") for rule in rules]


@pytest.mark.parametrize(("language", "code"), HARMLESS)
def test_namesakes_of_sinks_are_none(language: str, code: str) -> None:
    assert classes(code, language) == []


@pytest.mark.parametrize(("language", "code", "wanted"), HARMFUL)
def test_a_call_is_one_sink(language: str, code: str, wanted: str) -> None:
    assert classes(code, language) == [wanted]
