"""The sandbox of Node.js is closed, its limits hold, and programs cannot answer for the harness."""

from __future__ import annotations

import pytest
from javascript_samples import compared, node_sandbox

from codeintel.contracts import CheckStatus
from codeintel.engine.sandbox import bubblewrap
from codeintel.engine.sandbox.javascript.behaviour import JavaScriptBehaviour
from codeintel.engine.sandbox.javascript.plan import prepared
from codeintel.platform import node_sandbox as platform
from codeintel.platform.node_sandbox import NodeSandbox, weakness

CODE = "function f(n) { return n - 1; }"
AFTER = "function f(n) { const m = n - 1; return m; }"


def test_without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "found_node", lambda: None)
    box = NodeSandbox(1)
    assert not box.has_node
    monkeypatch.setattr(box, "prove", lambda: None)
    found = JavaScriptBehaviour(box, "a", CODE, "javascript", "javascript", prepared).compare(AFTER)
    assert found.status is CheckStatus.NOT_APPLICABLE
    assert found.text == "sandbox_unavailable: Node.js is not installed."


def test_an_old_node(monkeypatch: pytest.MonkeyPatch) -> None:
    node_sandbox()
    monkeypatch.setattr(platform, "MIN_NODE", 1000)
    assert weakness() == "Node.js 1000 or later is needed"


def test_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    node_sandbox()
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert weakness() == "no system call table for riscv64"


WEAKER = [
    (("--remount-ro", "/"), (), "write to the root"),
    (("--unshare-all",), ("--unshare-all", "--ro-bind", "/proc", "/proc"), "see processes"),
    (("--unshare-all",), ("--unshare-all", "--dev", "/dev"), "see the devices"),
    (("--unshare-all",), ("--unshare-all", "--ro-bind", "/etc", "/etc"), "read /etc/passwd"),
    (("--uid", "65534"), ("--uid", "0"), "be the administrator"),
    (("--unshare-all",), ("--unshare-all", "--share-net"), "connect to the loopback"),
]


@pytest.mark.parametrize(("old", "new", "said"), WEAKER)
def test_what_the_probes_find(
    monkeypatch: pytest.MonkeyPatch, old: tuple[str, ...], new: tuple[str, ...], said: str
) -> None:
    """Check that the probes detect each missing part of the command line."""
    node_sandbox()
    whole = bubblewrap.node_command

    def command(
        program: str, filter_descriptor: int, node: str, limits: str, script: str
    ) -> list[str]:
        words = whole(program, filter_descriptor, node, limits, script)
        place = next(i for i in range(len(words)) if tuple(words[i : i + len(old)]) == old)
        return [*words[:place], *new, *words[place + len(old) :]]

    monkeypatch.setattr(bubblewrap, "node_command", command)
    if said == "connect to the loopback":
        monkeypatch.setattr(platform.filters, "with_threads", _allow_all)
    assert weakness() in (f"JavaScript in it can {said}", f"JavaScript in it can {said} address")


def _allow_all(_machine: str) -> bytes:
    return (0x7FFF_0000 << 32 | 0x06).to_bytes(8, "little")


def test_a_missing_filter_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    node_sandbox()
    monkeypatch.setattr(platform.filters, "with_threads", _allow_all)
    assert weakness() == "JavaScript in it can start Node.js"


def test_a_missing_limit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    node_sandbox()
    monkeypatch.setattr(platform, "_LIMITS", {**platform._LIMITS, "data": 16 * 1024**3})
    assert weakness() == "JavaScript in it can use much memory"


def test_it_is_closed() -> None:
    node_sandbox()
    assert weakness() is None


@pytest.mark.parametrize(
    "body",
    [
        "return this.constructor.constructor('return process')().exit(0);",
        "return [].constructor.constructor('return process')().exit(0);",
        "return Function('return 1')();",
        "return eval('1');",
        "return globalThis.$codeintel_s(1);",
        "try { f(); } catch (e) { return e.constructor.constructor('return process')(); }",
        "Error.prepareStackTrace = (e, frames) => frames; return new Error('a').stack.length;",
        "return new Proxy({}, {});",
        "return require('fs');",
    ],
)
def test_what_reaches_out_proves_nothing(body: str) -> None:
    before = f"function f(n) {{ if (n > 3) {{ {body} }} return n; }}"
    found = compared(before, before.replace("return n;", "const m = n; return m;"))
    assert not found.conclusive, found.text


def test_the_process_is_out_of_reach() -> None:
    """Check that a program that deceives on purpose cannot end the process with its own report."""
    before = "function f(n) { return n - 1; }"
    report = '{"what":"finished"}'
    after = (
        "function f(n) { try { const p = this.constructor.constructor('return process')(); "
        f"p.stdout.write('{report}'); p.exit(0); }} catch (e) {{ }} return n - 2; }}"
    )
    assert compared(before, after).status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("before", "after", "status", "said"),
    [
        ("while (true);\n" + CODE, AFTER, "not_applicable", "did not finish when it was loaded"),
        (CODE, "while (true);\n" + AFTER, "failed", "ends differently"),
        ("missing();\n" + CODE, AFTER, "not_applicable", "on its own (ReferenceError)"),
        (CODE, "console.log(1);\n" + AFTER, "failed", "prints other output"),
        ("import a from 'a';", "import b from 'a';", "not_applicable", "it imports modules"),
        ("let a = 1;", "let a =", "not_applicable", "cannot be read as JavaScript"),
    ],
)
def test_what_cannot_be_compared(before: str, after: str, status: str, said: str) -> None:
    found = compared(before, after)
    assert found.status.value == status, found.text
    assert said in found.text


@pytest.mark.parametrize(
    "body",
    [
        "for (;;);",
        "const a = []; for (;;) a.push(new Array(1e6).fill(n));",
        "return f(n) + 1;",
        "return (async () => { for (;;) await n; })();",
        "return 'x'.repeat(2 ** 29).split('');",
    ],
)
def test_limits_end_what_takes_too_much(body: str) -> None:
    before = f"function f(n) {{ {body} }}"
    found = compared(before, f"function f(n) {{ if (!n) n = 0; {body} }}")
    assert not found.conclusive, found.text


def test_typescript_runs_without_its_types() -> None:
    before = (
        "interface Row { id: string; cents: number }\n"
        "export function total(rows: Row[], start: number = 0): number {\n"
        "  let sum: number = start;\n"
        "  for (let i = 0; i < rows.length; i++) { sum += rows[i]!.cents; }\n"
        "  return sum;\n}\n"
    )
    after = before.replace(
        "for (let i = 0; i < rows.length; i++) { sum += rows[i]!.cents; }",
        "for (const row of rows) { sum += row.cents; }",
    )
    assert compared(before, after, "typescript").conclusive
    wrong = after.replace("start: number = 0", "start: number = 1")
    assert compared(before, wrong, "typescript").status is CheckStatus.FAILED
    bare = after.replace(": number", "").replace("interface Row { id: string; cents }\n", "")
    bare = bare.replace("rows: Row[]", "rows").replace("sum:", "sum")
    assert compared(before, bare, "typescript", "javascript").conclusive


def test_the_same_pair_gets_the_same_values() -> None:
    texts = {compared(CODE, AFTER).text for _ in range(2)}
    assert len(texts) == 1
