"""The declared types of expressions."""

from __future__ import annotations

from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    CType,
    Deref,
    Expr,
    Field,
    New,
    Number,
    Several,
    SizeOf,
    Step,
    Subscript,
    Text,
    Unary,
    Var,
)

_INT = CType("int")
_SIZE = CType("size_t")
_TEXT = CType("char", pointers=1)
_COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_SIZED = frozenset({"strlen", "strnlen", "fread", "fwrite", "strcspn", "strspn", "size", "length",
                    "wcslen", "mbstowcs", "strlcpy", "strlcat", "capacity",
                    "strftime"})  # fmt: skip
_SIGNED = {"read": "ssize_t", "recv": "ssize_t", "recvfrom": "ssize_t", "write": "ssize_t",
           "strtol": "long", "strtoul": "unsigned long", "strtoull": "unsigned long long",
           "strtoll": "long long", "atol": "long", "atoll": "long long", "ntohl": "uint32_t",
           "ntohs": "uint16_t", "getline": "ssize_t", "readlink": "ssize_t", "atof": "double",
           "strtod": "double", "sqrt": "double", "pow": "double", "fabs": "double",
           "stod": "double",
           "stof": "float", "stol": "long", "stoul": "unsigned long", "stoull": "unsigned long",
           "htonl": "uint32_t", "htons": "uint16_t"}  # fmt: skip
_ELEMENTS = {"string": "char", "string_view": "char", "basic_string": "char", "wstring": "wchar_t"}


def type_of(machine: Machine, expr: Expr) -> CType | None:
    """Return an expression's declared type, or None if it is unknown."""
    if isinstance(expr, Number):
        return _INT
    if isinstance(expr, Text):
        return _TEXT
    if isinstance(expr, SizeOf):
        return _SIZE
    if isinstance(expr, Var):
        return variable_type(machine, expr.name)
    if isinstance(expr, Cast):
        return expr.type
    if isinstance(expr, Field):
        return _field_type(machine, expr)
    if isinstance(expr, Subscript | Deref):
        return _element_type(machine, expr)
    if isinstance(expr, AddressOf):
        inner = type_of(machine, expr.value)
        return inner._replace(pointers=inner.pointers + 1, dims=()) if inner else None
    if isinstance(expr, Assign | Step):
        return type_of(machine, expr.target)
    if isinstance(expr, Unary):
        return _INT if expr.op == "!" else type_of(machine, expr.value)
    if isinstance(expr, Conditional):
        return type_of(machine, expr.then) or type_of(machine, expr.otherwise)
    if isinstance(expr, Several):
        return type_of(machine, expr.parts[-1]) if expr.last and expr.parts else None
    if isinstance(expr, New):
        return expr.type._replace(pointers=expr.type.pointers + 1)
    if isinstance(expr, Binary):
        return _binary_type(machine, expr)
    if isinstance(expr, Call):
        return _call_type(machine, expr)
    return None


def variable_type(machine: Machine, name: str) -> CType | None:
    """Return a variable's declared type, or None if it is unknown."""
    if name == "this" and machine.frame.function.owner:
        return CType(machine.frame.function.owner, pointers=1)
    known = machine.frame.types.get(name)
    if known is not None:
        return known
    if name in machine.source.globals:
        return machine.source.globals[name][0]
    return machine.types.field(CType(f"struct {machine.frame.function.owner}"), name)


def element_of(machine: Machine, type_: CType) -> CType | None:
    """Return the type of a container's elements, or None if it is unknown."""
    type_ = machine.types.resolve(type_)
    if type_.base in _ELEMENTS:
        return CType(_ELEMENTS[type_.base])
    inner = type_.arguments.split(",")[0].strip().removeprefix("std::")
    return CType(inner.rstrip("* "), pointers=inner.count("*")) if inner else None


def _field_type(machine: Machine, expr: Field) -> CType | None:
    whole = type_of(machine, expr.object)
    if whole is None:
        return None
    if whole.pointers:
        whole = whole.element
    return machine.types.field(whole, expr.name)


def _element_type(machine: Machine, expr: Subscript | Deref) -> CType | None:
    whole = type_of(machine, expr.object if isinstance(expr, Subscript) else expr.value)
    if whole is None:
        return None
    whole = machine.types.resolve(whole)
    if whole.dims or whole.pointers:
        return whole.element
    return element_of(machine, whole) if machine.types.is_container(whole) else None


def _binary_type(machine: Machine, expr: Binary) -> CType | None:
    if expr.op in _COMPARING:
        return _INT
    left, right = type_of(machine, expr.left), type_of(machine, expr.right)
    for each in (left, right):
        if each is not None and (each.is_pointer or each.dims):
            return each
    if left is None or right is None:
        return None
    if machine.types.is_float(left) or machine.types.is_float(right):
        return CType("double")
    wide, other = machine.types.width(left), machine.types.width(right)
    if max(wide, other) < 4:
        return _INT
    if wide == other:
        return left if machine.types.is_unsigned(left) else right
    return left if wide > other else right


def _call_type(machine: Machine, expr: Call) -> CType | None:
    if expr.name in _SIZED:
        return _SIZE
    if expr.name in _SIGNED:
        return CType(_SIGNED[expr.name])
    known = machine.source.functions.get(expr.name)
    return known.result if known is not None and expr.object is None else None
