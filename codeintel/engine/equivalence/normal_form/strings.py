"""Normalize text: `%`, `format`, f-strings and adjacent literals.

All become one f-string. Formatting with an empty specification is assumed to equal `str`, as the
language reference requires of every class. A program that defines `__format__` is not changed.
"""

from __future__ import annotations

import ast
import re
import string

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import is_repeatable, may_interleave

_PERCENT = re.compile(r"%(?:\((\w+)\))?([-+ #0]*)(\d*)(?:\.(\d+))?([a-zA-Z%])")
_CONVERSIONS = {"str": ord("s"), "repr": ord("r"), "ascii": ord("a")}
_FLOATS = frozenset("eEfFgG")
_INDEX = re.compile(r"\.(\w+)|\[([^\]]+)\]")


def joined(node: ast.JoinedStr, context: Context) -> ast.AST | None:
    """Turn `f"a"` into `"a"`, and merge adjacent literal parts."""
    values = _merged(node.values)
    if all(isinstance(value, ast.Constant) for value in values):
        context.took("f-strings without values")
        text = "".join(str(value.value) for value in values if isinstance(value, ast.Constant))
        return ast.Constant(text)
    if len(values) != len(node.values):
        return ast.JoinedStr(values)
    return None


def added(node: ast.BinOp, context: Context) -> ast.AST | None:
    """Merge added literals into one."""
    if not isinstance(node.op, ast.Add):
        return None
    parts = [_parts(node.left), _parts(node.right)]
    if parts[0] is None or parts[1] is None:
        return _added_bytes(node)
    context.took("concatenated literals")
    return joined(new := ast.JoinedStr([*parts[0], *parts[1]]), context) or new


def _added_bytes(node: ast.BinOp) -> ast.AST | None:
    match node:
        case ast.BinOp(left=ast.Constant(value=bytes(one)), right=ast.Constant(value=bytes(two))):
            return ast.Constant(one + two)
    return None


def _parts(node: ast.expr) -> list[ast.expr] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node]
    return node.values if isinstance(node, ast.JoinedStr) else None


def converted(node: ast.FormattedValue, context: Context) -> ast.AST | None:
    """Turn `{str(x)}` into `{x!s}`."""
    match node.value:
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if (
            node.conversion == -1
            and name in _CONVERSIONS
            and context.is_builtin(node.value.func, name)
            and not isinstance(argument, ast.Starred)
        ):
            context.took("conversions in f-strings")
            return ast.FormattedValue(argument, _CONVERSIONS[name], node.format_spec)
    return None


