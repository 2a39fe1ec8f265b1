"""From syntax trees of shell scripts to the form of :mod:`codeintel.engine.dataflow.ir`: what puts
commands together, and whole scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
    Assign,
    Block,
    Branch,
    Call,
    Define,
    Evaluate,
    Expr,
    Function,
    Join,
    Literal,
    Loop,
    Name,
    Param,
    Program,
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.shell_commands import OUTPUT, POSITIONS, CommandLowerer
from codeintel.engine.dataflow.shell_functions import (
    defined_name,
    is_set,
    leaves,
    printing_functions,
    shared_variables,
)
from codeintel.engine.dataflow.shell_words import NOWHERE, printing_name
from codeintel.engine.dataflow.tree import Span, Tree, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_CONSTANT = re.compile(r"['\"]?[\w.:@%+,=/ -]+['\"]?")


def lower_script(tree: Tree) -> Program:
    """A whole script."""
    lowerer = _ScriptLowerer(tree.root)
    body = lowerer.sequence(tree.root.named_children())
    return Program(body, tuple(lowerer.functions), {}, shared=shared_variables(tree.root))


class _ScriptLowerer(CommandLowerer):
    def __init__(self, root: SgNode) -> None:
        super().__init__()
        self.functions: list[Function] = []
        self.assigned = frozenset(
            node.text() for node in root.find_all(kind="variable_name") if is_set(node)
        )
        defined = list(root.find_all(kind="function_definition"))
        self._leaving = frozenset(defined_name(node) for node in defined if leaves(node))
        self.defined = frozenset(map(defined_name, defined))
        self.printing = printing_functions(root, defined)
        self._handlers |= {
            "pipeline": self._pipeline,
            "list": self._list,
            "if_statement": self._if,
            "while_statement": self._while,
            "for_statement": self._for,
            "case_statement": self._case,
            "function_definition": self._define,
            "test_command": self._test_alone,
            "negated_command": self._test_alone,
        }

    def sequence(self, nodes: list[SgNode]) -> tuple[Stmt, ...]:
        """Statements one after the other."""
        return tuple(self.statement(node) for node in nodes if node.kind() != "comment")

    def statement(self, node: SgNode) -> Stmt:
        handler = self._handlers.get(node.kind())
        if handler is not None:
            return handler(node)
        if node.kind() in ("word", "string", "number", "expansion", "simple_expansion"):
            return Evaluate(span(node), self.expr(node))
        return Sequence(span(node), self.sequence(node.named_children()))

    def _pipeline(self, node: SgNode) -> Stmt:
        if self._collects:
            return Assign(span(node), Name(NOWHERE, OUTPUT), self.output(node), augments=True)
        return Sequence(span(node), self.sequence(node.named_children()))

    def _list(self, node: SgNode) -> Stmt:
        first, *rest = node.named_children()
        then = self.sequence(rest)
        both = any(child.text().strip() == "&&" for child in node.children())
        condition = self.condition(first)
        return Branch(span(node), condition, then if both else (), () if both else then)

    def _test_alone(self, node: SgNode) -> Stmt:
        return Evaluate(span(node), self.condition(node))

    def _if(self, node: SgNode) -> Stmt:
        otherwise: tuple[Stmt, ...] = ()
        for child in reversed(node.named_children()):
            if child.kind() == "else_clause":
                otherwise = self.sequence(child.named_children())
            elif child.kind() == "elif_clause":
                otherwise = self._way(child, otherwise)
        return Sequence(span(node), self._way(node, otherwise))

    def _way(self, node: SgNode, otherwise: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        asked: list[SgNode] = []
        done: list[SgNode] = []
        found = asked
        for child in node.children():
            if child.text() == "then" and not child.is_named():
                found = done
            elif child.is_named() and child.kind() not in ("elif_clause", "else_clause", "comment"):
                found.append(child)
        if not asked:
            return self.sequence(done)
        *before, last = asked
        branch = Branch(span(node), self.condition(last), self.sequence(done), otherwise)
        return (*self.sequence(before), branch)

    def _while(self, node: SgNode) -> Stmt:
        *asked, body = node.named_children()
        condition: Expr = Literal(NOWHERE, "")
        if asked:
            condition = self.condition(asked[-1])
            if len(asked) > 1:
                steps = (*self.sequence(asked[:-1]), Evaluate(condition.span, condition))
                condition = Block(span(asked[0]), steps)
            if node.children()[0].text() == "until":
                condition = Test(condition.span, (condition,), "!")
        return Loop(span(node), None, condition, self.sequence(body.named_children()))

    def _for(self, node: SgNode) -> Stmt:
        name, *rest = node.named_children()
        words = [child for child in rest if child.kind() != "do_group"]
        body = tuple(
            each
            for child in rest
            if child.kind() == "do_group"
            for each in self.sequence(child.named_children())
        )
        source: Expr = Name(NOWHERE, "@")
        if words:
            place = span(words[0])._replace(end=span(words[-1]).end)
            parts = tuple(self.expr(child) for child in words)
            source = parts[0] if len(parts) == 1 else Join(place, parts)
        return Loop(span(node), Name(span(name), name.text()), source, body)

    def _case(self, node: SgNode) -> Stmt:
        value, *items = node.named_children()
        asked = self.expr(value)
        rest: tuple[Stmt, ...] = ()
        for item in reversed([each for each in items if each.kind() == "case_item"]):
            rest = self._item(item, asked, rest, value.text())
        return Sequence(span(node), (Evaluate(span(value), asked), *rest))

    def _item(
        self, item: SgNode, asked: Expr, rest: tuple[Stmt, ...], text: str
    ) -> tuple[Stmt, ...]:
        patterns: list[list[SgNode]] = [[]]
        done: list[SgNode] = []
        closed = False
        for child in item.children():
            sign = child.text().strip()
            if not closed and not child.is_named() and sign in (")", "|", "("):
                closed = sign == ")"
                if sign == "|":
                    patterns.append([])
            elif child.is_named() and child.kind() != "comment":
                if closed:
                    done.append(child)
                else:
                    patterns[-1].append(child)
        texts = ["".join(child.text() for child in each).strip() for each in patterns]
        body = self.sequence(done)
        place = span(item)
        if "*" in texts:
            return body
        if all(_CONSTANT.fullmatch(each) for each in texts) and not self.is_part(text):
            among = Join(place, tuple(Literal(place, text) for text in texts))
            return (Branch(place, Test(place, (asked, among), "in"), body, rest),)
        for pattern in reversed(patterns):
            rest = (Branch(place, self.like(place, asked, pattern, text), body, rest),)
        return rest

    def _define(self, node: SgNode) -> Stmt:
        name, body = defined_name(node), node.named_children()[-1]
        params = tuple(Param(span(node), each, "", "") for each in (*POSITIONS, "@"))
        all_of_them = Join(NOWHERE, tuple(Name(NOWHERE, each) for each in (*POSITIONS, "@")))
        first = Assign(NOWHERE, Name(NOWHERE, "@"), all_of_them, declares=True)
        made = (first, *_answering((self.statement(body),)))
        function = Function(span(node), name, params, made, "private", "")
        self.functions.append(function)
        if name in self.printing and not self._collects:
            self._collects = True
            value = Return(NOWHERE, Name(NOWHERE, OUTPUT))
            done = (first, self.statement(body), value)
            self._collects = False
            place = Span(function.span.start, function.span.start)  # it is another one
            self.functions.append(Function(place, printing_name(name), params, done, "private", ""))
        return Define(span(node), function)


def _answering(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """A function's body whose last condition tells whether it succeeds."""
    *before, last = body
    if isinstance(last, Sequence) and last.body:
        last = last._replace(body=_answering(last.body))
    elif isinstance(last, Evaluate) and isinstance(last.value, Test | Call):
        value = last.value
        if isinstance(value, Test) or not isinstance(value.callee, Name):
            last = Return(last.span, value)
    return (*before, last)
