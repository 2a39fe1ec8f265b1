"""What is public in Ruby: constants, and methods that are not made private."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel.engine.equivalence.interfaces.nodes import joined, name, parameters, text

_TYPES = ("class", "module")
_HIDING = ("private", "protected", "private_class_method", "private_constant")
_ATTRIBUTES = {"attr_reader": "r", "attr_writer": "w", "attr_accessor": "rw", "attr": "r"}


def ruby(root: Node) -> Iterator[str]:
    """The names of a program."""
    yield from _body(root, "")


def _body(body: Node, prefix: str) -> Iterator[str]:
    """The public names of a class or a program; what hides a method may stand behind it."""
    found: list[str] = []
    hidden: set[str] = set()
    is_open = True
    for node in body.named_children:
        if node.type in _TYPES:
            found += _type(node, prefix)
        elif node.type == "singleton_class":
            inner = node.child_by_field_name("body")
            found += [f"static {each}" for each in (_body(inner, prefix) if inner else ())]
        elif node.type == "identifier" and text(node) in ("private", "protected", "public"):
            is_open = text(node) == "public"
        elif node.type == "call":
            found += _call(node, prefix, is_open, hidden)
        elif node.type == "method" and is_open:
            found.append(joined(prefix, _signature(node)))
        elif node.type == "singleton_method":
            found.append(f"static {joined(prefix, _signature(node))}")
        elif node.type == "assignment":
            left = node.child_by_field_name("left")
            if left is not None and left.type == "constant":
                found.append(joined(prefix, text(left)))
    for each in found:
        last = each.removeprefix("static ").removeprefix(prefix).lstrip(".")
        if last.partition("(")[0] not in hidden:
            yield each


def _type(node: Node, prefix: str) -> Iterator[str]:
    own = joined(prefix, name(node))
    yield own
    body = node.child_by_field_name("body")
    if body is not None:
        yield from _body(body, own)


def _call(node: Node, prefix: str, is_open: bool, hidden: set[str]) -> Iterator[str]:
    """What attributes define, and methods behind `public`; `hidden` is told what is private."""
    method = name(node, "method")
    listed = node.child_by_field_name("arguments")
    arguments = listed.named_children if listed is not None else []
    if method in _HIDING:
        hidden.update(text(each).lstrip(":") for each in arguments if each.type == "simple_symbol")
    elif method == "public":
        for each in arguments:
            if each.type == "method":
                yield joined(prefix, _signature(each))
    elif method in _ATTRIBUTES and is_open:
        for each in arguments:
            own = text(each).lstrip(":")
            if "r" in _ATTRIBUTES[method]:
                yield joined(prefix, f"{own}(0)")
            if "w" in _ATTRIBUTES[method]:
                yield joined(prefix, f"{own}=(1)")


def _signature(node: Node) -> str:
    """A method with how many values it takes, and the names of those that are named."""
    listed = parameters(node)
    named = sorted(f"{name(each)}:" for each in listed if each.type == "keyword_parameter")
    plain = [each for each in listed if each.type not in ("keyword_parameter", "block_parameter")]
    return f"{name(node)}({', '.join([str(len(plain)), *named])})"
