"""What the functions of a program do, in languages that tree-sitter reads."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tree_sitter import Node

from codeintel.verification.local_edits.tokens import tree_of
from codeintel.verification.vocabulary.operations import (
    MODULE,
    Atom,
    Program,
    Unit,
    equal,
    logic_of,
    ordered,
    plain,
)
from codeintel.verification.vocabulary.tree_conditions import (
    OPERATORS,
    Path,
    atom,
    bare,
    conditions,
    note_branch,
    operation,
)
from codeintel.verification.vocabulary.tree_functions import (
    class_name,
    function_name,
    is_private,
    note_parameters,
)
from codeintel.verification.vocabulary.tree_texts import is_kind, text_pieces

_TYPES = re.compile(r"type_alias|interface_declaration|type_annotation|type_(?:arg|param)|_type$")
_IDLE = frozenset({";", "php_tag", "?>", "package_clause", "comment"})
_WORD = re.compile(r"[^\W\d][\w$]*[?!]?")
_CALL = re.compile(r"call|invocation|object_creation|^new_expression|command$|macro_invocation")
_NO_CALL = re.compile(r"_type|suffix|arguments|signature|operator|expressions$|callable")
_THROW = re.compile(r"throw|raise")
_CATCH = re.compile(r"^(?:catch_clause|catch_block|rescue|catch_declaration|except)")
_RETURN = re.compile(r"^return|jump_expression|control_transfer")
_ASSIGN = re.compile(
    r"assign|declarator|variable|property|^pair$|field_definition|let_decl|default"
)
_TRIVIAL = frozenset(
    [
        "0",
        "1",
        "-1",
        "0.0",
        "1.0",
        "true",
        "false",
        "True",
        "False",
        "TRUE",
        "FALSE",
        "nil",
        "null",
        "NULL",
        "None",
        "undefined",
        "nullptr",
        "''",
    ]
)
_SWAPPABLE = frozenset({"-", "/", "//", "%", "**", "<<", ">>"})
_WAYS = re.compile(
    r"template_(?:string|substitution)|interpolat|lambda|arrow_function|comprehension|enhanced_for"
    r"|for_(?:in|each|of)|foreach|for_expression|range_clause|with_|using_statement|try_with|spread"
    r"|switch|match|subscript|closure|await|conditional|ternary|optional|block_argument|do_block|method_reference"
)
_LITERAL = re.compile(r"-?\d[\w.]*|'[^']*'|true|false|null|nil|undefined")
_Item = tuple[Node, Unit, str, Path, str]


def tree_operations(code: str, language: str) -> Program | None:
    """The program; None if it cannot be read, or is no code that somebody would write."""
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
                self._leaf(node, unit)
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
            self._statements(node, unit)
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
        """Note what a node does; what kind of operation it is, if it is one."""
        kind = node.type
        if is_kind(kind, _WAYS):
            unit.ways["For" if "for" in kind else "lambda" if "arrow" in kind else kind] += 1
        sign = self._operation(node, unit, outer)
        if is_kind(kind, _CALL) and not is_kind(kind, _NO_CALL):
            self._call(node, unit, path)
        if is_kind(kind, _THROW) or (is_kind(kind, _RETURN) and _text(node)[:6] == "throw "):
            name = _thrown(node)
            unit.raised[name] += 1
            unit.leaves.setdefault(f"raise {name}", []).append(path)
        elif is_kind(kind, _RETURN):
            inner = node.named_children[0] if node.named_child_count else None
            if inner is not None and inner.type.endswith("_list") and inner.named_child_count == 1:
                inner = inner.named_children[0]
            self._returned(inner, unit, path)
        elif is_kind(kind, _CATCH):
            head = _text(node).partition("{")[0] if kind != "rescue" else _head(node)
            words = [each for each in _WORD.findall(head) if each[0].isupper()]
            unit.caught.update(words)
        elif kind == "arrow_function":
            body = node.child_by_field_name("body")
            if body is not None and "block" not in body.type:
                self._returned(body, unit, path)
        elif is_kind(kind, _CHANGE):
            unit.leaves.setdefault(bare(node), []).append(path)
        self._constant(node, unit)
        return sign

    def _returned(self, node: Node | None, unit: Unit, path: Path) -> None:
        """Note what is returned under which conditions, also if it is a condition itself."""
        unit.ways["returns" if node is not None else "falls"] += 1
        unit.ways["given"] += node is not None and self._language not in _IMPLICIT
        if node is None:
            return
        said = operation(node)
        if (said and OPERATORS[said[1]] in _CONDITIONS) or _text(node)[:1] == "!":
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

    def _leaf(self, node: Node, unit: Unit) -> None:
        text = _text(node)
        if is_kind(node.type, _RETURN):
            unit.ways["falls"] += 1
        if node.type == "simple_symbol":
            text = text.lstrip(":")
        if _WORD.fullmatch(text):
            unit.names.add(text)
            unit.used[text] += 1
        if plain(text) in _TRIVIAL or node.type in ("true", "false", "nil", "null", "none"):
            self._value(node, plain(text), unit)

    def _value(self, node: Node, text: str, unit: Unit) -> None:
        """Note a value such as `true`, unless it is compared, counted with, or given away."""
        parent = node.parent
        while parent is not None and parent.named_child_count == 1 and not _is_end(parent):
            if parent.type.startswith("unary") and text.isdigit():
                text = f"-{text}" if _text(parent).startswith("-") else text
            parent = parent.parent
        if parent is None or operation(parent) or "argument" in parent.type:
            return
        if "subscript" in parent.type or "index" in parent.type or "for" in parent.type:
            return
        if "parameter" not in parent.type:
            unit.values[text] += 1

    def _operation(self, node: Node, unit: Unit, outer: str) -> str:
        said = operation(node)
        if said is None:
            if node.type in (
                "update_expression",
                "inc_statement",
                "dec_statement",
                "postfix_unary",
            ):
                unit.arithmetic["+1" if b"++" in (node.text or b"") else "-1"] += 1
                unit.assigned.update(bare(each) for each in node.named_children)
            return ""
        left, sign, right = said
        one, other = bare(left), bare(right)
        if sign in ("<", ">", "<=", ">="):
            unit.orders[ordered(sign, one, other)[0]] += 1
        elif OPERATORS[sign] == "equal":
            unit.equals[equal(one, other)] += 1
        elif OPERATORS[sign] in ("and", "or"):
            if outer != OPERATORS[sign]:
                self._logic(node, OPERATORS[sign], unit)
            return OPERATORS[sign]
        elif OPERATORS[sign] == "sum":
            # Whether a sum is a text is found out once for all sums in it.
            if sign == "+" and outer not in ("text", "numbers"):
                said_text = text_pieces(node)
                outer = "text" if said_text and said_text.pieces else "numbers"
            if sign != "+" or outer != "text":
                self._sum(sign.removesuffix("="), one, other, unit)
            return outer if sign == "+" else ""
        return ""

    def _logic(self, node: Node, sign: str, unit: Unit) -> None:
        atoms: list[Atom] = []
        stack = [node]
        while stack and len(atoms) < 60:
            each = stack.pop()
            inner = operation(each)
            if inner and OPERATORS[inner[1]] == sign:
                stack += [inner[0], inner[2]]
            else:
                atoms.append(atom(each))
        unit.logic[logic_of(sign, atoms)] += 1

    def _sum(self, sign: str, one: str, other: str, unit: Unit) -> None:
        if "'" in one[:1] + other[:1]:
            return
        if _LITERAL.fullmatch(one) and _LITERAL.fullmatch(other):
            return
        step = sign in "+-" and (other == "1" or (one == "1" and sign == "+"))
        unit.arithmetic[f"{sign}1" if step else sign] += 1
        if sign in _SWAPPABLE:
            unit.swappable[(sign, one, other)] += 1

    def _call(self, node: Node, unit: Unit, path: Path) -> None:
        arguments = node.child_by_field_name("arguments") or next(
            (each for each in node.named_children if "argument" in each.type), None
        )
        end = arguments.start_byte if arguments is not None else node.end_byte
        if end - node.start_byte > _MAX_HEAD:
            unit.calls["?"] += 1
            return
        if node.end_byte - node.start_byte <= _MAX_HEAD:
            head = (node.text or b"")[: end - node.start_byte].decode(errors="replace")
        else:  # what is within it may be long, and is not copied
            head = "".join(_text(each) for each in node.children if each.end_byte <= end)
        words = _WORD.findall(head.partition("{")[0].partition("<")[0])
        if not words:
            return
        callee = words[-1]
        unit.calls[callee] += 1
        if callee == "raise":
            name = _thrown(node)
            unit.raised[name] += 1
            unit.leaves.setdefault(f"raise {name}", []).append(path)
        given = arguments.named_children if arguments is not None else []
        texts = [bare(each) for each in given if "comment" not in each.type]
        owner = plain(head).rpartition(".")[0]
        several = [*([owner] if owner else []), *texts]
        if 1 < len(several) < 20 and len(several) == len(set(several)):
            unit.swappable[(callee, *several)] += 1
        for place, text in enumerate(texts[:20]):
            if text in _TRIVIAL:
                unit.arguments[(callee, str(place), text)] += 1
        unit.leaves.setdefault(bare(node), []).append(path)

    def _constant(self, node: Node, unit: Unit) -> None:
        """Note what a name stands for, if that is a literal."""
        if not is_kind(node.type, _ASSIGN):
            return
        name = node.child_by_field_name("name") or node.child_by_field_name("left")
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if name is None or value is None:
            return
        word, text = bare(name).lstrip("$"), bare(value)
        unit.assigned[word] += 1
        if unit is self.program.units[MODULE]:
            self.program.fields.add(word)
            if _LITERAL.fullmatch(text):
                self.program.constants[word] = text
        elif _LITERAL.fullmatch(text):
            unit.constants[word] = text

    def _statements(self, node: Node, unit: Unit) -> None:
        """Note which calls follow each other directly."""
        if not is_kind(node.type, _BLOCK):
            return
        before = ""
        for each in node.named_children:
            said = ""
            if "statement" in each.type or is_kind(each.type, _CALL):
                inner = each if is_kind(each.type, _CALL) else _only(each.named_children)
                if inner is not None and is_kind(inner.type, _CALL):
                    said = bare(inner)
            if said and before and said != before:
                unit.sequences.add((before, said))
            before = said
        last = node.named_children[-1] if node.named_child_count else None
        said_last = operation(last) if last is not None else None
        if said_last and OPERATORS[said_last[1]] in _CONDITIONS:
            self._returned(last, unit, frozenset())


_CHANGE = re.compile(
    r"^(?:augmented_|compound_)?assignment(?:_expression|_statement)?$|operator_assi"
)
_CONDITIONS = frozenset({"order", "equal", "and", "or"})
_IMPLICIT = frozenset({"csharp", "kotlin", "ruby", "rust", "scala", "swift"})
_MAX_HEAD = 300
_MAX_NODES = 300_000
_BLOCK = re.compile(r"block|body|compound_statement|statements|^then$|statement_list")


def _is_end(node: Node) -> bool:
    return is_kind(node.type, _RETURN) or is_kind(node.type, _ASSIGN) or operation(node) is not None


def _only(nodes: Iterable[Node]) -> Node | None:
    several = list(nodes)
    return several[0] if len(several) == 1 else None


def _thrown(node: Node) -> str:
    words = [each for each in _WORD.findall(_text(node)[:200]) if each[0].isupper()]
    return words[0] if words else "?"


def _head(node: Node) -> str:
    inner = node.child_by_field_name("exceptions")
    return _text(inner) if inner is not None else "StandardError"


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")
