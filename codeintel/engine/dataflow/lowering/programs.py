"""Lower whole files to the form of :mod:`codeintel.engine.dataflow.ir`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import Program
from codeintel.engine.dataflow.lowering.dialects import DIALECT
from codeintel.engine.dataflow.lowering.lowerer import Lowerer, RustLowerer
from codeintel.engine.dataflow.tree import Tree, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def lower(tree: Tree, language: str) -> Program:
    """Lower the whole file."""
    if language == "bash":
        from codeintel.engine.dataflow.shell.script import lower_script

        return lower_script(tree)
    lowerer = Lowerer(DIALECT)
    if language == "rust":
        from codeintel.engine.dataflow.lowering.rust import RUST
        from codeintel.engine.dataflow.lowering.rust_forms import expose_macros

        tree = expose_macros(tree)
        lowerer = RustLowerer(tree.root, RUST)
    lowerer.slash_joins = language in ("python", "cpp", "ruby")
    if language == "ruby":
        starts = tree.root.find_all(kind="heredoc_beginning")
        bodies = tree.root.find_all(kind="heredoc_body")
        lowerer.heredocs = {span(one): body for one, body in zip(starts, bodies, strict=False)}
    body = lowerer.statements(tree.root)
    aliases = imported_names(tree.root, language)
    return Program(body, tuple(lowerer.functions), aliases, language in ("java", "csharp"))


Names = Iterator[tuple[str, str]]
_NAME = r"[A-Za-z_$][\w$]*"
_ES_DEFAULT = re.compile(rf"import\s+(?:type\s+)?({_NAME})\s*(?:,|\bfrom\b)")
_ES_ALL = re.compile(rf"\*\s+as\s+({_NAME})")
_ES_NAMED = re.compile(rf"({_NAME})(?:\s+as\s+({_NAME}))?")
_MODULE = re.compile(r"""["'](?:node:)?([^"']+)["']""")
_PROMISED = re.compile(
    r"(?:util\.|require\([\"'](?:node:)?util[\"']\)\.)?promisify\("
    r"\s*((?:require\([^)\n]{0,60}\)|[\w$]+)(?:\.[\w$]+)*)"
)
_PHP_USE = re.compile(r"([\w\\]+)(?:\s+as\s+(\w+))?")


def imported_names(root: SgNode, language: str) -> dict[str, str]:
    """Return the full name, with dots, of each name that the file imports."""
    find = _LANGUAGES.get(language)
    return dict(find(root)) if find is not None else {}


def _python(root: SgNode) -> Names:
    for node in root.find_all(kind="import_statement"):
        for child in node.field_children("name"):
            name, alias = child.field("name"), child.field("alias")
            if name is not None and alias is not None:
                yield alias.text(), name.text()
    for node in root.find_all(kind="import_from_statement"):
        module = node.field("module_name")
        if module is None:
            continue
        for child in node.field_children("name"):
            name, alias = child.field("name") or child, child.field("alias")
            yield (alias or name).text(), f"{module.text()}.{name.text()}"


def _javascript(root: SgNode) -> Names:
    for node in root.find_all(kind="import_statement"):
        source = node.field("source")
        module = _MODULE.match(source.text()) if source is not None else None
        if module is None or _is_own(module[1]):
            continue
        text = node.text()
        if default := _ES_DEFAULT.match(text):
            yield default[1], module[1]
        if everything := _ES_ALL.search(text):
            yield everything[1], module[1]
        for spec in node.find_all(kind="import_specifier"):
            if named := _ES_NAMED.match(spec.text()):
                yield named[2] or named[1], f"{module[1]}.{named[1]}"
    known: dict[str, str] = {}
    for node in root.find_all(kind="variable_declarator"):
        for short, full in _required(node):
            known[short] = full
            yield short, full
    for node in root.find_all(kind="variable_declarator"):
        yield from _promised(node, known)


def _promised(node: SgNode, known: dict[str, str]) -> Names:
    """Yield the full name behind `const run = promisify(exec)`, where `run` is `exec`."""
    name, value = node.field("name"), node.field("value")
    made = _PROMISED.match(value.text()) if name is not None and value is not None else None
    if name is None or made is None:
        return
    if made[1].startswith("require("):
        module = _MODULE.search(made[1])
        yield name.text(), f"{module[1] if module else ''}{made[1].rpartition(')')[2]}"
    else:
        head, dot, tail = made[1].partition(".")
        yield name.text(), f"{known.get(head, head)}{dot}{tail}"


def _is_own(module: str) -> bool:
    """Return whether a module is one of the program's files, whose exports keep their own names."""
    return module.startswith((".", "@/", "~/", "src/"))


def _required(node: SgNode) -> Names:
    """Yield names of `const x = require("m")`, `const { a: b } = require("m")`,
    `require("m").promises`.
    """
    name, value = node.field("name"), node.field("value")
    if name is None or value is None:
        return
    text = value.text()
    if not text.startswith(("require(", "await import(")):
        return
    module = _MODULE.search(text)
    if module is None or _is_own(module[1]):
        return
    member = text[text.find(")") + 1 :].strip()
    path = module[1] + (member if re.fullmatch(r"(?:\.\w+)+", member) else "")
    if name.kind() == "identifier":
        yield name.text(), path
    elif name.kind() == "object_pattern":
        for child in name.named_children():
            key, alias = child.field("key"), child.field("value")
            if key is not None and alias is not None:
                yield alias.text(), f"{path}.{key.text()}"
            else:
                yield child.text(), f"{path}.{child.text()}"


def _go(root: SgNode) -> Names:
    for node in root.find_all(kind="import_spec"):
        name, path = node.field("name"), node.field("path")
        if name is not None and path is not None:
            yield name.text(), path.text().strip('"`').rpartition("/")[2]


def _php(root: SgNode) -> Names:
    for node in root.find_all(kind="namespace_use_clause"):
        if use := _PHP_USE.match(node.text()):
            full = use[1].lstrip("\\").replace("\\", ".")
            yield use[2] or full.rpartition(".")[2], full


def _rust(root: SgNode) -> Names:
    for node in root.find_all(kind="use_declaration"):
        for child in node.named_children():
            yield from _used(child, "")


def _used(node: SgNode, before: str) -> Names:
    """Yield the names in a tree of Rust's `use` below a path."""
    kind = node.kind()
    if kind == "use_as_clause":
        path, alias = node.field("path"), node.field("alias")
        if path is not None and alias is not None:
            yield alias.text(), before + path.text().replace("::", ".")
    elif kind == "scoped_use_list":
        path, inner = node.field("path"), node.field("list")
        below = f"{before}{path.text().replace('::', '.')}." if path is not None else before
        for child in inner.named_children() if inner is not None else ():
            yield from _used(child, below)
    elif kind == "use_list":
        for child in node.named_children():
            yield from _used(child, before)
    elif kind in ("identifier", "scoped_identifier"):
        full = before + node.text().replace("::", ".")
        yield full.rpartition(".")[2], full
    elif kind == "self" and before:
        yield before.rstrip(".").rpartition(".")[2], before.rstrip(".")


_LANGUAGES: dict[str, Callable[[SgNode], Names]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "go": _go,
    "php": _php,
    "rust": _rust,
}
