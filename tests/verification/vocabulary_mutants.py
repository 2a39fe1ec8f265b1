"""Small changes that make other programs, each of which has to be noticed."""

from __future__ import annotations

FEES = """LIMIT = 10
FLAG = True


class Order:
    rate: int = 1

    def due(self, paid, late=False):
        if paid and late:
            return self.rate
        return 0 if paid else 1


def fee(total, rate=1):
    if total < 0:
        raise ValueError("negative")
    if total > LIMIT and rate != 0:
        return total - rate
    return 0


def log(a, b):
    print(a)
    print(b)
    a.append(b)
    return sorted(a, reverse=True)


def find(rows, key):
    try:
        for row in rows:
            if row.id == key and row.size >= 5:
                return row
    except OSError:
        return None
    found = [row for row in rows if not row.gone]
    return any(row.id == key for row in found)


def _mean(xs):
    count = 0
    for x in xs:
        count += 1
    return sum(xs) / count if count else None


def mean(xs):
    assert xs
    return _mean(xs) * 2
"""
SHOP = """
const RATE = 19;
let open = true;
export function fee(total, late = false) {
  if (total < 0) {
    throw new RangeError("negative");
  }
  if (total > RATE && late) {
    return total - RATE;
  }
  return 0;
}
export function pick(rows, key) {
  const found = rows.filter((row) => row.id === key);
  if (found.length === 0) {
    return null;
  }
  save(found);
  send(found, key);
  return found[0].size >= 5 || found[0].open;
}
"""
STACK = """
class Stack {
    private int size = 0;
    private boolean shut = false;
    int push(int value, int limit) {
        if (value < 0) {
            throw new IllegalArgumentException("negative");
        }
        if (size >= limit && !shut) {
            return -1;
        }
        store(value, limit);
        size = size + value * 2;
        return size - limit;
    }
    boolean isFull(int limit) {
        try {
            return size > limit || shut;
        } catch (IllegalStateException error) {
            return false;
        }
    }
}
"""
GO = """package stack

func Push(values []int, limit int) (int, bool) {
	if len(values) >= limit && limit > 7 {
		return 0, false
	}
	sum := 0
	for _, value := range values {
		if value != limit {
			sum += value * limit
		}
	}
	return sum - limit, true
}
"""
RUST = """pub fn fee(total: i32, late: bool) -> i32 {
    if total < 100 && late {
        return total - 5;
    }
    if total == 7 || late {
        return 1;
    }
    total * 3
}
"""
RUBY = """def fee(total, late = false)
  raise ArgumentError, 'negative' if total < 5
  if total > 10 && late
    return total - 3
  end
  total == 7
end
"""
PHP = """<?php
function fee($total, $late = false) {
    if ($total < 5 || $late) {
        throw new RangeException('negative');
    }
    return $total > 10 ? $total - 3 : 0;
}
"""
C = """int fee(int total, int late) {
    if (total < 5 || late) {
        return -1;
    }
    store(total, late);
    return total >= 10 ? total - 3 : 0;
}
"""
CSHARP = """class Fees {
    static int Fee(int total, bool late = false) {
        if (total < 5 && late) {
            throw new ArgumentException("negative");
        }
        return total > 10 ? total - 3 : 0;
    }
}
"""
KOTLIN = """fun fee(total: Int, late: Boolean): Int {
    if (total < 5 && late) {
        throw IllegalArgumentException("negative")
    }
    return total - 3
}
"""
Mutant = tuple[str, str, str]
MUTANTS: list[tuple[str, str, list[tuple[str, str]]]] = [
    (
        "python",
        FEES,
        [
            ("FLAG = True", "FLAG = False"),
            ("LIMIT = 10", "LIMIT = 10.0"),
            ("rate: int = 1", "rate: int = 0"),
            ("late=False", "late=True"),
            ("paid and late", "paid or late"),
            ("return 0 if paid else 1", "return 1 if paid else 0"),
            ("return 0 if paid else 1", "return 0 if not paid else 1"),
            ("rate=1", "rate=0"),
            ("rate=1", "rate=None"),
            ("total < 0", "total <= 0"),
            ("total < 0", "total > 0"),
            ("if total < 0", "if not total < 0"),
            ("total < 0", "total == 0"),
            ('raise ValueError("negative")', 'raise KeyError("negative")'),
            ('raise ValueError("negative")', 'print("negative")'),
            ('    if total < 0:\n        raise ValueError("negative")\n', ""),
            ("total > LIMIT", "total >= LIMIT"),
            ("total > LIMIT", "total < LIMIT"),
            ("and rate != 0", "or rate != 0"),
            ("and rate != 0", "and rate == 0"),
            ("and rate != 0", ""),
            ("total - rate", "total + rate"),
            ("total - rate", "rate - total"),
            ("total - rate", "total"),
            ("total - rate", "total - rate - rate + 1"),
            (
                "        return total - rate\n    return 0",
                "        return 0\n    return total - rate",
            ),
            ("    return 0\n\n\ndef log", "    return 1\n\n\ndef log"),
            ("    return 0\n\n\ndef log", "    return total\n\n\ndef log"),
            ("    return 0\n\n\ndef log", "    return None\n\n\ndef log"),
            ("    print(a)\n    print(b)", "    print(b)\n    print(a)"),
            ("    a.append(b)\n", ""),
            ("a.append(b)", "b.append(a)"),
            ("sorted(a, reverse=True)", "list(a)"),
            ("reverse=True", "reverse=False"),
            ("    print(a)\n", "    print(a)\n    quit()\n"),
            ("    print(a)\n", "    print(a)\n    a.clear()\n"),
            ("row.id == key and", "row.id != key and"),
            ("row.id == key and", "row.id == key or"),
            ("row.size >= 5", "row.size > 5"),
            ("except OSError", "except Exception"),
            ("except OSError", "except KeyError"),
            ("not row.gone", "row.gone"),
            ("any(row", "all(row"),
            ("count += 1", "count -= 1"),
            ("count = 0", "count = 1"),
            ("sum(xs) / count", "sum(xs) * count"),
            ("sum(xs) / count", "count / sum(xs)"),
            ("sum(xs) / count", "sum(xs) // count"),
            ("_mean(xs) * 2", "_mean(xs) + 2"),
            ("_mean(xs) * 2", "_mean(xs) ** 2"),
            ("    assert xs\n", ""),
            ("assert xs", "assert not xs"),
            ("return _mean(xs) * 2", "return 2"),
            (FEES[FEES.index("def _mean") : FEES.index("def mean")], ""),
        ],
    ),
    (
        "javascript",
        SHOP,
        [
            ("let open = true", "let open = false"),
            ("late = false", "late = true"),
            ("total < 0", "total <= 0"),
            ("total < 0", "!(total < 0)"),
            ("RangeError", "TypeError"),
            ("total > RATE", "total >= RATE"),
            ("total > RATE && late", "total > RATE || late"),
            ("total > RATE && late", "total > RATE && !late"),
            ("total > RATE && late", "total > RATE"),
            ("total - RATE", "total + RATE"),
            ("total - RATE", "RATE - total"),
            ("return 0;", "return 1;"),
            ("return 0;", "return null;"),
            ("return null;", "return false;"),
            ("row.id === key", "row.id !== key"),
            ("found.length === 0", "found.length !== 0"),
            ("  save(found);\n", ""),
            ("  save(found);\n", "  save(found);\n  process.exit();\n"),
            ("  save(found);\n  send(found, key);", "  send(found, key);\n  save(found);"),
            ("send(found, key)", "send(key, found)"),
            ("size >= 5", "size > 5"),
            ("|| found[0].open", "&& found[0].open"),
        ],
    ),
    (
        "java",
        STACK,
        [
            ("size = 0;", "size = 1;"),
            ("shut = false", "shut = true"),
            ("value < 0", "value <= 0"),
            ("IllegalArgumentException", "IllegalStateException"),
            ("size >= limit", "size > limit"),
            ("size >= limit && !shut", "size >= limit || !shut"),
            ("size >= limit && !shut", "size >= limit && shut"),
            ("return -1;", "return 1;"),
            ("return -1;", "return 0;"),
            ("        store(value, limit);\n", ""),
            ("store(value, limit)", "store(limit, value)"),
            ("size + value", "size - value"),
            ("value * 2", "value / 2"),
            ("size - limit", "size + limit"),
            ("size - limit", "limit - size"),
            ("size > limit ||", "size > limit &&"),
            ("catch (IllegalStateException error)", "catch (RuntimeException error)"),
            ("return false;", "return true;"),
        ],
    ),
    (
        "go",
        GO,
        [
            ("len(values) >= limit", "len(values) > limit"),
            ("limit && limit", "limit || limit"),
            ("return 0, false", "return 0, true"),
            ("return 0, false", "return 1, false"),
            ("sum := 0", "sum := 1"),
            ("value != limit", "value == limit"),
            ("sum += value", "sum -= value"),
            ("value * limit", "value + limit"),
            ("sum - limit", "limit - sum"),
            ("limit, true", "limit, false"),
        ],
    ),
    (
        "rust",
        RUST,
        [
            ("total < 100", "total <= 100"),
            ("100 && late", "100 || late"),
            ("total - 5", "total + 5"),
            ("total == 7", "total != 7"),
            ("7 || late", "7 && late"),
            ("return 1", "return 0"),
            ("total * 3", "total / 3"),
        ],
    ),
    (
        "ruby",
        RUBY,
        [
            ("late = false", "late = true"),
            ("ArgumentError", "KeyError"),
            ("total < 5", "total <= 5"),
            ("if total < 5", "unless total < 5"),
            ("10 && late", "10 || late"),
            ("total - 3", "total + 3"),
            ("total == 7", "total != 7"),
        ],
    ),
    (
        "php",
        PHP,
        [
            ("$late = false", "$late = true"),
            ("5 || $late", "5 && $late"),
            ("$total < 5", "$total <= 5"),
            ("RangeException", "TypeError"),
            ("$total > 10", "$total >= 10"),
            ("$total - 3", "$total + 3"),
            (": 0;", ": 1;"),
        ],
    ),
    (
        "c",
        C,
        [
            ("5 || late", "5 && late"),
            ("total < 5", "total <= 5"),
            ("return -1", "return 1"),
            ("    store(total, late);\n", ""),
            ("store(total, late)", "store(late, total)"),
            ("total >= 10", "total > 10"),
            ("total - 3", "total + 3"),
            (": 0;", ": 1;"),
            ("    store", "    abort();\n    store"),
        ],
    ),
    (
        "csharp",
        CSHARP,
        [
            ("late = false", "late = true"),
            ("5 && late", "5 || late"),
            ("total < 5", "total <= 5"),
            ("ArgumentException", "FormatException"),
            ("total > 10", "total >= 10"),
            ("total - 3", "total + 3"),
            (": 0;", ": 1;"),
        ],
    ),
    (
        "kotlin",
        KOTLIN,
        [
            ("5 && late", "5 || late"),
            ("total < 5", "total <= 5"),
            ("IllegalArgumentException", "IllegalStateException"),
            ("total - 3", "total + 3"),
        ],
    ),
]
