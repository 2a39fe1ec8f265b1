"""The transformations that use the rules, again and again until none has anything to do."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.contracts.positions import LineTable
from codeintel.engine.dataflow.tree import Span
from codeintel_plugins.patterns.features import Features
from codeintel_plugins.toolkit.recursion import deep_recursion
from codeintel_plugins.transformations.structural import conditions, imports, operators, statements
from codeintel_plugins.transformations.structural.languages import (
    c_family,
    csharp,
    go,
    java,
    php,
    rust,
    scripts,
)
from codeintel_plugins.transformations.structural.patches import (
    LANGUAGES,
    Patch,
    RewriteRule,
    Site,
    TextEdit,
    need_of,
    rules_of,
)
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

EditMaker = Callable[[Reading, "SgNode", Any], list[TextEdit]]

EDITS: dict[str, EditMaker] = {
    "merge_ifs": statements.merge_ifs,
    "return_condition": statements.return_condition,
    "drop_last": statements.drop_last,
    "drop_word": statements.drop_word,
    "parts": statements.parts,
    "call_brackets": statements.call_brackets,
    "loop_variable": statements.loop_variable,
    "compound": operators.compound,
    "declared_type": operators.declared_type,
    "operator": operators.other_operator,
    "bash_arithmetic": scripts.arithmetic,
    "bash_brackets": scripts.brackets,
    "bash_function": scripts.function,
    "c_free": c_family.free,
    "c_no_parameters": c_family.no_parameters,
    "c_rename": c_family.rename,
    "c_uncast": c_family.uncast,
    "cpp_alias": c_family.alias,
    "cpp_cast_type": c_family.cast_type,
    "cpp_closing": c_family.closing,
    "cpp_delete": c_family.delete,
    "cpp_nullptr": c_family.null_pointer,
    "cpp_override": c_family.override,
    "csharp_event": csharp.raised_event,
    "csharp_interpolation": csharp.interpolation,
    "csharp_name": csharp.name_of,
    "csharp_out": csharp.out_variable,
    "csharp_property": operators.csharp_property,
    "go_elements": go.elements,
    "go_increment": operators.go_increment,
    "go_range": operators.go_range,
    "go_return_error": go.return_error,
    "java_array": java.array_type,
    "java_diamond": java.diamond,
    "java_builder": java.builder,
    "java_lambda": java.to_lambda,
    "php_alias": php.alias,
    "php_cast": php.cast,
    "php_coalesce": php.coalesce,
    "php_contains": php.contains,
    "php_default": php.default,
    "php_elvis": php.elvis,
    "php_list": php.short_list,
    "php_null": php.null,
    "php_power": php.power,
    "ruby_arrow": scripts.arrow,
    "ruby_label": scripts.label,
    "ruby_raise": scripts.plain_raise,
    "ruby_reader": scripts.reader,
    "ruby_tail": scripts.tail,
    "ruby_unless": scripts.unless,
    "ruby_words": scripts.words,
    "rust_dyn": rust.trait_object,
    "rust_field": rust.field_name,
    "rust_format": rust.inline_arguments,
    "rust_limit": rust.limit,
    "rust_loop": rust.loop,
    "rust_question": rust.question_mark,
    "rust_single_match": rust.single_match,
    "rust_tail": rust.tail,
    "rust_truth": rust.truth,
    "rust_unit": rust.unit,
}


_VARIABLE = re.compile(r"\$\$\$([A-Z][A-Z0-9_]*)|\$([A-Z][A-Z0-9_]*)")
_DIRECTIVE = re.compile(r"[\r\n][ \t]*#")
MAX_PASSES = 30
"""Code in which the same is nested more often is refused."""
MAX_SECONDS = 4.0
"""Code for which it takes longer is refused, before the worker is killed."""
_MARK = "\ufeff"


def sites(reading: Reading, rules: Iterable[RewriteRule]) -> list[Site]:
    """Return places that do not overlap, in order. Of two that do, the outer one is taken."""
    features = Features(reading.text, lambda: [reading.root])
    found = [
        (rule, site)
        for rule in rules
        if features.may_match(need_of(reading.language, rule.id))
        for site in _of_rule(reading, rule)
    ]
    found.sort(key=lambda each: (each[1].start, -each[1].end))
    taken: list[Site] = []
    end, last = -1, ""
    for rule, site in found:
        if site.start < end and not (rule.nests and last == rule.id):
            continue
        taken.append(site)
        end, last = max(end, site.end), rule.id
    return taken + imports.added(reading, taken, rules)


def _of_rule(reading: Reading, rule: RewriteRule) -> Iterator[Site]:
    of_text = conditions.OF_TEXT & rule.where.keys()
    if not all(
        conditions.CONDITIONS[each](reading, reading.root, rule.where[each]) for each in of_text
    ):
        return
    if rule.imports and not imports.possible(reading, rule):
        return
    nodes: list[SgNode] = list(reading.root.find_all(rule.config))  # type: ignore[call-overload]
    for node in nodes:
        reading.hurry()
        if not all(
            conditions.CONDITIONS[name](reading, node, wanted)
            for name, wanted in rule.where.items()
            if name not in of_text
        ):
            continue
        made = _made(reading, rule, node)
        if not made or not _is_allowed(reading, made):
            continue
        whole = reading.span(node)
        start = min(whole.start, *(edit.start for edit in made))
        end = max(whole.end, *(edit.end for edit in made))
        yield Site(start, end, rule.id, tuple(made))


def _made(reading: Reading, rule: RewriteRule, node: SgNode) -> list[TextEdit]:
    if rule.edit is not None:
        return EDITS[rule.edit](reading, node, rule.options)
    start, end = reading.span(node)
    text = filled(reading, node, rule.fix or "")
    if rule.wrap and not conditions.is_loose(reading, node, None):
        text = f"({text})"
    return [] if text == reading.text[start:end] else [TextEdit(start, end, text)]


def filled(reading: Reading, node: SgNode, template: str) -> str:
    """Return a template with the texts of a match's variables."""

    def text(found: re.Match[str]) -> str:
        if found[2]:
            single = node.get_match(found[2])
            return reading.source(single) if single is not None else ""
        several = node.get_multiple_matches(found[1])
        if not several:
            return ""
        return reading.text[reading.span(several[0]).start : reading.span(several[-1]).end]

    return _VARIABLE.sub(text, template)


