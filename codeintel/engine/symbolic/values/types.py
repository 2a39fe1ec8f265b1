"""Sizes and ranges of types on common 64-bit systems, and the values of constants."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.program import Record, TranslationUnit
from codeintel.engine.symbolic.syntax import (
    Binary,
    Cast,
    CType,
    Expr,
    Number,
    SizeOf,
    Text,
    Unary,
    Var,
)
from codeintel.engine.symbolic.values.polynomials import MAX_NUMBER, Poly, multiply, symbol

KNOWN = {
    "NULL": 0, "nullptr": 0, "EOF": -1, "BUFSIZ": 8192, "PATH_MAX": 4096, "NAME_MAX": 255,
    "FILENAME_MAX": 4096, "MAXPATHLEN": 4096, "MAX_PATH": 260, "LINE_MAX": 2048,
    "HOST_NAME_MAX": 64,
    "CHAR_BIT": 8, "CHAR_MAX": 127, "SCHAR_MAX": 127, "UCHAR_MAX": 255, "SHRT_MAX": 32767,
    "SHRT_MIN": -32768, "USHRT_MAX": 65535, "INT_MAX": 2147483647, "INT_MIN": -2147483648,
    "UINT_MAX": 4294967295, "LONG_MAX": 9223372036854775807, "LONG_MIN": -9223372036854775808,
    "ULONG_MAX": 18446744073709551615, "SIZE_MAX": 18446744073709551615,
    "SSIZE_MAX": 9223372036854775807, "INT8_MAX": 127, "INT16_MAX": 32767, "INT32_MAX": 2147483647,
    "INT64_MAX": 9223372036854775807, "UINT8_MAX": 255, "UINT16_MAX": 65535,
    "UINT32_MAX": 4294967295, "UINT64_MAX": 18446744073709551615, "LLONG_MAX": 9223372036854775807,
    "STDIN_FILENO": 0, "STDOUT_FILENO": 1, "STDERR_FILENO": 2, "EXIT_SUCCESS": 0, "EXIT_FAILURE": 1,
    "INET_ADDRSTRLEN": 16, "INET6_ADDRSTRLEN": 46, "INVALID_SOCKET": -1,
}  # fmt: skip
_MAX_CONSTANT_DEPTH = 30
_SIZES = {
    "char": 1, "signed char": 1, "unsigned char": 1, "bool": 1, "_Bool": 1, "int8_t": 1,
    "uint8_t": 1, "byte": 1, "short": 2, "unsigned short": 2, "int16_t": 2, "uint16_t": 2,
    "char16_t": 2, "int": 4, "unsigned": 4, "int32_t": 4, "uint32_t": 4, "float": 4, "wchar_t": 4,
    "char32_t": 4, "socklen_t": 4, "mode_t": 4, "uid_t": 4, "gid_t": 4, "pid_t": 4, "long": 8,
    "unsigned long": 8, "long long": 8, "unsigned long long": 8, "size_t": 8, "ssize_t": 8,
    "int64_t": 8, "uint64_t": 8, "ptrdiff_t": 8, "intptr_t": 8, "uintptr_t": 8, "off_t": 8,
    "time_t": 8, "double": 8, "long double": 16, "uint_t": 4, "uint": 4, "ushort": 2, "u_char": 1,
    "u_int": 4, "u_short": 2, "u_long": 8, "ulong": 8, "in_addr_t": 4, "in_port_t": 2,
    "u_int8_t": 1, "u_int16_t": 2, "u_int32_t": 4, "u_int64_t": 8, "uint_fast32_t": 8,
    "clock_t": 8, "DWORD": 4, "WORD": 2, "BYTE": 1, "BOOL": 4, "UINT": 4,
}  # fmt: skip
_UNSIGNED = re.compile(r"u|size_t|bool|_Bool|byte|BYTE|WORD|DWORD|UINT|socklen_t|mode_t|in_|gid_t")
_FLOATS = frozenset({"float", "double", "long double"})
_POINTER = 8
_MAX_DEPTH = 6
CONTAINERS = frozenset({"vector", "string", "deque", "array", "span", "basic_string", "wstring",
                        "string_view", "list", "map", "set", "unordered_map", "unordered_set",
                        "multimap", "multiset", "forward_list"})  # fmt: skip
CONTIGUOUS = frozenset({"vector", "string", "deque", "array", "span", "basic_string", "wstring",
                        "string_view"})  # fmt: skip


class Types:
    """Answers questions about the types of a file and the standard types."""

    def __init__(self, source: TranslationUnit) -> None:
        self._source = source
        self.language = source.language
        self._layouts: dict[str, tuple[Poly, int]] = {}

    def resolve(self, type_: CType) -> CType:
        """Return a type with the file's typedefs resolved."""
        for _ in range(_MAX_DEPTH):
            known = self._source.typedefs.get(type_.base)
            if known is None:
                break
            type_ = type_._replace(
                base=known.base,
                pointers=type_.pointers + known.pointers,
                dims=(*type_.dims, *known.dims),
                arguments=known.arguments,
            )
        if f"struct {type_.base}" in self._source.records:
            return type_._replace(base=f"struct {type_.base}")
        return type_

    def size(self, type_: CType) -> Poly | None:
        """Return the size in bytes of a type's values, or None if it is unknown.

        The size of a structure that the file does not define is a symbol.
        """
        type_ = self.resolve(type_)
        if type_.dims:
            found: Poly | None = self.size(type_._replace(dims=()))
            for dim in type_.dims:
                count = self.constant(dim)
                if found is None or count is None:
                    return None
                found = multiply(found, Poly(count))
            return found
        if type_.pointers or type_.reference:
            return Poly(_POINTER)
        if type_.base in _SIZES:
            return Poly(_SIZES[type_.base])
        return self._record_size(type_)

    def _record_size(self, type_: CType) -> Poly | None:
        if not type_.base or type_.base in ("void", "auto"):
            return Poly(1) if type_.base == "void" else None
        return self._layout(type_.base)[0]

    def _layout(self, name: str) -> tuple[Poly, int]:
        """Return the size and the alignment of a structure, in bytes."""
        if name not in self._layouts:
            self._layouts[name] = symbol(f"sizeof({name})"), _POINTER  # in case it contains itself
            known = self._source.records.get(name)
            if known is not None and known.plain and known.members and not known.methods:
                self._layouts[name] = self._laid_out(known)
        return self._layouts[name]

    def _laid_out(self, record: Record) -> tuple[Poly, int]:
        total, widest = 0, 1
        for member in record.members.values():
            inner = self.resolve(member.type)
            made = self.size(inner)
            if made is None or made.terms:
                return symbol(f"sizeof({record.name})"), _POINTER
            step = self._alignment(inner)
            if record.union:
                total = max(total, made.constant)
            else:
                total += -total % step + made.constant
            widest = max(widest, step)
        return Poly(total + -total % widest), widest

    def _alignment(self, type_: CType) -> int:
        if type_.pointers or type_.reference:
            return _POINTER
        if type_.base in _SIZES:
            return _SIZES[type_.base]
        return self._layout(type_.base)[1]

    def constant(self, expr: Expr | None, depth: int = 0) -> int | None:
        """Return the value of a constant expression, such as an array's size, or None."""
        return constant_value(expr, self) if expr is not None and depth < _MAX_DEPTH else None

    def named(self, name: str) -> Expr | None:
        """Return the value of a constant that the file defines, or None."""
        return self._source.constants.get(name)

    def field(self, type_: CType, name: str) -> CType | None:
        """Return the type of a field, or None if it is unknown."""
        known = self._source.records.get(self.resolve(type_).base)
        member = known.members.get(name) if known is not None else None
        return member.type if member is not None else None

    def is_record(self, type_: CType) -> bool:
        """Return whether values are structures or objects of types that the file defines."""
        type_ = self.resolve(type_)
        return not type_.pointers and not type_.dims and type_.base in self._source.records

    def is_integer(self, type_: CType | None) -> bool:
        """Return whether values are whole numbers."""
        if type_ is None:
            return False
        type_ = self.resolve(type_)
        plain = not type_.pointers and not type_.dims
        return plain and type_.base in _SIZES and type_.base not in _FLOATS

    def is_float(self, type_: CType | None) -> bool:
        """Return whether values are floating-point numbers."""
        if type_ is None:
            return False
        type_ = self.resolve(type_)
        return not type_.pointers and not type_.dims and type_.base in _FLOATS

    def is_scalar(self, type_: CType) -> bool:
        """Return whether values are numbers or addresses, which are unset until assigned."""
        type_ = self.resolve(type_)
        return not type_.dims and not type_.reference and (
            type_.pointers > 0 or type_.base in _SIZES
        )  # fmt: skip

    def is_object(self, type_: CType) -> bool:
        """Return whether values are objects: containers, structures, unknown classes."""
        type_ = self.resolve(type_)
        if type_.pointers or type_.dims or type_.base == "auto":
            return False
        return not self.is_scalar(type_._replace(reference=False))

    def is_unsigned(self, type_: CType | None) -> bool:
        """Return whether values are unsigned whole numbers."""
        if type_ is None or not self.is_integer(type_):
            return False
        return _UNSIGNED.match(self.resolve(type_).base) is not None

    def range(self, type_: CType | None) -> tuple[int | None, int | None]:
        """Return the least and the greatest value. None is no limit.

        Types of more than 16 bits have no greatest value here, because it would not help.
        """
        if type_ is None or not self.is_integer(type_):
            return None, None
        bits = 8 * _SIZES[self.resolve(type_).base]
        if self.is_unsigned(type_):
            return 0, (1 << bits) - 1 if bits <= 16 else None
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if bits <= 16 else (None, None)

    def width(self, type_: CType | None) -> int:
        """Return the size in bytes of a whole number, or 0 for other types."""
        if type_ is None or not self.is_integer(type_):
            return 0
        return _SIZES[self.resolve(type_).base]

    def is_container(self, type_: CType | None) -> bool:
        """Return whether values are containers of the standard library."""
        if type_ is None:
            return False
        type_ = self.resolve(type_)
        return not type_.pointers and not type_.dims and type_.base in CONTAINERS


