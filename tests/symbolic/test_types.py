"""Types have the sizes and ranges of common 64-bit systems."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given, strategies as st

from codeintel.engine.dataflow.tree import parse
from codeintel.engine.symbolic.reading.file import read_file
from codeintel.engine.symbolic.syntax import CType
from codeintel.engine.symbolic.values.polynomials import Poly, symbol
from codeintel.engine.symbolic.values.types import Types

SAME = {
    "char": ctypes.c_char, "unsigned char": ctypes.c_ubyte, "short": ctypes.c_short,
    "int": ctypes.c_int, "unsigned": ctypes.c_uint, "float": ctypes.c_float,
    "double": ctypes.c_double, "int8_t": ctypes.c_int8, "uint16_t": ctypes.c_uint16,
    "int64_t": ctypes.c_int64, "size_t": ctypes.c_size_t, "void *": ctypes.c_void_p,
}  # fmt: skip
Member = tuple[str, tuple[int, ...]]
Structure = tuple[bool, list[Member]]


def types_of(code: str, language: str = "c") -> Types:
    source = read_file(parse(code, language), language)
    assert source is not None
    return Types(source)


def size(code: str, type_: str) -> Poly | None:
    """Return the size of a type that a file defines."""
    return types_of(code).size(CType(type_))


members = st.tuples(
    st.sampled_from(sorted(SAME)), st.lists(st.integers(1, 4), max_size=2).map(tuple)
)
structures = st.lists(st.tuples(st.booleans(), st.lists(members, min_size=1, max_size=5)),
                      min_size=1, max_size=4)  # fmt: skip


@given(structures)
def test_structures_are_laid_out_as_the_system_does(made: list[Structure]) -> None:
    """Each structure or union has the one before it as its last member."""
    code, before = "", None
    for number, (union, fields) in enumerate(made):
        kind, base = ("union", ctypes.Union) if union else ("struct", ctypes.Structure)
        code += f"{kind} s{number} {{\n"
        same = []
        for position, (name, dims) in enumerate(fields):
            code += f"    {name} m{position}{''.join(f'[{dim}]' for dim in dims)};\n"
            type_ = SAME[name]
            for dim in reversed(dims):
                type_ = type_ * dim
            same.append((f"m{position}", type_))
        if before is not None:
            code += f"    {'union' if made[number - 1][0] else 'struct'} s{number - 1} last;\n"
            same.append(("last", before))
        code += "};\n"
        before = type(f"s{number}", (base,), {"_fields_": same})
        assert size(code, f"struct s{number}") == Poly(ctypes.sizeof(before))


@pytest.mark.parametrize(
    ("code", "type_", "wanted"),
    [
        ("typedef unsigned long word;", "word", Poly(8)),
        ("typedef struct { int a, b; } pair;", "pair", Poly(8)),
        ("typedef int row[3]; typedef row table[2];", "table", Poly(24)),
        ("struct a { struct a *next; char c; };", "struct a", Poly(16)),
        ("struct a { struct a inner; };", "struct a", symbol("sizeof(struct a)")),
        ("struct a { struct b b; }; struct b { struct a a; };", "struct a",
         symbol("sizeof(struct a)")),
        ("", "struct unknown", symbol("sizeof(struct unknown)")),
        ("struct a { unsigned b : 1, c : 2; };", "struct a", symbol("sizeof(struct a)")),
        ("struct __attribute__((packed)) a { char b; int c; };", "struct a",
         symbol("sizeof(struct a)")),
        ("#pragma pack(1)\nstruct a { char b; int c; };", "struct a", symbol("sizeof(struct a)")),
        ("struct a { int b; union { int c; char d; }; };", "struct a", symbol("sizeof(struct a)")),
        ("#define N 3\nstruct a { char name[N * 2]; };", "struct a", Poly(6)),
    ],
)  # fmt: skip
def test_sizes(code: str, type_: str, wanted: Poly) -> None:
    assert size(code, type_) == wanted


@pytest.mark.parametrize(
    ("written", "base", "unsigned", "least", "greatest"),
    [
        ("long unsigned int", "unsigned long", True, 0, None),
        ("unsigned", "unsigned", True, 0, None),
        ("signed", "int", False, None, None),
        ("short int", "short", False, -(1 << 15), (1 << 15) - 1),
        ("unsigned short", "unsigned short", True, 0, (1 << 16) - 1),
        ("signed char", "signed char", False, -128, 127),
        ("uint8_t", "uint8_t", True, 0, 255),
        ("long long int", "long long", False, None, None),
        ("double", "double", False, None, None),
    ],
)
def test_numbers(
    written: str, base: str, unsigned: bool, least: int | None, greatest: int | None
) -> None:
    source = read_file(parse(f"{written} x;", "c"), "c")
    assert source is not None
    type_ = source.globals["x"][0]
    types = Types(source)
    assert type_.base == base
    assert types.is_unsigned(type_) is unsigned
    assert types.range(type_) == (least, greatest)
    assert types.is_integer(type_) is not types.is_float(type_)
