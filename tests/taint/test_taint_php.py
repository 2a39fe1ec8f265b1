"""The ways of values through forms that only PHP has, and through pages."""

from __future__ import annotations

import pytest
from codeintel_plugins.taint import TaintAnalyzer
from hypothesis import given, strategies as st

from codeintel.contracts import AnalyzerRequest, Finding, Model, Reported
from codeintel.engine.dataflow.tree import is_page, program_of

CARRIED = [
    ("command", "$x = $_GET['x'] ?: 'ls'; system($x);"),
    ("command", "$n = 'x'; $$n = 1; $x = $_GET['x']; system($x);"),
    ("command", "$x = match ($y) { 1 => $_GET['x'], default => 'ls' }; system($x);"),
    ("command", "$c = <<<A\nls {$_GET['x']}\nA;\nsystem($c);"),
    ("command", "try { return 1; } catch (E $e) { system($_GET['x']); }"),
    ("command", "system(implode(' ', array_map(fn($v) => \"-$v\", $_GET['x'])));"),
    ("command", "class A { function __construct(private string $c) {}"
                " function go() { system($this->c); } } (new A($_GET['x']))->go();"),
    ("command", "class A { private $cs = []; function add($n, $c) { $this->cs[$n] = $c; }"
                " function go() { foreach ($this->cs as $c) { system($c); } } }"
                " $a = new A(); $a->add('k', $_GET['x']); $a->go();"),
    ("path", "include $_GET['page'] . '.php';"),
    ("path", "class FileController extends Controller {"
             " public function show($name) { readfile(\"files/$name\"); } }"),
    ("path", "move_uploaded_file($_FILES['f']['tmp_name'], 'up/' . $_FILES['f']['name']);"),
    ("code", "$body = file_get_contents('php://input'); eval($body);"),
    ("html", "exit('no ' . $_GET['x']);"),
    ("command", "abort_if(in_array($_GET['x'], ['a'], true), 422); system($_GET['x']);"),
    ("command", "$d = $request->validate(['x' => 'required|string']); system($d['x']);"),
    ("log", "file_put_contents('/var/log/a.log', $_GET['x'] . PHP_EOL, FILE_APPEND);"),
]  # fmt: skip
STOPPED = [
    ("command", "$x = match ($_GET['x']) { 'a', 'b' => $_GET['x'], default => 'a' }; system($x);"),
    ("command", "in_array($_GET['x'], ['a'], true) || exit; system($_GET['x']);"),
    ("command", "preg_match('/^[a-z]+$/', $_GET['x']) or die('no'); system($_GET['x']);"),
    ("command", "abort_unless(in_array($_GET['x'], ['a'], true), 422); system($_GET['x']);"),
    ("command", "$d = $request->validate(['x' => 'required|in:a,b']); system($d['x']);"),
    ("path", "file_put_contents($file, $_GET['x']);"),
    ("command", "$t = ['a' => 'b']; if (isset($t[$_GET['x']])) { system($_GET['x']); }"),
    ("command", "switch ($_GET['x']) { case 'a': $c = 'one'; break; default: exit; } system($c);"),
    ("command", "system(implode(' ', array_map(fn($v) => (int) $v, $_GET['x'])));"),
    ("command", "$x = filter_input(INPUT_GET, 'x', FILTER_VALIDATE_INT); system(\"ls $x\");"),
    ("path", "$p = $_FILES['f']['tmp_name']; echo filesize($p); readfile($p);"),
    ("sql", "function all($sql) { global $db; return $db->query($sql); }"),
]


def taint(code: str) -> list[Finding]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, "php", Model.PRO))
    return [output.finding for output in outputs if isinstance(output, Reported)]


@pytest.mark.parametrize(
    ("sink", "code", "is_found"),
    [(*each, True) for each in CARRIED] + [(*each, False) for each in STOPPED],
)
def test_what_only_php_has(sink: str, code: str, is_found: bool) -> None:
    rules = [finding.rule_id for finding in taint(f"<?php {code}")]
    assert (f"taint-{sink}" in rules) is is_found


PAGES = [
    ("<p><?= $_GET['x'] ?></p>", [1]),
    ("<p><?= htmlspecialchars($_GET['x']) ?></p>", []),
    ("<?php $x = $_GET['x'] ?>\n<p>\n<?= $x; ?>\n</p>", [3]),
    ("<?php if ($y): ?>\n<?= $_GET['x'] ?>\n<?php else: ?>\nno\n<?php endif ?>", [2]),
    ("<?php foreach ($_GET['xs'] as $x) { ?>\n<li><?php echo $x ?>\n<?php } ?>", [2]),
    ("<?php // about ?> <b>\n<?php $a = '?>'; echo $_GET['x'];", [2]),
    ("<h1>\n{!! request('x') !!}\n</h1>", [2]),
    ("<?xml version='1.0'?>\n<a><?= $_GET['x'] ?></a>", [2]),
]


@pytest.mark.parametrize(("page", "lines"), PAGES)
def test_pages(page: str, lines: list[int]) -> None:
    found = [each for each in taint(page) if each.rule_id == "taint-html"]
    assert [each.range.start_line for each in found] == lines


@given(
    st.lists(
        st.sampled_from(
            ["<?php ", "<?= ", "?>", "{!! ", " !!}", "$x", "'", '"', "/*", "*/", "//", "#", "<<<A",
             "\nA;", "\r\n", "\n", ";", "<p>", "ä", "\\", "<?xml"]
        )
    )
)  # fmt: skip
def test_every_character_keeps_its_place(parts: list[str]) -> None:
    text = "".join(parts)
    program = program_of(text)
    assert len(program) == len(text)
    assert [i for i, c in enumerate(program) if c in "\r\n"] == [
        i for i, c in enumerate(text) if c in "\r\n"
    ]


def test_a_program_is_no_page() -> None:
    assert not is_page("<?php echo 1;")
    assert not is_page("$x = 1;")
    assert is_page("<p><?php echo 1;")