def constant_value(expr: Expr, types: Types, depth: int = 0) -> int | None:
    """Return the value of a constant expression, or None if it is not constant."""
    if depth > _MAX_CONSTANT_DEPTH:
        return None
    if isinstance(expr, Number):
        return expr.value
    if isinstance(expr, Var):
        named = types.named(expr.name)
        return KNOWN.get(expr.name) if named is None else constant_value(named, types, depth + 1)
    if isinstance(expr, Cast):
        return constant_value(expr.value, types, depth + 1)
    if isinstance(expr, Unary):
        value = constant_value(expr.value, types, depth + 1)
        if value is None:
            return None
        return {"-": -value, "~": ~value, "!": int(not value)}.get(expr.op, value)
    if isinstance(expr, SizeOf):
        if isinstance(expr.value, Text):
            return len(expr.value.text) + 1
        size = types.size(expr.type) if expr.type is not None else None
        return size.number if size is not None else None
    if isinstance(expr, Binary):
        left = constant_value(expr.left, types, depth + 1)
        right = constant_value(expr.right, types, depth + 1)
        return None if left is None or right is None else operate(expr.op, left, right)
    return None


def operate(op: str, left: int, right: int) -> int | None:
    """Return the result of an operation on two whole numbers, as C defines it.

    Return None if there is no result or the result is beyond all types. Neither operand may be
    beyond them.
    """
    if op in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "/" else left - right * quotient
    if op in ("<<", ">>"):
        if not 0 <= right < 64:
            return None
        return _within(left << right if op == "<<" else left >> right)
    simple = {
        "+": left + right, "-": left - right, "*": left * right, "&": left & right,
        "|": left | right, "^": left ^ right, "==": left == right, "!=": left != right,
        "<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right,
        "&&": bool(left and right), "||": bool(left or right),
    }  # fmt: skip
    found = simple.get(op)
    return None if found is None else _within(int(found))


def _within(number: int) -> int | None:
    return number if abs(number) <= MAX_NUMBER else None