def formatted(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `"{}".format(x)` into `f"{x}"` if nothing is evaluated in another order, or twice."""
    match node.func:
        case ast.Attribute(value=ast.Constant(value=str(template)), attr="format"):
            pass
        case _:
            return None
    if _may_not_format(context) or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    if any(keyword.arg is None for keyword in node.keywords):
        return None
    named: dict[str, ast.expr] = {str(place): each for place, each in enumerate(node.args)}
    named.update({str(keyword.arg): keyword.value for keyword in node.keywords})
    reading = _Template(named)
    try:
        values = reading.parts(template, nested=False)
    except (ValueError, KeyError):
        return None
    order = list(named)
    given = list(named.values())
    if set(reading.used) != set(order):
        return None
    if not all(is_repeatable(each, context) for each in given) and (
        reading.used != order or not may_interleave(given, context)
    ):
        return None
    context.took("format() as f-strings")
    values = [_again(each, context) for each in values]
    return joined(new := ast.JoinedStr(_merged(values)), context) or new


def _again(value: ast.expr, context: Context) -> ast.expr:
    """Normalize a part of a template like a part of an f-string."""
    if not isinstance(value, ast.FormattedValue):
        return value
    return converted(value, context) or value  # type: ignore[return-value]


def _may_not_format(context: Context) -> bool:
    return "__format__" in context.facts.words


class _Template:
    """Reads the template of `format`.

    :param named: the arguments by position or name. `used` lists those that were used, in order.
    """

    def __init__(self, named: dict[str, ast.expr]) -> None:
        self._named = named
        self._next = 0
        self._has_numbers = False
        self.used: list[str] = []

    def parts(self, template: str, nested: bool) -> list[ast.expr]:
        """Return the parts of a template.

        :raises ValueError: if it cannot be an f-string.
        """
        values: list[ast.expr] = []
        for literal, field, specification, conversion in string.Formatter().parse(template):
            if literal:
                values.append(ast.Constant(literal))
            if field is None:
                continue
            if nested and specification:
                raise ValueError("nested twice")
            value = self._value(field)
            code = ord(conversion) if conversion else -1
            inner = self.parts(specification, nested=True) if specification else None
            values.append(ast.FormattedValue(value, code, _specification(inner)))
        return values

    def _value(self, field: str) -> ast.expr:
        name = re.split(r"[.\[]", field, maxsplit=1)[0]
        key = name
        if not name:
            key = str(self._next)
            self._next += 1
        self._has_numbers = self._has_numbers or name.isdigit()
        if self._has_numbers and self._next:
            raise ValueError("numbered by hand and without")
        self.used.append(key)
        value = self._named[key]
        rest, place = field[len(name) :], 0
        while place < len(rest):
            found = _INDEX.match(rest, place)
            if found is None:
                raise ValueError("no field")
            place = found.end()
            attribute, index = found.groups()
            if attribute:
                if attribute.startswith("__") and not attribute.endswith("__"):
                    raise ValueError("a name that a class changes in its code, but not in texts")
                value = ast.Attribute(value, attribute, ast.Load())
            else:
                item = ast.Constant(int(index) if index.isdigit() else index)
                value = ast.Subscript(value, item, ast.Load())
        return value


def _specification(parts: list[ast.expr] | None) -> ast.JoinedStr | None:
    """Return a format specification in normal form. Plain text stays text."""
    merged = _merged(parts or [])
    if len(merged) == 1 and isinstance(merged[0], ast.Constant):
        return merged[0]  # type: ignore[return-value]
    return ast.JoinedStr(merged) if merged else None


def percent(node: ast.BinOp, context: Context) -> ast.AST | None:
    """Turn `"%s" % (x,)` into `f"{x}"`. A value that is not a tuple needs no parentheses."""
    match node:
        case ast.BinOp(left=ast.Constant(value=str(template)), op=ast.Mod(), right=right):
            pass
        case _:
            return None
    values = _operands(right, context)
    if _may_not_format(context) or values is None or not may_interleave(values, context):
        return None
    parts: list[ast.expr] = []
    left, end = list(values), 0
    for found in _PERCENT.finditer(template):
        literal = template[end : found.start()]
        end = found.end()
        if "%" in literal:
            return None
        parts.append(ast.Constant(literal))
        if found.group() == "%%":
            parts.append(ast.Constant("%"))
            continue
        part = _percent_part(found, left.pop(0), context) if left else None
        if part is None:
            return None
        parts.append(part)
    if left or "%" in template[end:]:
        return None
    context.took("% as f-strings")
    parts.append(ast.Constant(template[end:]))
    return joined(new := ast.JoinedStr(_merged(parts)), context) or new


def _operands(right: ast.expr, context: Context) -> list[ast.expr] | None:
    if isinstance(right, ast.Tuple):
        starred = any(isinstance(each, ast.Starred) for each in right.elts)
        return None if starred else right.elts
    alone = isinstance(right, ast.Constant | ast.JoinedStr | ast.Compare)
    if alone or context.kind(right) in {"str", "int", "list", "set"}:
        return [right]
    return None


def _percent_part(found: re.Match[str], value: ast.expr, context: Context) -> ast.expr | None:
    key, flags, width, precision, letter = found.groups()
    if key is not None:
        return None
    if letter in "sra" and not (flags or width or precision):
        conversion = -1 if letter == "s" else ord(letter)
        part = ast.FormattedValue(value, conversion, None)
        return converted(part, context) or part  # type: ignore[return-value]
    # Only `format` pads infinity with zeros.
    if letter in _FLOATS and not set(flags) - {"+"} and not _exact_numbers(context):
        sign = "+" if "+" in flags else ""
        digits = f".{precision}" if precision else ""
        spec = f"{sign}{width}{digits}{letter}"
        return ast.FormattedValue(value, -1, _specification([ast.Constant(spec)]))
    spec = _plain_specification(flags, width, letter, context.kind(value)) if not precision else ""
    if spec:
        return ast.FormattedValue(value, -1, _specification([ast.Constant(spec)]))
    return None


def _plain_specification(flags: str, width: str, letter: str, kind: str) -> str:
    """Return the f-string specification for an integer or a string, or an empty string."""
    if kind == "int" and letter in "dixXo" and set(flags) <= {"0", "+"}:
        sign = "+" if "+" in flags else ""
        zero = "0" if "0" in flags and width else ""
        return f"{sign}{zero}{width}{letter.replace('i', 'd')}"
    if kind == "str" and letter == "s" and width and set(flags) <= {"-"}:
        return f"{'<' if flags else '>'}{width}"
    return ""


def _exact_numbers(context: Context) -> bool:
    """Return whether the program uses exact numbers, which `%` rounds to a float and `format`
    does not."""
    return bool(context.facts.words & {"Decimal", "decimal", "Fraction", "fractions"})


def _merged(values: list[ast.expr]) -> list[ast.expr]:
    merged: list[ast.expr] = []
    for value in values:
        last = merged[-1] if merged else None
        if isinstance(value, ast.Constant) and isinstance(last, ast.Constant):
            merged[-1] = ast.Constant(str(last.value) + str(value.value))
        elif not (isinstance(value, ast.Constant) and value.value == ""):
            merged.append(value)
    return merged
