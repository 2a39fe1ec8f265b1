"""Oxlint's safe fixes as edits, where they keep what the code does."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

from codeintel_plugins.linters.oxlint.fixes import Extent, FixKind, Offer, Position, offers
from codeintel_plugins.linters.oxlint.process import write_configuration
from codeintel_plugins.transformations.web.rules import Context
from codeintel_plugins.transformations.web.trees import ByteEdit, text
from codeintel_plugins.transformations.web.type_inference import STRING

Guard = Callable[[Context, Node], bool]
"""Whether the fix of what is reported at a node keeps what the code does."""
_ERRORS = ("Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError")
_DIRECTIVE = re.compile(r"\w+\s*:\s*['\"]")
_PLUGINS = ("eslint", "typescript", "unicorn", "react", "import")
_SECONDS = 6.0
_LONE_CR = re.compile(rb"\r(?!\n)")


class OxlintRule(NamedTuple):
    """A rule by its name in oxlint's configuration. `message` is shown to users."""

    name: str
    message: str
    holds: Guard = lambda _context, _node: True
    options: Sequence[Mapping[str, bool]] = ()

    @property
    def last_part(self) -> str:
        """Its name as reports have it, without the plugin's."""
        return self.name.rpartition("/")[2]


def _call(node: Node) -> Node | None:
    at: Node | None = node
    while at is not None and at.type not in ("call_expression", "new_expression"):
        at = at.parent
    return at


def _function(call: Node | None) -> Node | None:
    return call.child_by_field_name("function") if call is not None else None


def _of_string(context: Context, node: Node) -> bool:
    """Match a method of a string."""
    function = _function(_call(node))
    object_ = function.child_by_field_name("object") if function is not None else None
    return context.types.of_object(object_) == STRING


def _with_string(context: Context, node: Node) -> bool:
    """Match a call with one string argument."""
    call = _call(node)
    given = call.child_by_field_name("arguments") if call is not None else None
    if given is None or given.named_child_count != 1:
        return False
    return context.types.of(given.named_children[0]) == STRING


def _of_own_error(context: Context, node: Node) -> bool:
    """Match a call of a built-in error class, which needs no `new`."""
    function = _function(_call(node))
    return function is not None and context.scopes.is_global(function, *_ERRORS)


def _global(*names: str) -> Guard:
    """Require that the code does not declare these names."""

    def holds(context: Context, _node: Node) -> bool:
        return not any(binding.name in names for binding in context.scopes.bindings)

    return holds


def _is_language_s_undefined(context: Context, _node: Node) -> bool:
    """Check that the code does not declare a name `undefined`."""
    parents = (node.parent for node in context.nodes.get("undefined", ()))
    return not any(
        parent is not None
        and parent.type in ("formal_parameters", "required_parameter", "variable_declarator")
        and parent.child_by_field_name("value") is None
        for parent in parents
    )


def _before_no_directive(_context: Context, node: Node) -> bool:
    """Check that removing a label does not turn the string after it into a directive."""
    label: Node | None = node
    while label is not None and label.type != "labeled_statement":
        label = label.parent
    return label is not None and not _DIRECTIVE.match(text(label))


