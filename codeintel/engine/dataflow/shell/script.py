"""Lower shell scripts: simple commands, and the statements that combine them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
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
from codeintel.engine.dataflow.shell.tests import is_part, like, lower_condition
from codeintel.engine.dataflow.shell.words import (
    NOWHERE,
    ScriptLowerer,
    command_output,
    command_parts,
    defined_name,
    lower_output,
    lower_word,
    lower_words,
    printing_name,
    shared_variables,
)
from codeintel.engine.dataflow.tree import Span, Tree, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


POSITIONS = tuple("123456789")
"""The names of the arguments."""
OUTPUT = "(output)"
"""The variable that holds what a function has written so far."""
_WITH_VALUE = re.compile(r"-\w{0,4}[pdntuiNa]\Z")
_READING = frozenset({"read", "mapfile", "readarray"})


def lower_assign(
    lowerer: ScriptLowerer, node: SgNode, *, declares: bool = False, number: bool = False
) -> Stmt:
    name, *rest = node.named_children()
    value: Expr = Join(span(node), tuple(lowerer.expr(child) for child in rest))
    if len(rest) == 1:
        value = lowerer.expr(rest[0])
    augments = any(child.text() == "+=" for child in node.children())
    return Assign(
        span(node), lowerer.expr(name), value, augments, "int" if number else "", declares
    )


def lower_declare(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    words = node.children()
    local = words[0].text() in ("local", "declare", "typeset")
    number = any(re.fullmatch(r"-\w*i\w*", child.text()) for child in words[1:])
    made = tuple(
        lower_assign(lowerer, child, declares=local, number=number)
        for child in node.named_children()
        if child.kind() == "variable_assignment"
    )
    return Sequence(span(node), made)


def lower_command(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    name, args = command_parts(node)
    before = tuple(
        Evaluate(span(child), lowerer.expr(child.named_children()[-1]))
        for child in node.named_children()
        if child.kind() in ("variable_assignment", "file_redirect") and child.named_children()
    )
    made = _done(lowerer, node, name, args)
    return Sequence(span(node), (*before, made)) if before else made


def _done(lowerer: ScriptLowerer, node: SgNode, name: str, args: list[SgNode]) -> Stmt:
    place = span(node)
    if name in ("exit", "break", "continue") or name in lowerer.leaving:
        values = tuple(lowerer.expr(child) for child in args)
        return Leave(place, Join(place, values) if values else None)
    if name == "return" and lowerer.collects:
        return Return(place, Name(NOWHERE, OUTPUT))
    if name == "return":
        values = tuple(Literal(span(child), child.text()) for child in args[:1])
        return Return(place, values[0] if values else None)
    if name in _READING:
        return Sequence(place, tuple(_read(lowerer, node, args)))
    if name == "getopts":
        return Assign(place, Name(place, "OPTARG"), _call(node, "getopts"))
    if name == "set" and any(child.text() == "--" for child in args):
        whole = Join(place, tuple(lowerer.expr(child) for child in args))
        made = [Assign(place, Name(place, each), whole) for each in (*POSITIONS, "@")]
        return Sequence(place, tuple(made))
    if name == "test" or (name in ("grep", "egrep") and args):
        return Evaluate(place, lower_condition(lowerer, node))
    value = command_output(lowerer, node, ())
    if name == "printf" and len(args) > 2 and args[0].text() == "-v":
        return Assign(place, Name(span(args[1]), args[1].text()), value)
    if lowerer.collects:
        return Assign(place, Name(NOWHERE, OUTPUT), value, augments=True)
    return Evaluate(place, value)


def _read(lowerer: ScriptLowerer, node: SgNode, args: list[SgNode]) -> Iterator[Stmt]:
    texts = [c for c in node.named_children() if c.kind() == "herestring_redirect"]
    value: Expr = _call(node, "read")
    if texts:
        value = Join(span(texts[0]), lower_words(lowerer, texts[0]))
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


def lower_redirected(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    body, *redirects = node.named_children()
    made = [lowerer.statement(body)]
    for redirect in redirects:
        for child in redirect.named_children():
            if child.kind() in ("heredoc_start", "heredoc_end", "file_descriptor"):
                continue
            if lowerer.has_statement(child.kind()):
                made.append(lowerer.statement(child))
            else:
                made.append(Evaluate(span(child), lowerer.expr(child)))
    return Sequence(span(node), tuple(made))


def _call(node: SgNode, name: str) -> Call:
    return Call(span(node), Name(NOWHERE, name), tuple[Argument, ...]())


_CONSTANT = re.compile(r"['\"]?[\w.:@%+,=/ -]+['\"]?")


def lower_script(tree: Tree) -> Program:
    """Lower a whole script."""
    lowerer = ScriptLowerer(tree.root, _STATEMENTS, lower_word)
    body = lowerer.sequence(tree.root.named_children())
    return Program(body, tuple(lowerer.functions), {}, shared=shared_variables(tree.root))


def _pipeline(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    if lowerer.collects:
        return Assign(span(node), Name(NOWHERE, OUTPUT), lower_output(lowerer, node), augments=True)
    return Sequence(span(node), lowerer.sequence(node.named_children()))


def _list(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    first, *rest = node.named_children()
    then = lowerer.sequence(rest)
    both = any(child.text().strip() == "&&" for child in node.children())
    condition = lower_condition(lowerer, first)
    return Branch(span(node), condition, then if both else (), () if both else then)


def _test_alone(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    return Evaluate(span(node), lower_condition(lowerer, node))


def _if(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    otherwise: tuple[Stmt, ...] = ()
    for child in reversed(node.named_children()):
        if child.kind() == "else_clause":
            otherwise = lowerer.sequence(child.named_children())
        elif child.kind() == "elif_clause":
            otherwise = _way(lowerer, child, otherwise)
    return Sequence(span(node), _way(lowerer, node, otherwise))


def _way(lowerer: ScriptLowerer, node: SgNode, otherwise: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    asked: list[SgNode] = []
    done: list[SgNode] = []
    found = asked
    for child in node.children():
        if child.text() == "then" and not child.is_named():
            found = done
        elif child.is_named() and child.kind() not in ("elif_clause", "else_clause", "comment"):
            found.append(child)
    if not asked:
        return lowerer.sequence(done)
    *before, last = asked
    branch = Branch(span(node), lower_condition(lowerer, last), lowerer.sequence(done), otherwise)
    return (*lowerer.sequence(before), branch)


def _while(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    *asked, body = node.named_children()
    condition: Expr = Literal(NOWHERE, "")
    if asked:
        condition = lower_condition(lowerer, asked[-1])
        if len(asked) > 1:
            steps = (*lowerer.sequence(asked[:-1]), Evaluate(condition.span, condition))
            condition = Block(span(asked[0]), steps)
        if node.children()[0].text() == "until":
            condition = Test(condition.span, (condition,), "!")
    return Loop(span(node), None, condition, lowerer.sequence(body.named_children()))


def _for(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    name, *rest = node.named_children()
    words = [child for child in rest if child.kind() != "do_group"]
    body = tuple(
        each
        for child in rest
        if child.kind() == "do_group"
        for each in lowerer.sequence(child.named_children())
    )
    source: Expr = Name(NOWHERE, "@")
    if words:
        place = span(words[0])._replace(end=span(words[-1]).end)
        parts = tuple(lowerer.expr(child) for child in words)
        source = parts[0] if len(parts) == 1 else Join(place, parts)
    return Loop(span(node), Name(span(name), name.text()), source, body)


def _case(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    value, *items = node.named_children()
    asked = lowerer.expr(value)
    rest: tuple[Stmt, ...] = ()
    for item in reversed([each for each in items if each.kind() == "case_item"]):
        rest = _lower_item(lowerer, item, asked, rest, value.text())
    return Sequence(span(node), (Evaluate(span(value), asked), *rest))


def _lower_item(
    lowerer: ScriptLowerer, item: SgNode, asked: Expr, rest: tuple[Stmt, ...], text: str
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
    body = lowerer.sequence(done)
    place = span(item)
    if "*" in texts:
        return body
    if all(_CONSTANT.fullmatch(each) for each in texts) and not is_part(text):
        among = Join(place, tuple(Literal(place, text) for text in texts))
        return (Branch(place, Test(place, (asked, among), "in"), body, rest),)
    for pattern in reversed(patterns):
        rest = (Branch(place, like(lowerer, place, asked, pattern, text), body, rest),)
    return rest


def _define(lowerer: ScriptLowerer, node: SgNode) -> Stmt:
    name, body = defined_name(node), node.named_children()[-1]
    params = tuple(Param(span(node), each, "", "") for each in (*POSITIONS, "@"))
    all_of_them = Join(NOWHERE, tuple(Name(NOWHERE, each) for each in (*POSITIONS, "@")))
    first = Assign(NOWHERE, Name(NOWHERE, "@"), all_of_them, declares=True)
    made = (first, *_answering((lowerer.statement(body),)))
    function = Function(span(node), name, params, made, "private", "")
    lowerer.functions.append(function)
    if name in lowerer.printing and not lowerer.collects:
        lowerer.collects = True
        value = Return(NOWHERE, Name(NOWHERE, OUTPUT))
        done = (first, lowerer.statement(body), value)
        lowerer.collects = False
        place = Span(
            function.span.start, function.span.start
        )  # a different function needs a different place
        lowerer.functions.append(Function(place, printing_name(name), params, done, "private", ""))
    return Define(span(node), function)


def _answering(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Return a function's body with its last condition as its result."""
    *before, last = body
    if isinstance(last, Sequence) and last.body:
        last = last._replace(body=_answering(last.body))
    elif isinstance(last, Evaluate) and isinstance(last.value, Test | Call):
        value = last.value
        if isinstance(value, Test) or not isinstance(value.callee, Name):
            last = Return(last.span, value)
    return (*before, last)


_STATEMENTS: dict[str, Callable[[ScriptLowerer, SgNode], Stmt]] = {
    "variable_assignment": lower_assign,
    "declaration_command": lower_declare,
    "command": lower_command,
    "redirected_statement": lower_redirected,
    "pipeline": _pipeline,
    "list": _list,
    "if_statement": _if,
    "while_statement": _while,
    "for_statement": _for,
    "case_statement": _case,
    "function_definition": _define,
    "test_command": _test_alone,
    "negated_command": _test_alone,
}
