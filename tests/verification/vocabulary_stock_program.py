"""Whole programs about a stock, in Python and Java, and a good model's rewrites of them."""

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
INVENTORY = ("python", _INVENTORY, _INVENTORY_REFACTORED)
ORDERS = ("java", _ORDERS, _ORDERS_REFACTORED)