def _is_allowed(reading: Reading, made: list[TextEdit]) -> bool:
    """Return whether the edits lose no comment, and only touch text that the tree was built
    from."""
    comments = reading.comments
    for start, end, text, _ in made:
        if not reading.is_as_sent(start, end):
            return False
        for place in _within(comments, start, end):
            if reading.text[place.start : place.end] not in text:
                return False
        if reading.language in ("c", "cpp") and _DIRECTIVE.search(reading.text, start, end):
            return False
    return all(
        first.end <= second.start and first[:2] != second[:2]
        for first, second in pairwise(sorted(made))
    )


def _within(places: list[Span], start: int, end: int) -> Iterator[Span]:
    first = bisect_left(places, Span(start, start))
    for place in places[first:]:
        if place.start >= end:
            return
        yield place


class _Structural(Transformation):
    """The rules of one kind."""

    equivalence: ClassVar[Equivalence | None] = Equivalence.LOCAL_EDITS
    languages: ClassVar[frozenset[str]] = frozenset(LANGUAGES)
    version = "1"

    def preload(self) -> None:
        import ast_grep_py  # noqa: F401 - so that children have it; the rules are read quickly

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        mark = _MARK if request.code.startswith(_MARK) else ""
        patch = Patch(request.code.removeprefix(_MARK))
        rules = [
            rule
            for rule in rules_of(request.language)
            if self.kind in rule.kinds and rule.id not in request.without
        ]
        try:
            with deep_recursion():
                _to_the_end(patch, request.language, rules)
        except RecursionError:
            raise Unsupported("line 1: the code is nested too deeply") from None
        except UnicodeEncodeError:
            raise Unsupported("line 1: the code has an unpaired surrogate") from None
        if patch.text == request.code.removeprefix(_MARK):
            return Rewrite(code=request.code)
        messages = {rule.id: rule.message for rule in rules}
        lines = LineTable(request.code)
        changes = tuple(
            Change(
                rule=rule,
                message=messages[rule],
                range=lines.span(place.start + len(mark), place.end + len(mark)),
            )
            for place in patch.replaced()
            for rule in place.rules
        )
        return Rewrite(code=mark + patch.text, changes=changes)


def _to_the_end(patch: Patch, language: str, rules: list[RewriteRule]) -> None:
    ends = time.monotonic() + MAX_SECONDS
    for number in range(MAX_PASSES):
        reading = Reading(patch.text, language)
        reading.ends = ends
        reading.hurry()
        if not number:
            reading.refuse_errors()
        found = sites(reading, rules)
        if not found:
            return
        patch.apply((edit, site.rule) for site in found for edit in site.edits)
    raise Unsupported("line 1: the code has too many nested matches")


class StructuralRefactor(_Structural):
    """Simplifications."""

    name: ClassVar[str] = "structural-refactor"
    kind: ClassVar[str] = "refactor"


class StructuralModernize(_Structural):
    """Newer syntax and library calls."""

    name: ClassVar[str] = "structural-modernize"
    kind: ClassVar[str] = "modernize"


class StructuralOptimize(_Structural):
    """Make code faster."""

    name: ClassVar[str] = "structural-optimize"
    kind: ClassVar[str] = "optimize"
    languages: ClassVar[frozenset[str]] = frozenset(LANGUAGES) - {"bash", "ruby", "rust"}
