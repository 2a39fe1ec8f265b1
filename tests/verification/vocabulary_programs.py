"""Whole programs, and what a good model makes of them."""

from __future__ import annotations

_INVENTORY = r"""import json
import os
import logging

logger = logging.getLogger(__name__)

class InventoryManager:
    def __init__(self, path, low=5):
        self.path = path
        self.low = low
        self.items = {}
        self.load()

    def load(self):
        if os.path.exists(self.path):
            f = open(self.path, "r")
            data = f.read()
            f.close()
            self.items = json.loads(data)
        else:
            self.items = {}

    def save(self):
        f = open(self.path, "w")
        f.write(json.dumps(self.items, indent=2))
        f.close()

    def add(self, name, qty, price):
        if qty <= 0:
            raise ValueError("Quantity must be positive, got %d" % qty)
        if name in self.items:
            self.items[name]["qty"] = self.items[name]["qty"] + qty
            self.items[name]["price"] = price
        else:
            self.items[name] = {"qty": qty, "price": price}
        logger.info("added %s" % name)
        self.save()

    def remove(self, name, qty):
        if name not in self.items:
            raise KeyError("No such item: " + name)
        else:
            if self.items[name]["qty"] < qty:
                raise ValueError("Not enough of " + name)
            else:
                self.items[name]["qty"] -= qty
                if self.items[name]["qty"] == 0:
                    del self.items[name]
        self.save()

    def total(self):
        t = 0
        for k in self.items.keys():
            t = t + self.items[k]["qty"] * self.items[k]["price"]
        return t

    def low_stock(self):
        result = []
        for k, v in self.items.items():
            if v["qty"] <= self.low:
                result.append(k)
        result.sort()
        return result

def report(manager):
    lines = []
    for name in sorted(manager.items):
        item = manager.items[name]
        lines.append(name + ": " + str(item["qty"]) + " x " + str(item["price"]))
    lines.append("Total: " + str(manager.total()))
    return "\n".join(lines)
"""
_INVENTORY_REFACTORED = r'''"""Keeping track of what is in stock."""

import json
import logging
import os
from typing import Any

logger = logging.getLogger(__name__)


class InventoryManager:
    """Items by name, kept in a JSON file."""

    def __init__(self, path: str, low: int = 5) -> None:
        self.path = path
        self.low = low
        self.items: dict[str, dict[str, Any]] = {}
        self.load()

    def load(self) -> None:
        """Read the items, if there are any."""
        if not os.path.exists(self.path):
            self.items = {}
            return
        with open(self.path) as file:
            self.items = json.load(file)

    def save(self) -> None:
        """Write the items."""
        with open(self.path, "w") as file:
            json.dump(self.items, file, indent=2)

    def add(self, name: str, qty: int, price: float) -> None:
        """Add some of an item."""
        if qty <= 0:
            raise ValueError(f"Quantity must be positive, got {qty}")
        if name in self.items:
            item = self.items[name]
            item["qty"] += qty
            item["price"] = price
        else:
            self.items[name] = {"qty": qty, "price": price}
        logger.info("added %s", name)
        self.save()

    def remove(self, name: str, qty: int) -> None:
        """Take some of an item away."""
        if name not in self.items:
            raise KeyError(f"No such item: {name}")
        item = self.items[name]
        if item["qty"] < qty:
            raise ValueError(f"Not enough of {name}")
        item["qty"] -= qty
        if item["qty"] == 0:
            del self.items[name]
        self.save()

    def total(self) -> float:
        """The value of all items."""
        return sum(item["qty"] * item["price"] for item in self.items.values())

    def low_stock(self) -> list[str]:
        """Names of what is nearly gone."""
        return sorted(name for name, item in self.items.items() if item["qty"] <= self.low)


def report(manager: InventoryManager) -> str:
    """All items and their value."""
    lines = [
        f"{name}: {item['qty']} x {item['price']}"
        for name, item in sorted(manager.items.items())
    ]
    lines.append(f"Total: {manager.total()}")
    return "\n".join(lines)
'''
_ODDS = r"""import re

def parse_log(lines):
    errors = 0
    warnings = 0
    users = {}
    for line in lines:
        line = line.strip()
        if line == "":
            continue
        if line.startswith("#") == True:
            continue
        m = re.match(r"^(\w+) \[(\w+)\] (.*)$", line)
        if m == None:
            continue
        user = m.group(1)
        level = m.group(2)
        msg = m.group(3)
        if level == "ERROR":
            errors = errors + 1
        elif level == "WARN":
            warnings = warnings + 1
        if user not in users:
            users[user] = 1
        else:
            users[user] = users[user] + 1
    top = None
    best = -1
    for u in users:
        if users[u] > best:
            best = users[u]
            top = u
    return {"errors": errors, "warnings": warnings, "top": top, "count": best}

def is_palindrome(s):
    s = s.lower()
    i = 0
    j = len(s) - 1
    while i < j:
        if s[i] != s[j]:
            return False
        i += 1
        j -= 1
    return True

def grade(score):
    if score >= 90:
        return "A"
    else:
        if score >= 80:
            return "B"
        else:
            if score >= 70:
                return "C"
            else:
                return "F"

def flatten(xs):
    out = []
    for x in xs:
        if type(x) == list:
            for y in flatten(x):
                out.append(y)
        else:
            out.append(x)
    return out

def merge(a, b):
    c = {}
    for k in a:
        c[k] = a[k]
    for k in b:
        c[k] = b[k]
    return c

def safe_div(a, b):
    try:
        r = a / b
    except ZeroDivisionError:
        return None
    return r
"""
_ODDS_REFACTORED = r'''"""Odds and ends."""

import re

_ENTRY = re.compile(r"^(\w+) \[(\w+)\] (.*)$")


def parse_log(lines):
    """Count errors, warnings, and who is named most often."""
    errors = 0
    warnings = 0
    users = {}
    for line in lines:
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = _ENTRY.match(line)
        if match is None:
            continue
        user = match.group(1)
        level = match.group(2)
        msg = match.group(3)
        if level == "ERROR":
            errors += 1
        elif level == "WARN":
            warnings += 1
        users[user] = users.get(user, 0) + 1
    top = max(users, key=users.get, default=None)
    return {"errors": errors, "warnings": warnings, "top": top, "count": users.get(top, -1)}


def is_palindrome(s: str) -> bool:
    """Whether it reads the same from both sides."""
    s = s.lower()
    return s == s[::-1]


def grade(score: float) -> str:
    """The mark for a score."""
    if score >= 90:
        return "A"
    if score >= 80:
        return "B"
    if score >= 70:
        return "C"
    return "F"


def flatten(xs):
    """All elements of nested lists."""
    out = []
    for x in xs:
        if isinstance(x, list):
            out.extend(flatten(x))
        else:
            out.append(x)
    return out


def merge(a: dict, b: dict) -> dict:
    """Both, the second one wins."""
    return {**a, **b}


def safe_div(a: float, b: float) -> float | None:
    """The quotient, if there is one."""
    try:
        return a / b
    except ZeroDivisionError:
        return None
'''
_ROUTES = r"""var express = require('express');
var router = express.Router();
var cache = {};

function validate(user) {
  var errors = [];
  if (!user.name || user.name.length == 0) {
    errors.push('name is required');
  }
  if (user.age == undefined || user.age < 18) {
    errors.push('age must be at least ' + 18);
  }
  return errors;
}

function getUser(id, cb) {
  if (cache[id]) {
    cb(null, cache[id]);
  } else {
    db.find(id, function (err, user) {
      if (err) {
        cb(err);
      } else {
        cache[id] = user;
        cb(null, user);
      }
    });
  }
}

router.post('/users', function (req, res) {
  var errors = validate(req.body);
  if (errors.length > 0) {
    res.status(400).json({ errors: errors });
    return;
  }
  var total = 0;
  for (var i = 0; i < req.body.items.length; i++) {
    total = total + req.body.items[i].price * req.body.items[i].qty;
  }
  res.json({ ok: true, total: total });
});

module.exports = { router: router, validate: validate, getUser: getUser };
"""
_ROUTES_REFACTORED = r"""const express = require('express');

const router = express.Router();
const cache = {};
const MINIMUM_AGE = 18;

/** What is wrong with a user. */
function validate(user) {
  const errors = [];
  if (!user.name) {
    errors.push('name is required');
  }
  if (user.age === undefined || user.age < MINIMUM_AGE) {
    errors.push(`age must be at least ${MINIMUM_AGE}`);
  }
  return errors;
}

function getUser(id, cb) {
  if (cache[id]) {
    cb(null, cache[id]);
    return;
  }
  db.find(id, (err, user) => {
    if (err) {
      cb(err);
      return;
    }
    cache[id] = user;
    cb(null, user);
  });
}

router.post('/users', (req, res) => {
  const errors = validate(req.body);
  if (errors.length > 0) {
    res.status(400).json({ errors });
    return;
  }
  const total = req.body.items.reduce((sum, item) => sum + item.price * item.qty, 0);
  res.json({ ok: true, total });
});

module.exports = { router, validate, getUser };
"""
_ORDERS = r"""import java.util.*;

public class OrderService {
    private Map<String, Integer> stock = new HashMap<String, Integer>();

    public boolean reserve(String sku, int count) {
        if (stock.containsKey(sku)) {
            if (stock.get(sku) >= count) {
                stock.put(sku, stock.get(sku) - count);
                return true;
            } else {
                return false;
            }
        } else {
            return false;
        }
    }

    public String summary(List<String> skus) {
        String result = "";
        for (int i = 0; i < skus.size(); i++) {
            if (i > 0) {
                result = result + ", ";
            }
            result = result + skus.get(i);
        }
        return result;
    }

    public int total(List<Integer> counts) {
        int sum = 0;
        for (int i = 0; i < counts.size(); i++) {
            sum = sum + counts.get(i) * 2;
        }
        return sum;
    }
}
"""
_ORDERS_REFACTORED = r"""import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps the stock. */
public class OrderService {
    private final Map<String, Integer> stock = new HashMap<>();

    public boolean reserve(String sku, int count) {
        Integer available = stock.get(sku);
        if (available == null || available < count) {
            return false;
        }
        stock.put(sku, available - count);
        return true;
    }

    public String summary(List<String> skus) {
        return String.join(", ", skus);
    }

    public int total(List<Integer> counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count * 2;
        }
        return sum;
    }
}
"""
PROGRAMS = [
    ("python", _INVENTORY, _INVENTORY_REFACTORED),
    ("python", _ODDS, _ODDS_REFACTORED),
    ("javascript", _ROUTES, _ROUTES_REFACTORED),
    ("java", _ORDERS, _ORDERS_REFACTORED),
]
