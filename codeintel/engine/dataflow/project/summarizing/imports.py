"""Find the imports and exports of a file, by language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.project.quoting import is_module, path_of
from codeintel.engine.dataflow.project.records import Import

if TYPE_CHECKING:
    from ast_grep_py import SgNode

MAX_NAMES = 20_000
"""Maximum number of imports, and of exports, of a file."""

_NAME = r"[A-Za-z_$][\w$]*"
_QUOTED = re.compile(r"""["'`]([^"'`]+)["'`]""")
_REQUIRED = re.compile(
    r"""\A(?:await\s+)?(?:require|import)\(\s*["'`]([^"'`]+)["'`]\s*\)((?:\.[\w$]+)?)"""
)
_DEFAULT = re.compile(rf"\Aimport\s+(?:type\s+)?({_NAME})\s*(?:,|\bfrom\b|=)")
_ALL_AS = re.compile(rf"\*\s+as\s+({_NAME})")
_PAIR = re.compile(rf"(?:type\s+)?({_NAME})(?:\s+as\s+({_NAME}))?")
_JAVA = re.compile(r"\Aimport\s+(static\s+)?([\w.]+)(\.\*)?\s*;?")
_CSHARP = re.compile(r"\A(?:global\s+)?using\s+(static\s+)?(?:(\w+)\s*=\s*)?([\w.]+)\s*;")
_PHP = re.compile(r"(?:function\s+)?\\?([\w\\]+)(?:\s+as\s+(\w+))?")
_EXPORT_DEFAULT = re.compile(
    rf"\Aexport\s+default\s+(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?\s*|class\s+)?({_NAME})?"
)


def imports_of(root: SgNode, language: str) -> tuple[Import, ...]:
    """Return the imports of a file, in order. The last one of a name counts."""
    find = _IMPORTS.get(language)
    return _limited(find(root)) if find is not None else ()


def exports_of(root: SgNode, language: str) -> tuple[Import, ...]:
    """Return the exports of a JavaScript or TypeScript file whose names are not its own."""
    return _limited(_exports(root)) if language in ("javascript", "typescript") else ()


def _limited(found: Iterator[Import]) -> tuple[Import, ...]:
    plain = (each for each in found if _is_plain(each))
    return tuple(each for each, _ in zip(plain, range(MAX_NAMES), strict=False))


def _is_plain(each: Import) -> bool:
    """Return whether an import has names only. Summaries have no other code."""
    names = (each.local, each.name)
    return all(name in ("", "*") or path_of(name) for name in names) and (
        not each.module or is_module(each.module)
    )


def _python(root: SgNode) -> Iterator[Import]:
    for node in root.find_all(kind="import_statement"):
        for child in node.field_children("name"):
            name, alias = child.field("name"), child.field("alias")
            if name is not None and alias is not None:
                yield Import(alias.text(), name.text(), "")
            else:
                head = child.text().partition(".")[0]
                yield Import(head, head, "")
    for node in root.find_all(kind="import_from_statement"):
        module = node.field("module_name")
        if module is None:
            continue
        for child in node.field_children("name"):
            name, alias = child.field("name") or child, child.field("alias")
            yield Import((alias or name).text(), module.text(), name.text())
        if any(child.kind() == "wildcard_import" for child in node.named_children()):
            yield Import("*", module.text(), "")


def _javascript(root: SgNode) -> Iterator[Import]:
    for node in root.find_all(kind="import_statement"):
        text = node.text()
        module = _QUOTED.search(text)
        if module is None:
            continue
        if default := _DEFAULT.match(text):
            yield Import(default[1], module[1], "" if "require(" in text else "default")
        if everything := _ALL_AS.search(text):
            yield Import(everything[1], module[1], "")
        for spec in node.find_all(kind="import_specifier"):
            if named := _PAIR.match(spec.text()):
                yield Import(named[2] or named[1], module[1], named[1])
    for node in root.find_all(kind="variable_declarator"):
        name, value = node.field("name"), node.field("value")
        required = _REQUIRED.match(value.text()) if name is not None and value is not None else None
        if name is None or required is None:
            continue
        member = required[2].lstrip(".")
        if name.kind() == "identifier":
            yield Import(name.text(), required[1], member)
        elif name.kind() == "object_pattern":
            for child in name.named_children():
                key, alias = child.field("key"), child.field("value")
                if key is not None and alias is not None:
                    yield Import(alias.text(), required[1], key.text())
                elif re.fullmatch(_NAME, child.text()):
                    yield Import(child.text(), required[1], child.text())


def _exports(root: SgNode) -> Iterator[Import]:
    for node in root.find_all(kind="export_statement"):
        text = node.text()
        source = node.field("source")
        module = source.text().strip("\"'`") if source is not None else ""
        clause = next((c for c in node.children() if c.kind() == "export_clause"), None)
        if clause is not None:
            for spec in clause.named_children():
                if named := _PAIR.match(spec.text()):
                    yield Import(named[2] or named[1], module, named[1])
        elif module:
            everything = _ALL_AS.search(text)
            yield Import(everything[1] if everything else "*", module, "")
        elif text.startswith("export default") and (default := _EXPORT_DEFAULT.match(text)):
            value = node.field("value")
            made = value is not None and value.kind() == "new_expression"
            yield Import("default", "", "default" if made or not default[1] else default[1])
            if value is not None and value.kind() == "object":
                yield from _members(value)
    for node in root.find_all(kind="assignment_expression"):
        left, right = node.field("left"), node.field("right")
        if left is None or right is None:
            continue
        target = left.text()
        if target == "module.exports":
            yield from _whole(right)
        elif target.startswith(("exports.", "module.exports.")):
            name = target.rpartition(".")[2]
            local = right.text() if right.kind() == "identifier" else name
            yield Import(name, "", local)


def _whole(right: SgNode) -> Iterator[Import]:
    """Yield the exports of `module.exports = value`."""
    kind = right.kind()
    required = _REQUIRED.match(right.text())
    if required is not None:
        yield Import("*", required[1], "")
    elif kind == "identifier":
        yield Import("default", "", right.text())
    elif kind in ("class", "function_expression") and (name := right.field("name")) is not None:
        yield Import("default", "", name.text())
    elif kind == "object":
        yield from _members(right)
    else:
        yield Import("default", "", "default")


def _members(node: SgNode) -> Iterator[Import]:
    for child in node.named_children():
        if child.kind() == "shorthand_property_identifier":
            yield Import(child.text(), "", child.text())
        elif child.kind() == "pair":
            key, value = child.field("key"), child.field("value")
            if key is None or value is None:
                continue
            required = _REQUIRED.match(value.text())
            if required is not None:
                yield Import(key.text(), required[1], required[2].lstrip("."))
            elif value.kind() == "identifier":
                yield Import(key.text(), "", value.text())
        elif child.kind() == "spread_element":
            required = _REQUIRED.match(child.text().lstrip("."))
            if required is not None:
                yield Import("*", required[1], "")


def _java(root: SgNode) -> Iterator[Import]:
    for node in root.find_all(kind="import_declaration"):
        if (found := _JAVA.match(node.text())) is None:
            continue
        path, every = found[2], found[3]
        if every:
            yield Import("*", path, "")
        elif found[1]:
            owner, _, name = path.rpartition(".")
            yield Import(name, owner, name)
        else:
            yield Import(path.rpartition(".")[2], path, "")


def _csharp(root: SgNode) -> Iterator[Import]:
    for node in root.find_all(kind="using_directive"):
        if (found := _CSHARP.match(node.text())) is None:
            continue
        if found[2]:
            yield Import(found[2], found[3], "")
        else:
            yield Import("*", found[3], "")


def _go(root: SgNode) -> Iterator[Import]:
    for node in root.find_all(kind="import_spec"):
        name, path = node.field("name"), node.field("path")
        if path is not None:
            module = path.text().strip('"`')
            local = name.text() if name is not None else module.rpartition("/")[2]
            yield Import("*" if local == "." else local, module, "")


def _php(root: SgNode) -> Iterator[Import]:
    for node in root.find_all(kind="namespace_use_declaration"):
        text = node.text().removeprefix("use").strip()
        head, brace, rest = text.partition("{")
        prefix = head.strip() if brace else ""
        for clause in (rest.rstrip("};") if brace else text.rstrip(";")).split(","):
            if (found := _PHP.match(prefix + clause.strip())) is not None:
                full = found[1].replace("\\", ".")
                yield Import(found[2] or full.rpartition(".")[2], full, "")


_IMPORTS: dict[str, Callable[[SgNode], Iterator[Import]]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "java": _java,
    "csharp": _csharp,
    "go": _go,
    "php": _php,
}
