"""From the simple commands of shell scripts to the form of :mod:`codeintel.engine.dataflow.ir`:
assignments, what ends something, reads something or prints, and what is redirected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
    Argument,
    Assign,
    Call,
    Evaluate,
    Expr,
    Join,
    Leave,
    Literal,
    Name,
    Return,
    Sequence,
    Stmt,
)
from codeintel.engine.dataflow.shell.lowerer import ScriptLowerer
from codeintel.engine.dataflow.shell.tests import lower_condition
from codeintel.engine.dataflow.shell.words import (
    NOWHERE,
    command_output,
    command_parts,
    lower_words,
)
from codeintel.engine.dataflow.tree import span

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
