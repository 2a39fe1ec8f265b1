"""The ways of values through JavaScript, TypeScript, Java, PHP and Go."""

from __future__ import annotations

import pytest
from codeintel_plugins.taint import TaintAnalyzer
from msgspec import UNSET

from codeintel.contracts import AnalyzerRequest, Finding, Model, Reported, StepKind

# How a handler looks in each language; @@ is its body.
HANDLERS = {
    "javascript": """\
const express = require("express");
const { exec } = require("child_process");
const ALLOWED = ["a", "b"];
const TABLE = { a: "one" };
const app = express();
app.get("/", (req, res) => {
@@
});
""",
    "typescript": """\
import express, { Request, Response } from "express";
import { exec } from "child_process";
const ALLOWED: string[] = ["a", "b"];
const TABLE: Record<string, string> = { a: "one" };
const app = express();
app.get("/", (req: Request, res: Response): void => {
@@
});
""",
    "java": """\
import java.util.*;
public class Run extends HttpServlet {
    static final Set<String> ALLOWED = Set.of("a", "b");
    static final Map<String, String> TABLE = Map.of("a", "one");
    protected void doGet(HttpServletRequest req, HttpServletResponse res) throws IOException {
@@
    }
    String build(String name) {
        return "ls " + name;
    }
    void go(String command) throws IOException {
        Runtime.getRuntime().exec(command);
    }
}
""",
    "php": """\
<?php
const ALLOWED = ['a', 'b'];
const TABLE = ['a' => 'one'];
function build($name) {
    return "ls " . $name;
}
function go($command) {
    system($command);
}
function view() {
@@
}
""",
    "go": """\
package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
)

var allowed = map[string]bool{"a": true}
var table = map[string]string{"a": "one"}

func build(name string) string { return "ls " + name }

func both(a, b string) (string, string) { return a, b }

func run(command string) { exec.Command("sh", "-c", command).Run() }

func view(w http.ResponseWriter, r *http.Request) {
@@
}
""",
}

