"""The state of lowering a shell script, and the lowering of words: expansions, texts, outputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
    Argument,
    Block,
    Call,
    Choice,
    Evaluate,
    Expr,
    Function,
    Index,
    Join,
    Literal,
    Name,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def defined_name(definition: SgNode) -> str:
    """Return the name that a definition gives a function."""
    return function_name(definition.named_children()[0].text())


def printing_functions(root: SgNode, defined: list[SgNode]) -> frozenset[str]:
    """Return the functions whose output is used, and those that write a part of it."""
    bodies = {defined_name(node): node for node in defined}
    found: set[str] = set()
    left = list(root.find_all(kind="command_substitution"))
    while left:
        names = {function_name(each.text()) for each in left.pop().find_all(kind="command_name")}
        made = (names & bodies.keys()) - found
        found |= made
        left += [bodies[name] for name in sorted(made)]
    return frozenset(found)


def is_set(name: SgNode) -> bool:
    """Return whether a variable is assigned where its name appears."""
    parent = name.parent()
    if parent is None:
        return False
    kind = parent.kind()
    if kind == "variable_assignment":
        return span(parent.named_children()[0]) == span(name)
    return kind in ("for_statement", "declaration_command")


def shared_variables(root: SgNode) -> frozenset[str]:
    """Return the variables that functions set without declaring them local."""
    found: set[str] = set()
    for function in root.find_all(kind="function_definition"):
        local: set[str] = set()
        for name in function.find_all(kind="variable_name"):
            parent = name.parent()
            outer = parent.parent() if parent is not None else None
            if not is_set(name) or parent is None or outer is None:
                continue
            kinds = (parent.kind(), outer.kind())
            (local if "declaration_command" in kinds else found).add(name.text())
        found -= local
    return frozenset(found)


def leaves(definition: SgNode) -> bool:
    """Return whether a function always ends the script."""
    body = definition.named_children()[-1].named_children()
    last = body[-1] if body else None
    return last is not None and last.kind() == "command" and last.text().startswith("exit")


def function_name(text: str) -> str:
    """Return a command's name without dots and dashes, as functions are looked up."""
    return re.sub(r"[^\w]", "_", text.rpartition("/")[2].lstrip("\\"))


def printing_name(name: str) -> str:
    """Return the name for a function's output, as opposed to its exit status."""
    return f"{name} prints"


LowersStatement = Callable[["ScriptLowerer", "SgNode"], Stmt]
LowersWord = Callable[["ScriptLowerer", "SgNode"], Expr]


class ScriptLowerer:
    """Lowers a script.

    :param statements: lower nodes that are more than the statements in them, by kind.
    :param word: lowers words.
    """

    def __init__(
        self, root: SgNode, statements: Mapping[str, LowersStatement], word: LowersWord
    ) -> None:
        self._statements = statements
        self._word = word
        self.functions: list[Function] = []
        self.assigned = frozenset(
            node.text() for node in root.find_all(kind="variable_name") if is_set(node)
        )
        """The variables that the script sets somewhere."""
        defined = list(root.find_all(kind="function_definition"))
        self.leaving = frozenset(defined_name(node) for node in defined if leaves(node))
        """The functions that end the script."""
        self.defined = frozenset(map(defined_name, defined))
        """The script's functions."""
        self.printing = printing_functions(root, defined)
        """The functions of the script whose output is used."""
        self.collects = False
        """Whether the output is the value of the function that is being lowered."""

    def sequence(self, nodes: list[SgNode]) -> tuple[Stmt, ...]:
        """Lower statements in sequence."""
        return tuple(self.statement(node) for node in nodes if node.kind() != "comment")

    def has_statement(self, kind: str) -> bool:
        """Return whether nodes of the kind are more than the statements in them."""
        return kind in self._statements

    def expr(self, node: SgNode) -> Expr:
        """Lower a word to its value."""
        return self._word(self, node)

    def statement(self, node: SgNode) -> Stmt:
        """Lower a node to a statement."""
        handler = self._statements.get(node.kind())
        if handler is not None:
            return handler(self, node)
        if node.kind() in ("word", "string", "number", "expansion", "simple_expansion"):
            return Evaluate(span(node), self.expr(node))
        return Sequence(span(node), self.sequence(node.named_children()))


