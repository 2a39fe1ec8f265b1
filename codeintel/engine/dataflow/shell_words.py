"""From words of shell scripts to the form of :mod:`codeintel.engine.dataflow.ir`: expansions, texts
and what commands write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
    Argument,
    Block,
    Call,
    Choice,
    Evaluate,
    Expr,
    Index,
    Join,
    Literal,
    Name,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

NOWHERE = Span(0, 0)
_NUMBERS = frozenset(["?", "#", "$", "!", "-"])
_LIST = re.compile(r"\$[@*]|\[[@*]\]")
_MAX_PARAMETERS = 10
_PRINTING = frozenset({"echo", "printf"})
_SUSPECT = re.compile(
    r"(?i)(?:\A|_)(?:user_?)?(?:input|cmd|command|query|payload|request|untrusted|arg)\Z"
)
_POSITION = re.compile(r"(?<!\\)\$\{?([1-9@])")
# What takes all but some characters out of a text.
_KEEPING = re.compile(r"(?:-\w*[cd]\w*c?|--complement|--delete)(?:\s+-\w+)*\s+['\"]?\[?[\[\\\w:.-]")
_DROPPING = re.compile(r"s(.)\[\^[^\]]{1,60}\]\S?\1\S?\1g?")


class WordLowerer:
    """Lowers words. Statements are the subclass's."""

    def __init__(self) -> None:
        self.assigned: frozenset[str] = frozenset()
        """The variables that the script sets somewhere."""
        self.defined: frozenset[str] = frozenset()
        """The script's functions."""
        self.printing: frozenset[str] = frozenset()
        """The functions of the script whose output is used."""

    def statement(self, node: SgNode) -> Stmt:
        """What a node does."""
        raise NotImplementedError

    def expr(self, node: SgNode) -> Expr:
        """The value of a word."""
        kind = node.kind()
        if kind in ("variable_name", "special_variable_name"):
            return self._variable(node, node.text())
        if kind == "simple_expansion":
            return self._variable(node, node.text().strip().lstrip("$"))
        if kind == "expansion":
            return self._expansion(node)
        if kind in ("command_substitution", "process_substitution"):
            return self._substitution(node)
        if kind == "arithmetic_expansion":
            return Test(span(node), self.words(node), "+")
        if kind == "subscript":
            return self._element(node)
        if kind == "heredoc_body":
            return self._document(node)
        if kind in ("raw_string", "ansi_c_string", "word", "number", "extglob_pattern"):
            return Literal(span(node), node.text().strip("'"))
        parts = tuple(p for p in self.words(node) if not isinstance(p, Literal))
        return Join(span(node), parts) if parts else Literal(span(node), node.text().strip("\"'"))

    def words(self, node: SgNode) -> tuple[Expr, ...]:
        """The values of a node's parts."""
        return tuple(self.expr(child) for child in node.named_children())

    def _variable(self, node: SgNode, name: str) -> Expr:
        if name in _NUMBERS:
            return Literal(span(node), name)
        if name == "*":
            name = "@"
        if name not in self.assigned and _SUSPECT.search(name):
            return Call(span(node), Name(NOWHERE, "environment"), ())
        return Name(span(node), name)

    def _element(self, node: SgNode) -> Expr:
        name, *rest = node.named_children()
        if rest and rest[0].kind() not in ("word", "number"):
            return Index(span(node), self.expr(name), self.expr(rest[0]))
        return self._variable(node, name.text())

    def _expansion(self, node: SgNode) -> Expr:
        tokens = [child.text().strip() for child in node.children()]
        operator = next((t for t in tokens[1:-1] if not re.match(r"[\w@*?$\"'\[]", t)), "")
        inner = node.named_children()
        if not inner or tokens[1:2] == ["#"]:
            return Literal(span(node), node.text())
        value = self.expr(inner[0])
        rest = tuple(self.expr(child) for child in inner[1:])
        text = "".join(tokens[2:])
        if operator in ("//", "/") and re.search(r"//\[[!^]", node.text()):
            return self._call(node, "sanitize", value)
        if operator == "##" and text.startswith("##*/"):
            return self._call(node, "basename", value)
        if operator == "@" and tokens[-2:-1] == ["Q"]:
            return self._call(node, "quote", value)
        if operator in (":-", "-", ":=", "=") and rest:
            return Choice(span(node), (value, *rest))
        return Join(span(node), (value, *(p for p in rest if not isinstance(p, Literal))))

    def _document(self, node: SgNode) -> Expr:
        """Lines that stand in the script; the grammar does not know `$1` in them."""
        parent = node.parent()
        start = _child(parent, "heredoc_start") if parent is not None else None
        if start is not None and start.text()[:1] in "'\"\\":
            return Literal(span(node), node.text())
        found = self.words(node)
        place = span(node)
        positions = tuple(
            Name(Span(place.start + match.start(), place.start + match.end()), match[1])
            for match in _POSITION.finditer(node.text())
        )
        return Join(place, (*found, *positions))

    def _call(self, node: SgNode, name: str, *values: Expr) -> Call:
        return Call(span(node), Name(NOWHERE, name), tuple(Argument(v, None) for v in values))

    def _substitution(self, node: SgNode) -> Expr:
        inner = [child for child in node.named_children() if child.kind() != "comment"]
        if not inner:
            return Literal(span(node), "")
        *before, last = inner
        if last.kind() == "file_redirect":  # $(< file)
            return self._call(node, "cat", *self.words(last))
        value = Evaluate(span(last), self.output(last))
        return Block(span(node), (*(self.statement(child) for child in before), value))

    def output(self, node: SgNode, given: tuple[Expr, ...] = ()) -> Expr:
        """What a command writes, which reads some values."""
        kind = node.kind()
        if kind == "pipeline":
            for child in node.named_children():
                given = (self.output(child, given),)
            return given[0]
        if kind == "redirected_statement":
            body, *redirects = node.named_children()
            found = tuple(
                w for each in redirects if each.kind() != "file_redirect" for w in self.words(each)
            )
            return self.output(body, (*given, *found))
        if kind in ("list", "compound_statement", "subshell"):
            *before, last = node.named_children() or [node]
            done = tuple(self.statement(child) for child in before)
            return Block(span(node), (*done, Evaluate(span(last), self.output(last, given))))
        if kind != "command":
            return Block(span(node), (self.statement(node),))
        return self.command_output(node, given)

    def command_output(self, node: SgNode, given: tuple[Expr, ...]) -> Expr:
        """What a simple command writes."""
        name, args = self.parts(node)
        values = self.given(name, args, given)
        text = " ".join(child.text() for child in args)
        if name in _PRINTING and "%q" not in text:
            return Join(span(node), values)
        if (name == "tr" and _KEEPING.search(text)) or (name == "sed" and _DROPPING.search(text)):
            name = "sanitize"
        if name in self.printing:
            call = Call(span(node), Name(NOWHERE, name), tuple(Argument(v, None) for v in values))
            printed = call._replace(callee=Name(NOWHERE, printing_name(name)))
            return Block(span(node), (Evaluate(NOWHERE, call), Evaluate(span(node), printed)))
        arguments = tuple(Argument(value, None) for value in values)
        return Call(span(node), Name(NOWHERE, name), arguments)

    def given(self, name: str, args: list[SgNode], read: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The values that a command is given; all that a list may hold for a function."""
        values = [*(self.expr(child) for child in args), *read]
        if name in self.defined and args and args[-1].text().strip('"') in ("$@", "$*", "${@}"):
            place = span(args[-1])
            values[-1:] = [
                Name(Span(place.start, place.start + int(each)), each) for each in "123456789"
            ]
        elif name in self.defined and any(_LIST.search(child.text()) for child in args):
            values += [values[-1]] * (_MAX_PARAMETERS - len(values))
        return tuple(values)

    def parts(self, node: SgNode) -> tuple[str, list[SgNode]]:
        """A command's name, or nothing if that is a value, and its arguments; what it is told to
        read from a text stands among them."""
        name = ""
        args: list[SgNode] = []
        for child in node.named_children():
            kind = child.kind()
            if kind == "command_name":
                inner = child.named_children()
                if inner and inner[0].kind() == "word":
                    name = function_name(child.text())
                else:
                    args += inner
            elif kind == "herestring_redirect":
                args += child.named_children()
            elif kind not in ("variable_assignment", "file_redirect", "comment"):
                args.append(child)
        return name, args


def _child(node: SgNode, kind: str) -> SgNode | None:
    return next((child for child in node.named_children() if child.kind() == kind), None)


def function_name(text: str) -> str:
    """A command's name as a name without dots and dashes, by which functions are found."""
    return re.sub(r"[^\w]", "_", text.rpartition("/")[2].lstrip("\\"))


def printing_name(name: str) -> str:
    """The name of the function that gives what a function writes, not whether it succeeds."""
    return f"{name} prints"
