"""Imports of Go that a rewrite needs, or needs no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeintel_plugins.transformations.structural.declarations import declared_type
from codeintel_plugins.transformations.structural.patches import RewriteRule, Site, TextEdit
from codeintel_plugins.transformations.structural.reading import Reading, line_edit

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class _Spec(NamedTuple):
    node: SgNode
    path: str
    is_plain: bool
    """Whether it is imported under its own name."""


def imported(reading: Reading, path: str) -> bool:
    """Return whether a package is imported under its own name, which nothing else in the code
    has."""
    specs = _specs(reading)
    return (
        any(spec.path == path and spec.is_plain for spec in specs)
        and _is_free(reading, path)
        and not any(spec.path != path and _may_be_called(spec, path) for spec in specs)
    )


def possible(reading: Reading, rule: RewriteRule) -> bool:
    """Return whether the packages that a rule needs are imported, or can be."""
    specs = _specs(reading)
    if any(spec.path == "C" for spec in specs):
        return False  # the comment above it is code, and must stay there
    others = {spec.path: spec.is_plain for spec in specs}
    return all(
        others.get(path, True)
        and _is_free(reading, path)
        and not any(spec.path != path and _may_be_called(spec, path) for spec in specs)
        for path in rule.imports
    )


def _may_be_called(spec: _Spec, path: str) -> bool:
    """Return whether another import may have the name of a package. A path need not end with its
    name."""
    wanted = path.rpartition("/")[2]
    held = spec.node.field("name")
    if held is not None:
        return held.text() in (wanted, ".")
    return "." in spec.path and wanted in re.split(r"[^a-z0-9]+", spec.path.lower())


def added(reading: Reading, taken: Sequence[Site], rules: Iterable[RewriteRule]) -> list[Site]:
    """Return the edits of imports that belong to those of a pass, as further sites."""
    if reading.language != "go":
        return []
    by_id = {rule.id: rule for rule in rules}
    used = [
        by_id[site.rule] for site in taken if by_id[site.rule].imports or by_id[site.rule].drops
    ]
    specs = {spec.path: spec for spec in _specs(reading)}
    found: dict[str, Site] = {}
    new: dict[str, str] = {}
    unused: dict[str, str] = {}
    for rule in used:
        new.update((path, rule.id) for path in rule.imports if path not in specs)
        for path in rule.drops:
            if path in specs and path not in found and not _remains(reading, path, taken):
                unused[path] = rule.id
    for path, rule_id in unused.items():
        spec = specs[path].node
        start, end = reading.span(spec)
        if new:
            fresh, fresh_rule = new.popitem()
            found[path] = Site(start, end, fresh_rule, (TextEdit(start, end, f'"{fresh}"'),))
            continue
        gone = _without(reading, spec)
        found[path] = Site(gone.start, gone.end, rule_id, (gone,))
    for path, rule_id in new.items():
        edit = _with(reading, path)
        if edit is not None:
            found[path] = Site(edit.start, edit.end, rule_id, (edit,))
    return list(found.values())


def _specs(reading: Reading) -> list[_Spec]:
    found = []
    for node in reading.root.find_all(kind="import_spec"):
        path = node.field("path")
        if path is not None:
            found.append(_Spec(node, path.text()[1:-1], node.field("name") is None))
    return found


def _is_free(reading: Reading, path: str) -> bool:
    name = path.rpartition("/")[2]
    return not any(declared_type(node, "go") is not None for node in reading.named.get(name, ()))


def _remains(reading: Reading, path: str, taken: Sequence[Site]) -> bool:
    """Return whether a package is still used outside of the text that this pass replaces."""
    gone = [edit for site in taken for edit in site.edits]
    name = path.rpartition("/")[2]
    for node in reading.named.get(name, ()):
        parent = node.parent()
        if parent is None or parent.kind() not in ("selector_expression", "qualified_type"):
            continue
        start, end = reading.span(node)
        holding = [edit for edit in gone if edit.start <= start and end <= edit.end]
        if not holding or any(f"{name}." in edit.text for edit in holding):
            return True
    return False


def _without(reading: Reading, spec: SgNode) -> TextEdit:
    parent = spec.parent()
    alone = parent is None or parent.kind() != "import_spec_list"
    start, end = reading.span(parent if alone and parent is not None else spec)
    return line_edit(reading, start, end)


def _with(reading: Reading, path: str) -> TextEdit | None:
    """Return the edit that imports a package, in alphabetical order if the imports are a list."""
    specs = _specs(reading)
    if not specs:
        return None
    first = specs[0].node
    parent = first.parent()
    if parent is None or parent.kind() != "import_spec_list":
        start, end = reading.span(first)
        kept = reading.text[start:end]
        newline = reading.newline
        lines = sorted((kept, f'"{path}"'), key=lambda each: each.strip('"'))
        listed = "".join(f"\t{each}{newline}" for each in lines)
        return TextEdit(start, end, f"({newline}{listed})")
    later = next((spec for spec in specs if spec.path > path and "." not in spec.path), None)
    anchor = later.node if later is not None else first
    start, end = reading.span(anchor)
    line = reading.text.rfind("\n", 0, start) + 1
    indent = reading.text[line:start]
    if indent.strip():
        return TextEdit(start, start, f'"{path}"; ')
    if later is not None:
        return TextEdit(start, start, f'"{path}"{reading.newline}{indent}')
    last = [s for s in specs if "." not in s.path] or specs
    start, end = reading.span(last[-1].node)
    return TextEdit(end, end, f'{reading.newline}{indent}"{path}"')