JS_CARRIED = [
    "exec(req.query.x);",
    "const x = req.query.x; exec(x);",
    "const { x } = req.query; exec(x);",
    "exec(`ls ${req.params.x}`);",
    'let c = "ls "; c += req.body.x; exec(c);',
    'exec(["ls", req.query.x].join(" "));',
    "const o = { a: req.query.x }; exec(o.a);",
    "const xs = []; xs.push(req.query.x); exec(xs[0]);",
    "const c = req.query.x || 'ls'; exec(c);",
    "const c = y ? req.query.x : 'ls'; exec(c);",
    "let c = 'ls'; if (y) { c = req.query.x; } exec(c);",
    "for (const x of req.body.xs) { exec(x); }",
    "req.body.xs.forEach((x) => exec(x));",
    "const build = (n) => 'ls ' + n; exec(build(req.query.x));",
    "function go(c) { exec(c); } go(req.query.x);",
    "const x = req.query.x; if (!x) { return; } exec(x);",
    "const x = req.query.x.trim().toLowerCase(); exec(x);",
]
JS_STOPPED = [
    "exec('ls');",
    "const x = Number(req.query.x); exec('ls ' + x);",
    "const x = parseInt(req.query.x, 10); exec(`ls ${x}`);",
    "const x = req.query.x; if (!ALLOWED.includes(x)) { return; } exec(x);",
    "const x = req.query.x; if (ALLOWED.includes(x)) { exec(x); }",
    "const x = req.query.x; if (!/^[a-z]+$/.test(x)) { return res.end(); } exec(x);",
    "exec(TABLE[req.query.x]);",
    "let x = req.query.x; x = 'ls'; exec(x);",
    "const o = { a: req.query.x, b: 'ls' }; exec(o.b);",
    "const x = req.query.x; if (x === 'up') { exec('go ' + x); }",
]
JAVA_CARRIED = [
    'Runtime.getRuntime().exec(req.getParameter("x"));',
    'String x = req.getParameter("x"); Runtime.getRuntime().exec("ls " + x);',
    'String c = "ls "; c += req.getParameter("x"); Runtime.getRuntime().exec(c);',
    'Runtime.getRuntime().exec(String.format("ls %s", req.getParameter("x")));',
    'StringBuilder b = new StringBuilder("ls "); b.append(req.getParameter("x"));'
    " Runtime.getRuntime().exec(b.toString());",
    'Map<String, String> m = new HashMap<>(); m.put("k", req.getParameter("x"));'
    ' Runtime.getRuntime().exec(m.get("k"));',
    'List<String> l = new ArrayList<>(); l.add(req.getParameter("x"));'
    " Runtime.getRuntime().exec(l.get(0));",
    'for (String x : req.getParameterValues("x")) { Runtime.getRuntime().exec(x); }',
    'Runtime.getRuntime().exec(build(req.getParameter("x")));',
    'go(req.getParameter("x"));',
    'String x = req.getParameter("x"); if (x == null) { return; } Runtime.getRuntime().exec(x);',
    'String c = y ? req.getParameter("x") : "ls"; Runtime.getRuntime().exec(c);',
    'String x = req.getHeader("x").trim(); Runtime.getRuntime().exec(x);',
]
JAVA_STOPPED = [
    'Runtime.getRuntime().exec("ls");',
    'int n = Integer.parseInt(req.getParameter("x")); Runtime.getRuntime().exec("ls " + n);',
    'String x = req.getParameter("x"); if (!ALLOWED.contains(x)) { return; }'
    " Runtime.getRuntime().exec(x);",
    'String x = req.getParameter("x"); if (!x.matches("[a-z]+")) { throw new E(); }'
    " Runtime.getRuntime().exec(x);",
    'Runtime.getRuntime().exec(TABLE.get(req.getParameter("x")));',
    'String x = req.getParameter("x"); x = "ls"; Runtime.getRuntime().exec(x);',
    'Map<String, String> m = new HashMap<>(); m.put("k", req.getParameter("x"));'
    ' m.put("c", "ls"); Runtime.getRuntime().exec(m.get("c"));',
    'String x = req.getParameter("x"); if ("up".equals(x)) { Runtime.getRuntime().exec(x); }',
]
PHP_CARRIED = [
    "system($_GET['x']);",
    "$x = $_GET['x']; system($x);",
    "$x = $_POST['x']; system(\"ls $x\");",
    "$x = $_POST['x']; system(\"ls {$x}\");",
    "system('ls ' . $_REQUEST['x']);",
    "$c = 'ls '; $c .= $_GET['x']; system($c);",
    "system(sprintf('ls %s', $_GET['x']));",
    "system(implode(' ', ['ls', $_GET['x']]));",
    "$d = ['k' => $_GET['x']]; system($d['k']);",
    "$xs = []; $xs[] = $_GET['x']; system($xs[0]);",
    "foreach ($_GET['xs'] as $x) { system($x); }",
    "$c = $_GET['x'] ?? 'ls'; system($c);",
    "system(build($_GET['x']));",
    "go($_GET['x']);",
    "$x = $_GET['x']; if (empty($x)) { exit; } system($x);",
    "$c = trim($_COOKIE['x']); `$c`;",
]
PHP_STOPPED = [
    "system('ls');",
    "system('ls ' . escapeshellarg($_GET['x']));",
    "system('ls ' . (int) $_GET['x']);",
    "system('ls ' . intval($_GET['x']));",
    "$x = $_GET['x']; if (!in_array($x, ALLOWED, true)) { exit; } system($x);",
    "$x = $_GET['x']; if (!preg_match('/^[a-z]+$/', $x)) { die('no'); } system($x);",
    "system(TABLE[$_GET['x']]);",
    "$x = $_GET['x']; $x = 'ls'; system($x);",
    "$d = ['k' => $_GET['x'], 'c' => 'ls']; system($d['c']);",
    "$x = $_GET['x']; if ($x === 'up') { system($x); }",
]
SHELL = 'exec.Command("sh", "-c", {}).Run()'
GO_CARRIED = [
    SHELL.format('r.FormValue("x")'),
    'x := r.URL.Query().Get("x")\n' + SHELL.format("x"),
    'x := r.FormValue("x")\n' + SHELL.format('"ls " + x'),
    SHELL.format('fmt.Sprintf("ls %s", r.FormValue("x"))'),
    'c := "ls "\nc += r.FormValue("x")\n' + SHELL.format("c"),
    'xs := []string{"ls"}\nxs = append(xs, r.FormValue("x"))\n'
    + SHELL.format('strings.Join(xs, " ")'),
    'm := map[string]string{}\nm["k"] = r.FormValue("x")\n' + SHELL.format('m["k"]'),
    'for _, x := range r.Form["x"] {\n' + SHELL.format("x") + "\n}",
    SHELL.format('build(r.FormValue("x"))'),
    'run(r.FormValue("x"))',
    'x := r.FormValue("x")\nif x == "" {\nreturn\n}\n' + SHELL.format("x"),
    'x := strings.TrimSpace(r.FormValue("x"))\n' + SHELL.format("x"),
    "var q query\njson.NewDecoder(r.Body).Decode(&q)\n" + SHELL.format("q.Name"),
    "body, _ := io.ReadAll(r.Body)\nvar q query\njson.Unmarshal(body, &q)\n"
    + SHELL.format("q.Name"),
    'a, b := both("ls", r.FormValue("x"))\nuse(a)\n' + SHELL.format("b"),
]
GO_STOPPED = [
    SHELL.format('"ls"'),
    'n, err := strconv.Atoi(r.FormValue("x"))\nif err != nil {\nreturn\n}\n'
    + SHELL.format('fmt.Sprintf("ls %d", n)'),
    'x := r.FormValue("x")\nif !allowed[x] {\nreturn\n}\n' + SHELL.format("x"),
    'x := r.FormValue("x")\nif _, ok := table[x]; !ok {\nreturn\n}\n' + SHELL.format("x"),
    SHELL.format('table[r.FormValue("x")]'),
    'x := r.FormValue("x")\nx = "ls"\n' + SHELL.format("x"),
    'exec.Command("ls", r.FormValue("x")).Run()',
    'x := r.FormValue("x")\nif x == "up" {\n' + SHELL.format("x") + "\n}",
    'x := r.FormValue("x")\nif !pattern.MatchString(x) {\nreturn\n}\n' + SHELL.format("x"),
    'a, b := both("ls", r.FormValue("x"))\nuse(b)\n' + SHELL.format("a"),
    'data, _ := os.ReadFile(r.FormValue("x"))\n' + SHELL.format("string(data)"),
]
BODIES = {
    "javascript": (JS_CARRIED, JS_STOPPED),
    "typescript": (JS_CARRIED, JS_STOPPED),
    "java": (JAVA_CARRIED, JAVA_STOPPED),
    "php": (PHP_CARRIED, PHP_STOPPED),
    "go": (GO_CARRIED, GO_STOPPED),
}
CASES = [
    (language, body, is_found)
    for language, both in BODIES.items()
    for bodies, is_found in zip(both, (True, False), strict=True)
    for body in bodies
]


def taint(code: str, language: str) -> list[Finding]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, language, Model.PRO))
    found = [output.finding for output in outputs if isinstance(output, Reported)]
    return [finding for finding in found if finding.rule_id == "taint-command"]


@pytest.mark.parametrize(("language", "body", "is_found"), CASES)
def test_commands(language: str, body: str, is_found: bool) -> None:
    code = HANDLERS[language].replace("@@", body)
    assert bool(taint(code, language)) is is_found


@pytest.mark.parametrize("language", HANDLERS)
def test_the_way_begins_and_ends_where_it_should(language: str) -> None:
    code = HANDLERS[language].replace("@@", BODIES[language][0][1])
    first = code.split("\n").index(BODIES[language][0][1].split("\n")[0]) + 1
    (finding,) = taint(code, language)
    assert finding.flow is not UNSET
    assert finding.flow[0].kind is StepKind.SOURCE
    assert finding.flow[0].range.start_line == first
    assert finding.flow[-1].kind is StepKind.SINK
