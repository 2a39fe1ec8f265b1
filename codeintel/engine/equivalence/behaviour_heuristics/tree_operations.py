"""Read the operations and calls of functions in languages that tree-sitter parses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    MODULE,
    Program,
    Unit,
    plain,
)
from codeintel.engine.equivalence.behaviour_heuristics.tree_conditions import (
    OPERATORS,
    RETURN,
    TRIVIAL,
    WORD,
    Path,
    bare,
    conditions,
    note_branch,
    note_constant,
    note_leaf,
    note_null_sign,
    note_operation,
    operation,
)
from codeintel.engine.equivalence.behaviour_heuristics.tree_vocabulary import is_kind, node_text
from codeintel.engine.equivalence.local_edits.runs import tree_of

_TYPES = re.compile(r"type_alias|interface_declaration|type_annotation|type_(?:arg|param)|_type$")
_IDLE = frozenset({";", "php_tag", "?>", "package_clause", "comment"})
_THROW = re.compile(r"throw|raise")
_CATCH = re.compile(r"^(?:catch_clause|catch_block|rescue|catch_declaration|except)")
_WAYS = re.compile(
    r"template_(?:string|substitution)|interpolat|lambda|arrow_function|comprehension|enhanced_for"
    r"|for_(?:in|each|of)|foreach|for_expression|range_clause|with_|using_statement|try_with|spread"
    r"|switch|match|subscript|closure|await|conditional|ternary|optional|block_argument|do_block|method_reference"
)
_CHANGE = re.compile(
    r"^(?:augmented_|compound_)?assignment(?:_expression|_statement)?$|operator_assi"
)
_BLOCK = re.compile(r"block|body|compound_statement|statements|^then$|statement_list")
_CONDITIONS = frozenset({"order", "equal", "and", "or"})
_IMPLICIT = frozenset({"csharp", "kotlin", "ruby", "rust", "scala", "swift"})
_MAX_NODES = 300_000
_Item = tuple[Node, Unit, str, Path, str]


def tree_operations(code: str, language: str) -> Program | None:
    """Read a program. Return None if it has syntax errors or too many nodes."""
    root = tree_of(code.removeprefix("\ufeff").encode(errors="surrogatepass"), language).root_node
    if root.has_error or root.descendant_count > _MAX_NODES:
        return None
    return _Reader(language).read(root)


class _Reader:
    def __init__(self, language: str) -> None:
        self._language = language
        self.program = Program()

    def read(self, root: Node) -> Program:
        module = self.program.units[MODULE]
        stack: list[_Item] = [(root, module, "", frozenset(), "")]
        while stack:
            node, unit, owner, path, outer = stack.pop()
            kind = node.type
            if "comment" in kind:
                continue
            if node.is_named and is_kind(kind, _TYPES):
                continue
            if kind in _IDLE:
                continue
            if not node.child_count:
                self.program.size += 1
                note_leaf(node, unit)
                note_null_sign(node, unit)
                continue
            if not node.is_named:
                stack.extend((each, unit, owner, path, "") for each in node.children)
                continue
            named = class_name(node)
            if named and unit is module:
                self.program.classes.setdefault(named, node.start_point.row + 1)
                owner = f"{owner}{named}."
            called = function_name(node)
            if called:
                unit = self._function(node, called, unit, module, owner)
                path = frozenset()
            sign = self._note(node, unit, path, outer)
            self._block(node, unit)
            stack.extend((each, unit, owner, more, sign) for each, more in note_branch(node, path))
        module.sequences.clear()
        return self.program

    def _function(self, node: Node, name: str, unit: Unit, module: Unit, owner: str) -> Unit:
        if unit is module:
            unit = Unit(node.start_point.row + 1, is_private(node, name, self._language))
            name = owner + name
            while name in self.program.units:
                name += "'"
            self.program.units[name] = unit
        note_parameters(node, unit)
        return unit

    def _note(self, node: Node, unit: Unit, path: Path, outer: str) -> str:
        """Record what a node does, and return its kind of operation, or an empty string."""
        kind = node.type
        if is_kind(kind, _WAYS):
            unit.ways["For" if "for" in kind else "lambda" if "arrow" in kind else kind] += 1
        sign = note_operation(node, unit, outer)
        if is_call(node):
            note_call(node, unit, path)
        if is_kind(kind, _THROW) or (is_kind(kind, RETURN) and node_text(node)[:6] == "throw "):
            name = thrown(node)
            unit.raised[name] += 1
            unit.leaves.setdefault(f"raise {name}", []).append(path)
        elif is_kind(kind, RETURN):
            inner = node.named_children[0] if node.named_child_count else None
            if inner is not None and inner.type.endswith("_list") and inner.named_child_count == 1:
                inner = inner.named_children[0]
            self._returned(inner, unit, path)
        elif is_kind(kind, _CATCH):
            head = node_text(node).partition("{")[0] if kind != "rescue" else _caught(node)
            words = [each for each in WORD.findall(head) if each[0].isupper()]
            unit.caught.update(words)
        elif kind == "arrow_function":
            body = node.child_by_field_name("body")
            if body is not None and "block" not in body.type:
                self._returned(body, unit, path)
        elif is_kind(kind, _CHANGE):
            unit.leaves.setdefault(bare(node), []).append(path)
        note_constant(node, unit, self.program)
        return sign

    def _returned(self, node: Node | None, unit: Unit, path: Path) -> None:
        """Record what is returned under which conditions.

        A returned condition counts as `true` and `false`.
        """
        unit.ways["returns" if node is not None else "falls"] += 1
        unit.ways["given"] += node is not None and self._language not in _IMPLICIT
        if node is None:
            return
        said = operation(node)
        if (said and OPERATORS[said[1]] in _CONDITIONS) or node_text(node)[:1] == "!":
            for result in (True, False):
                more = path | conditions(node, result)
                unit.leaves.setdefault(f"return {str(result).lower()}", []).append(more)
            return
        test = node.child_by_field_name("condition")
        arms = [node.child_by_field_name(field) for field in ("consequence", "alternative")]
        if test is None or "block" in (arms[0].type if arms[0] else "block"):
            unit.leaves.setdefault(f"return {bare(node)}", []).append(path)
            return
        for arm, holds in zip(arms, (True, False), strict=True):
            if arm is not None:
                more = path | conditions(test, holds)
                unit.leaves.setdefault(f"return {bare(arm)}", []).append(more)

    def _block(self, node: Node, unit: Unit) -> None:
        """Record the order of calls in a block, and its value if that is a condition."""
        if not is_kind(node.type, _BLOCK):
            return
        note_sequence(node, unit)
        last = node.named_children[-1] if node.named_child_count else None
        said_last = operation(last) if last is not None else None
        if said_last and OPERATORS[said_last[1]] in _CONDITIONS:
            self._returned(last, unit, frozenset())


def _caught(node: Node) -> str:
    inner = node.child_by_field_name("exceptions")
    return node_text(inner) if inner is not None else "StandardError"


_CALL = re.compile(r"call|invocation|object_creation|^new_expression|command$|macro_invocation")
_NO_CALL = re.compile(r"_type|suffix|arguments|signature|operator|expressions$|callable")
_MAX_HEAD = 300


def is_call(node: Node) -> bool:
    """Return whether a node is a whole call."""
    return _may_be_call(node) and not is_kind(node.type, _NO_CALL)


def _may_be_call(node: Node) -> bool:
    return is_kind(node.type, _CALL)


def note_call(node: Node, unit: Unit, path: Path) -> None:
    """Record a call with its callee, arguments and conditions."""
    arguments = node.child_by_field_name("arguments") or next(
        (each for each in node.named_children if "argument" in each.type), None
    )
    end = arguments.start_byte if arguments is not None else node.end_byte
    if end - node.start_byte > _MAX_HEAD:
        unit.calls["?"] += 1
        return
    if node.end_byte - node.start_byte <= _MAX_HEAD:
        head = (node.text or b"")[: end - node.start_byte].decode(errors="replace")
    else:  # do not copy the content, which can be long
        head = "".join(node_text(each) for each in node.children if each.end_byte <= end)
    words = WORD.findall(head.partition("{")[0].partition("<")[0])
    if not words:
        return
    callee = words[-1]
    unit.calls[callee] += 1
    if callee == "raise":
        name = thrown(node)
        unit.raised[name] += 1
        unit.leaves.setdefault(f"raise {name}", []).append(path)
    given = arguments.named_children if arguments is not None else []
    texts = [bare(each) for each in given if "comment" not in each.type]
    owner = plain(head).rpartition(".")[0]
    several = [*([owner] if owner else []), *texts]
    if 1 < len(several) < 20 and len(several) == len(set(several)):
        unit.swappable[(callee, *several)] += 1
    for place, text in enumerate(texts[:20]):
        if text in TRIVIAL:
            unit.arguments[(callee, str(place), text)] += 1
    unit.leaves.setdefault(bare(node), []).append(path)


def note_sequence(node: Node, unit: Unit) -> None:
    """Record which calls directly follow each other."""
    before = ""
    for each in node.named_children:
        said = ""
        if "statement" in each.type or _may_be_call(each):
            inner = each if _may_be_call(each) else _only(each.named_children)
            if inner is not None and _may_be_call(inner):
                said = bare(inner)
        if said and before and said != before:
            unit.sequences.add((before, said))
        before = said


def thrown(node: Node) -> str:
    """Return the type of a thrown error, or `?` if the code does not name it."""
    words = [each for each in WORD.findall(node_text(node)[:200]) if each[0].isupper()]
    return words[0] if words else "?"


def _only(nodes: Iterable[Node]) -> Node | None:
    several = list(nodes)
    return several[0] if len(several) == 1 else None


_FUNCTION = re.compile(
    r"^(?:generator_)?function_(?:declaration|definition|item|statement)|^method(?:_declaration"
    r"|_definition)?$|^singleton_method$|^(?:local_)?function$|^constructor_declaration$"
    r"|^local_function_statement$|^function_definition_statement$|^generator_function_declaration$"
)
_VALUE = re.compile(
    r"arrow_function|^function(?:_expression|_definition)?$|lambda|closure|anonymous"
)
_HOLDER = re.compile(r"declarator$|^assignment|^field_definition$|^public_field|^pair$|^variable")
_CLASS = re.compile(
    r"^(?:abstract_)?class(?:_declaration|_definition|_specifier)?$|^struct_(?:item|specifier"
    r"|declaration)$|^enum_(?:item|declaration|definition)$|^record_declaration$"
    r"|^(?:object|trait)_(?:declaration|definition|item)$|^module$|^impl_item$|^type_spec$"
    r"|^interface_declaration$"
)
_NAME = re.compile(r"[^\W\d][\w$]*[?!=]?")
_IDENTIFIER = re.compile(r"identifier|^name$|^word$|^constant$")


def function_name(node: Node) -> str:
    """Return the name of the function that a node defines, or an empty string."""
    kind = node.type
    if not node.is_named:
        return ""
    if is_kind(kind, _FUNCTION):
        return _name(node)
    if is_kind(kind, _HOLDER):
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if value is not None and is_kind(value.type, _VALUE):
            return _name(node)
    return ""


def class_name(node: Node) -> str:
    """Return the name of the class that a node defines or extends, or an empty string."""
    if not node.is_named or not is_kind(node.type, _CLASS):
        return ""
    if node.type == "type_spec" and "(" in _head(node):
        return ""
    if node.type.endswith("specifier") and node.child_by_field_name("body") is None:
        return ""
    return _name(node)


def _name(node: Node) -> str:
    for field in ("name", "left", "declarator", "property", "key", "type"):
        inner = node.child_by_field_name(field)
        depth = 0
        while inner is not None and depth < 5:  # `int *f(void)` has declarators in declarators
            deeper = inner.child_by_field_name("declarator")
            if deeper is None:
                break
            inner, depth = deeper, depth + 1
        if inner is not None:
            words = _NAME.findall(plain(node_text(inner)))
            return words[-1] if words else ""
    for each in node.named_children:
        if is_kind(each.type, _IDENTIFIER):
            return node_text(each)
    return ""


def is_private(node: Node, name: str, language: str) -> bool:
    """Return whether code outside the file cannot call the function."""
    head = _head(node)
    if language in ("javascript", "typescript", "tsx"):
        return name[:1] in "_#" or not _is_exported(node)
    if language == "go":
        return name[:1].islower()
    if language == "rust":
        return not head.startswith("pub")
    if language in ("c", "cpp"):
        return re.match(r"static\b", head) is not None
    if language in ("java", "csharp", "php", "kotlin", "swift", "scala"):
        return re.search(r"\b(?:private|fileprivate)\b", head) is not None
    if language == "lua":
        return head.startswith("local")
    return name.startswith("_")


def _is_exported(node: Node) -> bool:
    parent: Node | None = node
    for _ in range(4):
        if parent is None:
            return False
        if "export" in parent.type or "class_body" in parent.type:
            return True
        parent = parent.parent
    return False


def note_parameters(node: Node, unit: Unit) -> None:
    """Record the names and defaults of parameters."""
    several = node.child_by_field_name("parameters")
    if several is None:
        inner = node.child_by_field_name("value") or node.child_by_field_name("declarator")
        several = inner.child_by_field_name("parameters") if inner is not None else None
    for each in several.named_children if several is not None else ():
        names = [
            each.child_by_field_name(field) for field in ("name", "pattern", "left", "declarator")
        ]
        name = next((inner for inner in names if inner is not None), each)
        word = plain(node_text(name)).lstrip("*&$")
        if not _NAME.fullmatch(word):
            continue
        unit.parameters.add(word)
        unit.used[word] -= 1  # the declaration is not a use
        value = next(
            (
                each.child_by_field_name(f)
                for f in ("value", "right", "default_value")
                if each.child_by_field_name(f) is not None
            ),
            None,
        )
        if value is not None:
            unit.defaults[word] = plain(node_text(value))
        elif each.type == "parameter" and "=" in node_text(each):
            unit.defaults[word] = plain(node_text(each).partition("=")[2])


def _head(node: Node) -> str:
    return (node.text or b"")[:80].decode(errors="replace").partition("{")[0]