_SIMPLER: Sequence[OxlintRule] = (
    OxlintRule("no-useless-computed-key", "Remove brackets around a constant key."),
    OxlintRule("no-useless-rename", "Remove a rename to the same name."),
    OxlintRule("no-useless-escape", "Remove an unnecessary escape."),
    OxlintRule("no-extra-label", "Remove an unnecessary label."),
    OxlintRule("no-unused-labels", "Remove an unused label.", _before_no_directive),
    OxlintRule("no-regex-spaces", "Replace repeated spaces with a quantifier."),
    OxlintRule("no-array-constructor", "Replace `new Array()` with a literal.", _global("Array")),
    OxlintRule("unicorn/empty-brace-spaces", "Remove spaces from empty braces."),
    OxlintRule("unicorn/escape-case", "Write escapes in upper case."),
    OxlintRule("unicorn/number-literal-case", "Write number literals in consistent case."),
    OxlintRule("unicorn/no-zero-fractions", "Remove a zero fraction."),
    OxlintRule(
        "unicorn/no-useless-fallback-in-spread", "Remove an unnecessary fallback from a spread."
    ),
    OxlintRule("unicorn/no-length-as-slice-end", "Remove an unnecessary end argument of `slice`."),
    OxlintRule(
        "unicorn/no-unnecessary-slice-end",
        "Remove an unnecessary end argument of `slice`.",
        _global("Infinity", "Number"),
    ),
    OxlintRule(
        "unicorn/no-unnecessary-array-splice-count",
        "Remove an unnecessary count argument of `splice`.",
        _global("Infinity", "Number"),
    ),
    OxlintRule("unicorn/throw-new-error", "Throw errors with `new`.", _of_own_error),
    OxlintRule(
        "unicorn/no-typeof-undefined",
        "Compare with `undefined` directly.",
        _is_language_s_undefined,
    ),
    OxlintRule("no-negated-condition", "Invert a negated condition."),
    OxlintRule("typescript/array-type", "Write array types consistently.", _global("Array")),
    OxlintRule("typescript/consistent-generic-constructors", "Write type arguments only once."),
    OxlintRule("typescript/consistent-type-assertions", "Write type assertions with `as`."),
    OxlintRule("typescript/no-extra-non-null-assertion", "Remove a repeated `!`."),
    OxlintRule("typescript/prefer-as-const", "Replace a repeated literal type with `as const`."),
    OxlintRule("typescript/no-useless-empty-export", "Remove an unnecessary empty export."),
    OxlintRule("react/self-closing-comp", "Make an empty element self-closing."),
    OxlintRule("react/jsx-boolean-value", "Remove `={true}` from an attribute."),
    OxlintRule("import/newline-after-import", "Add an empty line after the imports."),
)
_SET_SIZE = OxlintRule(
    "unicorn/prefer-set-size", "Read `size` instead of copying a set.", _global("Set", "Array")
)
_NOW = OxlintRule(
    "unicorn/prefer-date-now", "Replace a date object with `Date.now()`.", _global("Date", "Number")
)
_STARTS_OR_ENDS = OxlintRule(
    "unicorn/prefer-string-starts-ends-with", "Use `startsWith` or `endsWith`.", _with_string
)
_NEWER: Sequence[OxlintRule] = (
    _SET_SIZE,
    _NOW,
    _STARTS_OR_ENDS,
    OxlintRule("unicorn/prefer-string-trim-start-end", "Replace deprecated trim methods."),
    OxlintRule(
        "unicorn/prefer-string-slice", "Replace `substr` or `substring` with `slice`.", _of_string
    ),
    OxlintRule("unicorn/prefer-string-replace-all", "Use `replaceAll`.", _of_string),
    OxlintRule("unicorn/prefer-node-protocol", "Import Node.js modules with `node:`."),
    OxlintRule("unicorn/prefer-bigint-literals", "Use a BigInt literal.", _global("BigInt")),
    OxlintRule("prefer-numeric-literals", "Use a number literal.", _global("parseInt", "Number")),
    OxlintRule(
        "unicorn/prefer-number-properties",
        "Use the functions of `Number`.",
        _global("Number", "parseInt", "parseFloat"),
        [{"checkNaN": False, "checkInfinity": False}],
    ),
    OxlintRule("unicorn/no-hex-escape", "Replace hexadecimal escapes with Unicode escapes."),
    OxlintRule("unicorn/consistent-date-clone", "Copy a date directly.", _global("Date")),
    OxlintRule("unicorn/numeric-separators-style", "Add numeric separators."),
)
_FASTER: Sequence[OxlintRule] = (
    _SET_SIZE,
    _NOW,
    _STARTS_OR_ENDS,
)
OXLINT_RULES: Mapping[str, Sequence[OxlintRule]] = {
    "refactor": _SIMPLER,
    "modernize": _NEWER,
    "optimize": _FASTER,
}
"""By kind of transformation."""


def fixes(context: Context, kind: str, without: Collection[str]) -> list[list[ByteEdit]]:
    """Return the fixes of a kind's rules except those in `without`, for code that oxlint can parse.

    Rules that the code's own comments switch off are not applied.
    """
    rules = [rule for rule in OXLINT_RULES.get(kind, ()) if rule.name not in without]
    if not rules or _LONE_CR.search(context.code):  # not every tool treats a lone CR as a line end
        return []
    write_configuration(
        {
            "plugins": _PLUGINS,
            "categories": {"correctness": "off"},
            "rules": {rule.name: ["warn", *rule.options] for rule in rules},
        }
    )
    by_last_part = {rule.last_part: rule for rule in rules}
    offered = offers(f"code.{_extension(context)}", context.code.decode(), FixKind.SAFE, _SECONDS)
    places = _Places(context.code)
    found = []
    for offer in offered:
        rule = by_last_part.get(offer.rule.rpartition("/")[2])
        edits = _edits(offer, rule, places, context) if rule is not None else []
        if edits:
            found.append(edits)
    return found


def _extension(context: Context) -> str:
    if context.language == "javascript":
        return "js"  # which may hold JSX, too
    has_jsx = any(kind.startswith("jsx_") for kind in context.nodes)
    return "tsx" if has_jsx else "ts"


def _edits(offer: Offer, rule: OxlintRule, places: _Places, context: Context) -> list[ByteEdit]:
    """Return an offer's edits; none where they would not keep what the code does, or take a
    comment."""
    reported = places.span(offer.reported)
    node = context.source.root.descendant_for_byte_range(*reported)
    if node is None or not rule.holds(context, node):
        return []
    edits = sorted(
        ByteEdit(*places.span(edit.range), edit.new_text.encode(), rule.name, rule.message)
        for edit in offer.edits
    )
    overlap = any(a.end > b.start for a, b in pairwise(edits))
    lost = any(_loses_comment(edit, context) for edit in edits)
    return [] if overlap or lost else edits


def _loses_comment(edit: ByteEdit, context: Context) -> bool:
    return any(
        edit.start <= comment.start_byte
        and comment.end_byte <= edit.end
        and context.code[comment.start_byte : comment.end_byte] not in edit.by
        for comment in context.comments
    )


class _Places:
    """From lines and UTF-16 units to bytes."""

    def __init__(self, code: bytes) -> None:
        self._lines: Sequence[bytes] = code.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, extent: Extent) -> tuple[int, int]:
        """Return the first byte, and the one after the last."""
        return self._byte(extent.start), self._byte(extent.end)

    def _byte(self, position: Position) -> int:
        if position.line >= len(self._lines):
            return self._starts[-1]
        units = self._lines[position.line].decode().encode("utf-16-le")
        before = units[: 2 * position.character].decode("utf-16-le", "ignore")
        return self._starts[position.line] + len(before.encode())