NOWHERE = Span(0, 0)
_NUMBERS = frozenset(["?", "#", "$", "!", "-"])
_LIST = re.compile(r"\$[@*]|\[[@*]\]")
_MAX_PARAMETERS = 10
_PRINTING = frozenset({"echo", "printf"})
_SUSPECT = re.compile(
    r"(?i)(?:\A|_)(?:user_?)?(?:input|cmd|command|query|payload|request|untrusted|arg)\Z"
)
_POSITION = re.compile(r"(?<!\\)\$\{?([1-9@])")
# What removes all but some characters from a text.
_KEEPING = re.compile(r"(?:-\w*[cd]\w*c?|--complement|--delete)(?:\s+-\w+)*\s+['\"]?\[?[\[\\\w:.-]")
_DROPPING = re.compile(r"s(.)\[\^[^\]]{1,60}\]\S?\1\S?\1g?")


def lower_word(lowerer: ScriptLowerer, node: SgNode) -> Expr:
    """Lower a word to its value."""
    kind = node.kind()
    if kind in ("variable_name", "special_variable_name"):
        return _variable(lowerer, node, node.text())
    if kind == "simple_expansion":
        return _variable(lowerer, node, node.text().strip().lstrip("$"))
    if kind == "expansion":
        return _expansion(lowerer, node)
    if kind in ("command_substitution", "process_substitution"):
        return _substitution(lowerer, node)
    if kind == "arithmetic_expansion":
        return Test(span(node), lower_words(lowerer, node), "+")
    if kind == "subscript":
        return _element(lowerer, node)
    if kind == "heredoc_body":
        return _document(lowerer, node)
    if kind in ("raw_string", "ansi_c_string", "word", "number", "extglob_pattern"):
        return Literal(span(node), node.text().strip("'"))
    parts = tuple(p for p in lower_words(lowerer, node) if not isinstance(p, Literal))
    return Join(span(node), parts) if parts else Literal(span(node), node.text().strip("\"'"))


def lower_words(lowerer: ScriptLowerer, node: SgNode) -> tuple[Expr, ...]:
    """Lower a node's parts to their values."""
    return tuple(lowerer.expr(child) for child in node.named_children())


def _variable(lowerer: ScriptLowerer, node: SgNode, name: str) -> Expr:
    if name in _NUMBERS:
        return Literal(span(node), name)
    if name == "*":
        name = "@"
    if name not in lowerer.assigned and _SUSPECT.search(name):
        return Call(span(node), Name(NOWHERE, "environment"), ())
    return Name(span(node), name)


def _element(lowerer: ScriptLowerer, node: SgNode) -> Expr:
    name, *rest = node.named_children()
    if rest and rest[0].kind() not in ("word", "number"):
        return Index(span(node), lowerer.expr(name), lowerer.expr(rest[0]))
    return _variable(lowerer, node, name.text())


def _expansion(lowerer: ScriptLowerer, node: SgNode) -> Expr:
    tokens = [child.text().strip() for child in node.children()]
    operator = next((t for t in tokens[1:-1] if not re.match(r"[\w@*?$\"'\[]", t)), "")
    inner = node.named_children()
    if not inner or tokens[1:2] == ["#"]:
        return Literal(span(node), node.text())
    value = lowerer.expr(inner[0])
    rest = tuple(lowerer.expr(child) for child in inner[1:])
    text = "".join(tokens[2:])
    if operator in ("//", "/") and re.search(r"//\[[!^]", node.text()):
        return _called(node, "sanitize", value)
    if operator == "##" and text.startswith("##*/"):
        return _called(node, "basename", value)
    if operator == "@" and tokens[-2:-1] == ["Q"]:
        return _called(node, "quote", value)
    if operator in (":-", "-", ":=", "=") and rest:
        return Choice(span(node), (value, *rest))
    return Join(span(node), (value, *(p for p in rest if not isinstance(p, Literal))))


