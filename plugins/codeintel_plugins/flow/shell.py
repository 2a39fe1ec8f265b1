"""From syntax trees of shell scripts to the form of :mod:`codeintel_plugins.flow.ir`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from codeintel_plugins.flow.ir import (
    Argument,
    Assign,
    Block,
    Branch,
    Call,
    Define,
    Evaluate,
    Expr,
    Function,
    Join,
    Leave,
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
from codeintel_plugins.flow.shell_tests import TestLowerer
from codeintel_plugins.flow.shell_words import NOWHERE, function_name, printing_name
from codeintel_plugins.flow.tree import Span, Tree, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_POSITIONS = tuple("123456789")
_WITH_VALUE = re.compile(r"-\w{0,4}[pdntuiNa]\Z")
_OUTPUT = "(output)"
_READING = frozenset({"read", "mapfile", "readarray"})
_CONSTANT = re.compile(r"['\"]?[\w.:@%+,=/ -]+['\"]?")


def lower_script(tree: Tree) -> Program:
    """A whole script."""
    lowerer = _ScriptLowerer(tree.root)
    body = lowerer.sequence(tree.root.named_children())
    return Program(body, tuple(lowerer.functions), {}, shared=_shared(tree.root))


class _ScriptLowerer(TestLowerer):
    def __init__(self, root: SgNode) -> None:
        super().__init__()
        self.functions: list[Function] = []
        self.assigned = frozenset(
            node.text() for node in root.find_all(kind="variable_name") if _is_set(node)
        )
        defined = list(root.find_all(kind="function_definition"))
        self._leaving = frozenset(_name_of(node) for node in defined if _leaves(node))
        self.defined = frozenset(map(_name_of, defined))
        self.printing = _printing(root, defined)
        self._collects = False
        self._handlers: dict[str, Callable[[SgNode], Stmt]] = {
            "variable_assignment": self._assign,
            "declaration_command": self._declare,
            "command": self._command,
            "redirected_statement": self._redirected,
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

    def _assign(self, node: SgNode, *, declares: bool = False, number: bool = False) -> Stmt:
        name, *rest = node.named_children()
        value: Expr = Join(span(node), tuple(self.expr(child) for child in rest))
        if len(rest) == 1:
            value = self.expr(rest[0])
        augments = any(child.text() == "+=" for child in node.children())
        return Assign(
            span(node), self.expr(name), value, augments, "int" if number else "", declares
        )

    def _declare(self, node: SgNode) -> Stmt:
        words = node.children()
        local = words[0].text() in ("local", "declare", "typeset")
        number = any(re.fullmatch(r"-\w*i\w*", child.text()) for child in words[1:])
        made = tuple(
            self._assign(child, declares=local, number=number)
            for child in node.named_children()
            if child.kind() == "variable_assignment"
        )
        return Sequence(span(node), made)

    def _command(self, node: SgNode) -> Stmt:
        name, args = self.parts(node)
        before = tuple(
            Evaluate(span(child), self.expr(child.named_children()[-1]))
            for child in node.named_children()
            if child.kind() in ("variable_assignment", "file_redirect") and child.named_children()
        )
        made = self._done(node, name, args)
        return Sequence(span(node), (*before, made)) if before else made

    def _done(self, node: SgNode, name: str, args: list[SgNode]) -> Stmt:
        place = span(node)
        if name in ("exit", "break", "continue") or name in self._leaving:
            values = tuple(self.expr(child) for child in args)
            return Leave(place, Join(place, values) if values else None)
        if name == "return" and self._collects:
            return Return(place, Name(NOWHERE, _OUTPUT))
        if name == "return":
            values = tuple(Literal(span(child), child.text()) for child in args[:1])
            return Return(place, values[0] if values else None)
        if name in _READING:
            return Sequence(place, tuple(self._read(node, args)))
        if name == "getopts":
            return Assign(place, Name(place, "OPTARG"), _call(node, "getopts"))
        if name == "set" and any(child.text() == "--" for child in args):
            whole = Join(place, tuple(self.expr(child) for child in args))
            made = [Assign(place, Name(place, each), whole) for each in (*_POSITIONS, "@")]
            return Sequence(place, tuple(made))
        if name == "test" or (name in ("grep", "egrep") and args):
            return Evaluate(place, self.condition(node))
        value = self.command_output(node, ())
        if name == "printf" and len(args) > 2 and args[0].text() == "-v":
            return Assign(place, Name(span(args[1]), args[1].text()), value)
        if self._collects:
            return Assign(place, Name(NOWHERE, _OUTPUT), value, augments=True)
        return Evaluate(place, value)

    def _read(self, node: SgNode, args: list[SgNode]) -> Iterator[Stmt]:
        texts = [c for c in node.named_children() if c.kind() == "herestring_redirect"]
        value: Expr = _call(node, "read")
        if texts:
            value = Join(span(texts[0]), self.words(texts[0]))
        skip = False
        for child in args:
            text = child.text()
            if skip or text.startswith("-"):
                skip = not skip and _WITH_VALUE.fullmatch(text) is not None
                skip = skip and not text.endswith("a")
            elif child.kind() == "word":
                yield Assign(span(child), Name(span(child), text), value)
        if not any(child.kind() == "word" for child in args):
            yield Assign(span(node), Name(span(node), "REPLY"), value)

    def _redirected(self, node: SgNode) -> Stmt:
        body, *redirects = node.named_children()
        made = [self.statement(body)]
        for redirect in redirects:
            for child in redirect.named_children():
                if child.kind() in ("heredoc_start", "heredoc_end", "file_descriptor"):
                    continue
                if child.kind() in self._handlers:
                    made.append(self.statement(child))
                else:
                    made.append(Evaluate(span(child), self.expr(child)))
        return Sequence(span(node), tuple(made))

    def _pipeline(self, node: SgNode) -> Stmt:
        if self._collects:
            return Assign(span(node), Name(NOWHERE, _OUTPUT), self.output(node), augments=True)
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
        name, body = _name_of(node), node.named_children()[-1]
        params = tuple(Param(span(node), each, "", "") for each in (*_POSITIONS, "@"))
        all_of_them = Join(NOWHERE, tuple(Name(NOWHERE, each) for each in (*_POSITIONS, "@")))
        first = Assign(NOWHERE, Name(NOWHERE, "@"), all_of_them, declares=True)
        made = (first, *_answering((self.statement(body),)))
        function = Function(span(node), name, params, made, "private", "")
        self.functions.append(function)
        if name in self.printing and not self._collects:
            self._collects = True
            value = Return(NOWHERE, Name(NOWHERE, _OUTPUT))
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


def _call(node: SgNode, name: str) -> Call:
    return Call(span(node), Name(NOWHERE, name), tuple[Argument, ...]())


def _name_of(definition: SgNode) -> str:
    return function_name(definition.named_children()[0].text())


def _printing(root: SgNode, defined: list[SgNode]) -> frozenset[str]:
    """The functions whose output is used, and those that write a part of it."""
    bodies = {_name_of(node): node for node in defined}
    found: set[str] = set()
    left = list(root.find_all(kind="command_substitution"))
    while left:
        names = {function_name(each.text()) for each in left.pop().find_all(kind="command_name")}
        made = (names & bodies.keys()) - found
        found |= made
        left += [bodies[name] for name in sorted(made)]
    return frozenset(found)


def _is_set(name: SgNode) -> bool:
    parent = name.parent()
    if parent is None:
        return False
    kind = parent.kind()
    if kind == "variable_assignment":
        return span(parent.named_children()[0]) == span(name)
    return kind in ("for_statement", "declaration_command")


def _shared(root: SgNode) -> frozenset[str]:
    """The variables that functions set and do not keep to themselves."""
    found: set[str] = set()
    for function in root.find_all(kind="function_definition"):
        local: set[str] = set()
        for name in function.find_all(kind="variable_name"):
            parent = name.parent()
            outer = parent.parent() if parent is not None else None
            if not _is_set(name) or parent is None or outer is None:
                continue
            kinds = (parent.kind(), outer.kind())
            (local if "declaration_command" in kinds else found).add(name.text())
        found -= local
    return frozenset(found)


def _leaves(definition: SgNode) -> bool:
    """Whether a function ends the script in any case."""
    body = definition.named_children()[-1].named_children()
    last = body[-1] if body else None
    return last is not None and last.kind() == "command" and last.text().startswith("exit")
