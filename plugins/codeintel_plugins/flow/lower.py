"""From syntax trees to the form of :mod:`codeintel_plugins.flow.ir`: expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from codeintel_plugins.flow import kinds
from codeintel_plugins.flow.csharp import OUT, SETS, conditional_access, initializer
from codeintel_plugins.flow.ir import (
    Argument,
    Assign,
    Assignment,
    Block,
    Call,
    Choice,
    Closure,
    Evaluate,
    Expr,
    Function,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
    Stmt,
    Test,
)
from codeintel_plugins.flow.nodes import (
    child_of,
    dotted_identifier,
    field_of,
    operator_of,
    unquoted,
)
from codeintel_plugins.flow.pages import ECHO
from codeintel_plugins.flow.switches import lower_choice
from codeintel_plugins.flow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

INLINE = re.compile(r"\{([A-Za-z_]\w*)[:}]")
_NUMBER_TYPE = re.compile(r"int|float|double|long|bool|boolean|byte|short|char|integer|number")


class ExpressionLowerer:
    """Lowers expressions; statements are the subclass's."""

    slash_joins = False
    """Whether `/` puts paths together, besides dividing numbers."""
    heredocs: Mapping[Span, SgNode] = {}
    """Ruby's texts that stand below the line where they begin, by where they begin."""

    def statements(self, node: SgNode) -> tuple[Stmt, ...]:
        """The statements of a node that is one, or holds some."""
        raise NotImplementedError

    def is_statement(self, kind: str) -> bool:
        """Whether nodes of the kind are statements."""
        raise NotImplementedError

    def function(self, node: SgNode) -> Function:
        """The function of a definition or closure."""
        raise NotImplementedError

    def expr(self, node: SgNode) -> Expr:
        """The expression of a node of any kind."""
        kind = node.kind()
        if kind == "dynamic_variable_name" and (inner := child_of(node, "variable_name")):
            return Index(span(node), Name(Span(0, 0), "$GLOBALS"), self.expr(inner))  # PHP's $$x
        if kind in kinds.IDENTIFIERS:
            return Name(span(node), dotted_identifier(node.text()))
        if kind in kinds.STRINGS:
            return self._string(node)
        if kind == "heredoc_beginning" and (body := self.heredocs.get(span(node))) is not None:
            return self._string(body)._replace(span=span(node))
        if kind in kinds.INCLUDES:
            args = tuple(Argument(part, None) for part in self._parts(node))
            return Call(span(node), Name(span(node), node.children()[0].text()), args)
        if kind in kinds.CALLS:
            return self._call(node, kind)
        if kind in kinds.MEMBERS:
            return self._member(node, kind)
        if kind in kinds.INDEXES:
            return self._index(node)
        if kind in kinds.OPERATIONS:
            return self._operation(node)
        if kind in kinds.TESTS:
            return Test(span(node), self._parts(node), operator_of(node))
        if kind in ("unary_expression", "unary", "unary_operator", "prefix_unary_expression",
                    "unary_op_expression", "update_expression"):  # fmt: skip
            operator = operator_of(node)
            parts = self._parts(node)
            return (Test(span(node), parts, operator) if operator in kinds.UNARY_TESTS
                    else Join(span(node), parts))  # fmt: skip
        if kind in kinds.CHOICES:
            return self._choice(node)
        if kind in kinds.ASSIGNMENTS:
            return self._assignment(node)
        if kind == "initializer_expression":
            return initializer(self, node)
        if kind in kinds.KEYED:
            return self._keyed(node)
        if kind == "object_pattern":
            return self._object_pattern(node)
        if kind in kinds.COMPREHENSIONS:
            return self._comprehension(node)
        if kind == "conditional_access_expression":
            return conditional_access(self, node)
        if kind == "declaration_expression":  # C#: `out var x`
            return self.expr(node.named_children()[-1])
        if kind in kinds.CLOSURES and node.field("body") is not None:
            return Closure(span(node), self.function(node))
        if kind in ("cast_expression", "type_conversion_expression", "as_expression"):
            return self._cast(node)
        if self.is_statement(kind):
            return Block(span(node), self.statements(node))
        if not node.named_children():
            return Literal(span(node), unquoted(node.text()))
        return Join(span(node), self._parts(node))

    def _appended(self, node: SgNode) -> Expr | None:
        """Ruby's `target << value << value`, which changes the target."""
        values: list[SgNode] = []
        while node.kind() == "binary" and operator_of(node) == "<<":
            left, right = node.field("left"), node.field("right")
            if left is None or right is None:
                return None
            values.insert(0, right)
            node = left
        if not values or node.kind() not in kinds.IDENTIFIERS | kinds.INDEXES | {"call"}:
            return None
        place = Span(span(values[0]).start, span(values[-1]).end)
        added = Join(place, tuple(self.expr(each) for each in values))
        return Assignment(Span(span(node).start, place.end), self._target(node), added, True)

    def _target(self, node: SgNode) -> Expr:
        """What is assigned to; `object.name = value` is a call in Ruby."""
        found = self.expr(node)
        if isinstance(found, Call) and isinstance(found.callee, Member) and not found.args:
            return found.callee
        return found

    def _comprehension(self, node: SgNode) -> Expr:
        """`value for target in source if condition`: assignments, and what they lead to."""
        made: list[Stmt] = []
        body, *clauses = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
        value = self.expr(body)
        for clause in clauses:
            left, right = clause.field("left"), clause.field("right")
            if left is not None and right is not None:
                made.append(Assign(span(clause), self.expr(left), self.expr(right)))
            else:
                parts = (value, Literal(span(clause), ""))
                value = Choice(span(clause), parts, Join(span(clause), self._parts(clause)))
        return Block(span(node), (*made, Evaluate(span(body), value)))

    def _parts(self, node: SgNode) -> tuple[Expr, ...]:
        return tuple(
            self.expr(child) for child in node.named_children() if child.kind() not in kinds.IGNORED
        )

    def _string(self, node: SgNode) -> Expr:
        parts: list[Expr] = []
        for child in node.named_children():
            kind = child.kind()
            if kind in kinds.INTERPOLATIONS:
                inner = self.expr(child)
                if not isinstance(inner, Literal):
                    parts.append(inner)
            elif kind not in kinds.TEXT_PARTS and child.named_children():
                parts.append(self.expr(child))
        if parts:
            found: Expr = Join(span(node), tuple(parts))
        else:
            found = Literal(span(node), unquoted(node.text()))
        if node.kind() in ("shell_command_expression", "subshell"):
            return Call(span(node), Name(span(node), "`"), (Argument(found, None),))
        return found

    def _call(self, node: SgNode, kind: str) -> Expr:
        callee = self._callee(node, kind)
        arguments = field_of(node, "arguments", "argument_list") or child_of(
            node, "arguments", "argument_list", "token_tree"
        )
        args: list[Argument] = []
        if kind == "macro_invocation":
            args = list(_macro_arguments(arguments))
        elif kind == "print_intrinsic":
            args = [Argument(part, None) for part in self._parts(node)]
        elif arguments is not None:
            if arguments.kind() in ("arguments", "argument_list"):
                args = [
                    self._argument(child)
                    for child in arguments.named_children()
                    if child.kind() not in kinds.IGNORED
                ]
            else:
                args = [self._argument(arguments)]
        sets = child_of(node, "initializer_expression")
        if sets is not None:
            args.append(Argument(self.expr(sets), SETS))
        block = node.field("block") or child_of(node, "class_body")
        if block is not None and kind != "macro_invocation":
            args.append(Argument(self.expr(block), None))
        return Call(span(node), callee, tuple(args))

    def _callee(self, node: SgNode, kind: str) -> Expr:
        if kind == "print_intrinsic" or node.text().startswith(ECHO):
            return Name(span(node), "print" if kind == "print_intrinsic" else "echo")
        receiver = field_of(node, *kinds.RECEIVER_FIELDS)
        name = field_of(node, "name", "method") if receiver is not None or kind in (
            "method_invocation", "member_call_expression", "call", "method_call", "command_call"
        ) else None  # fmt: skip
        if name is not None:
            if receiver is None:
                return Name(span(name), name.text())
            return Member(
                Span(span(receiver).start, span(name).end), self.expr(receiver), name.text()
            )
        callee = field_of(node, *kinds.CALLEE_FIELDS)
        if callee is None:
            named = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
            if not named:
                return Name(span(node), "")
            callee = named[0]
        if kind in ("object_creation_expression", "new_expression"):
            text = callee.text().partition("<")[0].strip()
            if re.fullmatch(r"[\w.\\:]+", text):
                return Name(span(callee), f"new {dotted_identifier(text)}")
        if kind == "macro_invocation":
            return Name(span(callee), f"{dotted_identifier(callee.text())}!")
        if callee.kind() in ("generic_function", "generic_name"):
            inner = callee.named_children()
            callee = inner[0] if inner else callee
        return self.expr(callee)

    def _argument(self, node: SgNode) -> Argument:
        kind = node.kind()
        if kind in ("keyword_argument", "named_argument"):
            value = field_of(node, "value") or node.named_children()[-1]
            name = field_of(node, "name")
            return Argument(self.expr(value), name.text() if name is not None else None)
        if kind == "argument":
            name = field_of(node, "name")
            named = node.named_children()
            if not named:
                return Argument(Literal(span(node), node.text()), None)
            if name is None and node.text().startswith("out "):
                return Argument(self.expr(named[-1]), OUT)
            return Argument(self.expr(named[-1]), name.text().rstrip(":") if name else None)
        if kind == "pair":
            key, given = field_of(node, "key"), field_of(node, "value")
            if key is not None and given is not None:
                return Argument(self.expr(given), unquoted(key.text()).strip(":"))
        return Argument(self.expr(node), None)

    def _member(self, node: SgNode, kind: str) -> Expr:
        whole, part = kinds.MEMBERS[kind]
        object_ = field_of(node, whole, "expression", "argument") if whole else None
        name = field_of(node, part, "name", "field") if part else None
        named = node.named_children()
        if object_ is None and len(named) > 1:
            object_ = named[0]
        if name is None and named:
            name = named[-1]
        if object_ is None or name is None:
            return Name(span(node), dotted_identifier(node.text()))
        if name.kind() == "generic_name" and name.named_children():  # C#: `db.Query<User>`
            name = name.named_children()[0]
        return Member(span(node), self.expr(object_), name.text().lstrip("#"))

    def _index(self, node: SgNode) -> Expr:
        named = [child for child in node.named_children() if child.kind() not in kinds.IGNORED]
        object_ = field_of(node, *kinds.INDEXED_FIELDS) or (named[0] if named else None)
        key = field_of(node, *kinds.KEY_FIELDS) or (named[-1] if len(named) > 1 else None)
        if object_ is None:
            return Literal(span(node), node.text())
        if key is None and node.text().endswith("[]"):  # PHP's "one more element"
            return Index(span(node), self.expr(object_), Name(Span(0, 0), ""))
        if key is None:
            return Join(span(node), (self.expr(object_),))
        inner = key.named_children()
        if key.kind() in ("bracketed_argument_list", "subscript_argument_list") and inner:
            key = inner[0].named_children()[0] if inner[0].named_children() else inner[0]
        return Index(span(node), self.expr(object_), self.expr(key))

    def _operation(self, node: SgNode) -> Expr:
        operator = operator_of(node)
        if operator == "<<" and (appended := self._appended(node)) is not None:
            return appended
        parts = self._parts(node)
        if operator in kinds.CHOOSING and operator != "//":
            return Choice(span(node), parts)
        if operator in kinds.COMPARING and not (operator == "/" and self.slash_joins):
            if operator == "&&" and node.kind() == "binary":
                operator = "and"  # Ruby's gives one of its parts, as Python's
            return Test(span(node), parts, operator)
        return Join(span(node), parts)

    def _choice(self, node: SgNode) -> Expr:
        condition = field_of(node, "condition")
        if node.kind() == "switch_expression":
            return lower_choice(self, node, condition or node.named_children()[0])
        parts = self._parts(node)
        if condition is not None:
            place = span(condition)
            rest = tuple(part for part in parts if part.span != place)
            found = next((part for part in parts if part.span == place), None)
            if len(rest) == 1 and found is not None:  # PHP's `a ?: b`
                return Choice(span(node), (found, *rest))
            return Choice(span(node), rest, found)
        if len(parts) == 3:  # Python's has no fields: value, condition, other value
            return Choice(span(node), (parts[0], parts[2]), parts[1])
        return Choice(span(node), parts)

    def _assignment(self, node: SgNode) -> Expr:
        left, right = field_of(node, "left", "name"), field_of(node, "right", "value")
        if left is None or right is None:
            return Join(span(node), self._parts(node))
        augments = operator_of(node) not in ("=", ":=", "", "?=")
        return Assignment(span(node), self._target(left), self.expr(right), augments)

    def _keyed(self, node: SgNode) -> Expr:
        entries: list[tuple[str | None, Expr]] = []
        for child in node.named_children():
            kind = child.kind()
            if kind in kinds.IGNORED:
                continue
            named = child.named_children()
            if kind in kinds.PAIRS and len(named) > 1:
                key = self.expr(named[0])
                text = key.text if isinstance(key, Literal) else None
                if isinstance(key, Name) and kind in ("pair", "field_initializer", "keyed_element"):
                    text = key.id
                entries.append((text, self.expr(named[-1])))
            elif kind == "shorthand_property_identifier":
                entries.append((child.text(), self.expr(child)))
            else:
                entries.append((None, self.expr(child)))
        if any(key is not None for key, _ in entries):
            return Keyed(span(node), tuple(entries))
        return Join(span(node), tuple(value for _, value in entries))

    def _object_pattern(self, node: SgNode) -> Expr:
        """JavaScript's `{ a, b: c, d = 1, ...rest }` as a target: each variable by its key."""
        entries: list[tuple[str | None, Expr]] = []
        for child in node.named_children():
            if child.kind() in kinds.IGNORED:
                continue
            key, target = field_of(child, "key"), field_of(child, "value", "left") or child
            while target.kind() in ("assignment_pattern", "object_assignment_pattern"):
                target = field_of(target, "left") or target.named_children()[0]
            text = (key or target).text() if child.kind() != "rest_pattern" else None
            entries.append((unquoted(text) if text is not None else None, self.expr(target)))
        return Keyed(span(node), tuple(entries))

    def _cast(self, node: SgNode) -> Expr:
        value = field_of(node, "value", "operand", "argument") or node.named_children()[-1]
        type_ = field_of(node, "type")
        if type_ is None and node.kind() == "as_expression":
            value = node.named_children()[0]
        if type_ is not None and _NUMBER_TYPE.fullmatch(type_.text().lower()):
            return Test(span(node), (self.expr(value),), "cast")
        if type_ is not None and type_.text() == "string":  # PHP, C#
            return Call(
                span(node), Name(span(type_), "strval"), (Argument(self.expr(value), None),)
            )
        return Join(span(node), (self.expr(value),))


def _macro_arguments(tree: SgNode | None) -> Iterator[Argument]:
    """The names in a Rust macro's tokens, `{name}` within the text included."""
    if tree is None:
        return
    for child in tree.named_children():
        kind = child.kind()
        if kind in kinds.IDENTIFIERS:
            yield Argument(Name(span(child), child.text()), None)
        elif kind == "token_tree":
            yield from _macro_arguments(child)
        elif kind in kinds.STRINGS:
            for match in INLINE.finditer(child.text()):
                yield Argument(Name(span(child), match[1]), None)