def _document(lowerer: ScriptLowerer, node: SgNode) -> Expr:
    """Lower a here document. The grammar does not know `$1` in it."""
    parent = node.parent()
    start = _child(parent, "heredoc_start") if parent is not None else None
    if start is not None and start.text()[:1] in "'\"\\":
        return Literal(span(node), node.text())
    found = lower_words(lowerer, node)
    place = span(node)
    positions = tuple(
        Name(Span(place.start + match.start(), place.start + match.end()), match[1])
        for match in _POSITION.finditer(node.text())
    )
    return Join(place, (*found, *positions))


def _called(node: SgNode, name: str, *values: Expr) -> Call:
    return Call(span(node), Name(NOWHERE, name), tuple(Argument(v, None) for v in values))


def _substitution(lowerer: ScriptLowerer, node: SgNode) -> Expr:
    inner = [child for child in node.named_children() if child.kind() != "comment"]
    if not inner:
        return Literal(span(node), "")
    *before, last = inner
    if last.kind() == "file_redirect":  # $(< file)
        return _called(node, "cat", *lower_words(lowerer, last))
    value = Evaluate(span(last), lower_output(lowerer, last))
    return Block(span(node), (*(lowerer.statement(child) for child in before), value))


def lower_output(lowerer: ScriptLowerer, node: SgNode, given: tuple[Expr, ...] = ()) -> Expr:
    """Lower the output of a command that reads some values."""
    kind = node.kind()
    if kind == "pipeline":
        for child in node.named_children():
            given = (lower_output(lowerer, child, given),)
        return given[0]
    if kind == "redirected_statement":
        body, *redirects = node.named_children()
        found = tuple(
            w
            for each in redirects
            if each.kind() != "file_redirect"
            for w in lower_words(lowerer, each)
        )
        return lower_output(lowerer, body, (*given, *found))
    if kind in ("list", "compound_statement", "subshell"):
        *before, last = node.named_children() or [node]
        done = tuple(lowerer.statement(child) for child in before)
        return Block(span(node), (*done, Evaluate(span(last), lower_output(lowerer, last, given))))
    if kind != "command":
        return Block(span(node), (lowerer.statement(node),))
    return command_output(lowerer, node, given)


def command_output(lowerer: ScriptLowerer, node: SgNode, given: tuple[Expr, ...]) -> Expr:
    """Lower the output of a simple command."""
    name, args = command_parts(node)
    values = given_values(lowerer, name, args, given)
    text = " ".join(child.text() for child in args)
    if name in _PRINTING and "%q" not in text:
        return Join(span(node), values)
    if (name == "tr" and _KEEPING.search(text)) or (name == "sed" and _DROPPING.search(text)):
        name = "sanitize"
    if name in lowerer.printing:
        call = Call(span(node), Name(NOWHERE, name), tuple(Argument(v, None) for v in values))
        printed = call._replace(callee=Name(NOWHERE, printing_name(name)))
        return Block(span(node), (Evaluate(NOWHERE, call), Evaluate(span(node), printed)))
    arguments = tuple(Argument(value, None) for value in values)
    return Call(span(node), Name(NOWHERE, name), arguments)


def given_values(
    lowerer: ScriptLowerer, name: str, args: list[SgNode], read: tuple[Expr, ...]
) -> tuple[Expr, ...]:
    """Return the values that a command gets. For a function, a list counts as all its arguments."""
    values = [*(lowerer.expr(child) for child in args), *read]
    if name in lowerer.defined and args and args[-1].text().strip('"') in ("$@", "$*", "${@}"):
        place = span(args[-1])
        values[-1:] = [
            Name(Span(place.start, place.start + int(each)), each) for each in "123456789"
        ]
    elif name in lowerer.defined and any(_LIST.search(child.text()) for child in args):
        values += [values[-1]] * (_MAX_PARAMETERS - len(values))
    return tuple(values)


def command_parts(node: SgNode) -> tuple[str, list[SgNode]]:
    """Return a command's name and its arguments, including its here string.

    The name is empty if it is a value.
    """
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
