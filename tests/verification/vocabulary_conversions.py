"""Programs, and models' conversions of them into other languages."""

from __future__ import annotations

_PY = '''class Cart:
    """What somebody buys."""

    def __init__(self, owner):
        self.owner = owner
        self._items = []

    def add_item(self, item):
        self._items.append(item)

    def __len__(self):
        return len(self._items)


def total_price(cart):
    return sum(each.price for each in cart._items)


def main():
    print(total_price(Cart("a")))
'''
_JS = """class Cart {
  constructor(owner) {
    this.owner = owner;
    this.items = [];
  }

  addItem(item) {
    this.items.push(item);
  }

  get length() {
    return this.items.length;
  }
}

const totalPrice = (cart) => cart.items.reduce((sum, each) => sum + each.price, 0);

console.log(totalPrice(new Cart("a")));
"""
_GO = """package main

import "fmt"

// Cart is what somebody buys.
type Cart struct {
	Owner string
	items []Item
}

func NewCart(owner string) *Cart {
	return &Cart{Owner: owner}
}

func (c *Cart) AddItem(item Item) {
	c.items = append(c.items, item)
}

func TotalPrice(c *Cart) float64 {
	sum := 0.0
	for _, each := range c.items {
		sum += each.Price
	}
	return sum
}

func main() {
	fmt.Println(TotalPrice(NewCart("a")))
}
"""
_JAVA = """public class Temperature {
    private double degrees;
    public Temperature(double degrees) { this.degrees = degrees; }
    public double getDegrees() { return degrees; }
    public boolean isHot() { return degrees > 30; }
    @Override public String toString() { return "T" + degrees; }
}
"""
_JAVA_AS_PYTHON = """class Temperature:
    def __init__(self, degrees: float) -> None:
        self._degrees = degrees

    @property
    def degrees(self) -> float:
        return self._degrees

    def is_hot(self) -> bool:
        return self._degrees > 30

    def __str__(self) -> str:
        return f"T{self._degrees}"
"""
_STATIC = """class Util {
    static int twice(int x) { return x * 2; }
    public static void main(String[] args) { System.out.println(twice(5)); }
}
"""
_TS = """interface Item { price: number }
export function total(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.price, 0);
}
"""
CONVERTED = [
    ("python", _PY, "javascript", _JS),
    ("python", _PY, "go", _GO),
    ("java", _JAVA, "python", _JAVA_AS_PYTHON),
    ("java", _STATIC, "python", "def twice(x):\n    return x * 2\n\n\nprint(twice(5))\n"),
    (
        "typescript",
        _TS,
        "javascript",
        _TS.partition("\n")[2].replace(": Item[]", "").replace("): number", ")"),
    ),
    ("typescript", _TS, "python", "def total(items):\n    return sum(i.price for i in items)\n"),
    ("javascript", "const f = (x) => x + 5;\n", "python", "def f(x):\n    return x + 5\n"),
    (
        "go",
        "package a\n\nfunc TotalOf(xs []int) int {\n\treturn len(xs)\n}\n",
        "rust",
        "pub fn total_of(xs: &[i32]) -> usize {\n    xs.len()\n}\n",
    ),
    (
        "c",
        "struct p { int x; };\nint f(struct p *a) { return a->x * 3; }\n",
        "rust",
        "struct P { x: i32 }\nfn f(a: &P) -> i32 { a.x * 3 }\n",
    ),
    ("ruby", "def name(a)\n  a.name\nend\n", "javascript", "function name(a) { return a.name; }\n"),
]
_BARE = "def f(a):\n    return a\n\n\ndef g(b):\n    return b\n"
NOT_CONVERTED = [
    ("python", _BARE, "javascript", ";\n"),
    ("python", _BARE, "javascript", "\n"),
    ("python", _BARE, "go", "// I cannot do that.\n"),
    ("python", _BARE, "go", "package main\n"),
    ("python", _BARE, "php", "<?php\n// nothing\n"),
    ("python", _BARE, "javascript", "export function f(a) { return a; }\n"),
    ("python", _BARE, "javascript", "// f g\nexport const done = f;\n"),
    ("python", "print(a)\n", "javascript", "// nothing\n"),
    ("javascript", "export const f = (x) => x;\n", "python", '"""f."""\n'),
    ("python", _PY, "javascript", _JS.replace("addItem", "put")),
    (
        "python",
        _PY,
        "javascript",
        _JS.replace("class Cart", "class Box").replace("new Cart", "new Box"),
    ),
    ("python", _PY, "go", _GO.replace("TotalPrice", "Price")),
    ("java", _JAVA, "python", _JAVA_AS_PYTHON.replace("is_hot", "is_cold")),
    ("java", _STATIC, "python", "print(2 * 5)\n"),
    ("python", _PY, "javascript", _JS + "\nfetch(totalPrice);\n"),
]
GONE = [
    ("bash", 'f() { echo "$1"; }\ng() { echo "$1"; }\nf a\n', 'f() { echo "$1"; }\nf a\n'),
    ("kotlin", "fun f(a: Int) = a\nfun g(a: Int) = a\n", "fun f(a: Int) = a\n"),
    (
        "lua",
        "function f(a) return a end\nfunction g(a) return a end\n",
        "function f(a) return a end\n",
    ),
    (
        "swift",
        "func f(a: Int) -> Int { return a }\nfunc g(a: Int) -> Int { return a }\n",
        "func f(a: Int) -> Int { return a }\n",
    ),
    (
        "scala",
        "object A { def f(a: Int) = a; def g(a: Int) = a }\n",
        "object A { def f(a: Int) = a }\n",
    ),
    (
        "rust",
        "pub fn f(a: i32) -> i32 { g(a) }\nfn g(a: i32) -> i32 { a }\n",
        "pub fn f(a: i32) -> i32 { a }\n",
    ),
    (
        "javascript",
        "export function f(a) { return g(a) }\nfunction g(a) { return a }\n",
        "export function f(a) { return a }\n",
    ),
    (
        "python",
        "def _h(a):\n    return a\n\n\ndef f(a):\n    return _h(a)\n",
        "def f(a):\n    return a\n",
    ),
    ("python", "def _f(a):\n    return a\n", "# gone\n"),
    ("python", "def _f(a):\n    return a\n", "pass\n"),
    ("python", "class _A:\n    pass\n\n\ndef f(a):\n    return a\n", "def f(a):\n    return a\n"),
    (
        "java",
        "class A { int f(int a) { return g(a); } private int g(int a) { return a; } }\n",
        "class A { int f(int a) { return a; } }\n",
    ),
    (
        "go",
        "package a\n\nfunc F(a int) int {\n\treturn g(a)\n}\n\nfunc g(a int) int {\n"
        "\treturn a\n}\n",
        "package a\n\nfunc F(a int) int {\n\treturn a\n}\n",
    ),
    (
        "c",
        "static int g(int a) { return a; }\nint f(int a) { return g(a); }\n",
        "int f(int a) { return a; }\n",
    ),
]
KEPT = [
    # It was never called.
    (
        "python",
        "def _h(a):\n    return a\n\n\ndef f(a):\n    return a\n",
        "def f(a):\n    return a\n",
    ),
    # It has another name.
    (
        "python",
        "def _h(a):\n    return a\n\n\ndef f(a):\n    return _h(a)\n",
        "def _same(a):\n    return a\n\n\ndef f(a):\n    return _same(a)\n",
    ),
    # It is local.
    (
        "python",
        "def f(xs):\n    def key(x):\n        return x.n\n    return sorted(xs, key=key)\n",
        "def f(xs):\n    return sorted(xs, key=lambda x: x.n)\n",
    ),
    (
        "javascript",
        "var f = function (a) { return a.b; };\nexports.f = f;\n",
        "const f = (a) => a.b;\nexports.f = f;\n",
    ),
    (
        "javascript",
        "function f(a) { return a.b; }\nexports.f = f;\n",
        "const f = (a) => a.b;\nexports.f = f;\n",
    ),
    (
        "python",
        "class P:\n    def __init__(self, x):\n        self.x = x\n\n"
        "    def __repr__(self):\n        return f'P({self.x!r})'\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n\n"
        "    def __repr__(self):\n        return f'P({self.x!r})'\n",
    ),
]
