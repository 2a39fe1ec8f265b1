"""Programs in several languages that mutants are made of."""

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
