# ruff: noqa
# fmt: off
# -*- coding: utf-8 -*-
"""Stock of a small shop."""
from __future__ import print_function
import os, sys
import io
from collections import OrderedDict
from typing import Dict, List, Optional


class StockError(Exception):
    pass


class Item(object):
    def __init__(self, name, price, count = 0):
        self.name = name
        self.price = price
        self.count = count

    def value(self):
        total = self.price * self.count
        return total

    def __repr__(self):
        return 'Item(%r, %s)' % (self.name, self.price)


class Fresh(Item):
    def __init__(self, name, price, days):
        super(Fresh, self).__init__(name, price)
        self.days = days

    def is_good(self):
        if self.days > 0:
            return True
        else:
            return False


class Stock(object):
    def __init__(self):
        self.items = OrderedDict()  # type: Dict[str, Item]

    def add(self, item, count=1):
        # type: (Item, int) -> None
        if not item.name in self.items:
            self.items[item.name] = item
        item.count = item.count + count
        return None

    def take(self, name, count = 1):
        if name not in self.items:
            raise StockError("no {0}".format(name))
        else:
            item = self.items[name]
            if item.count < count:
                raise StockError("only {} of {}".format(item.count, name))
            item.count -= count
            return item

    def names(self, least = 0):  # type: (int) -> List[str]
        result = []
        for item in self.items.values():
            if item.count >= least:
                result.append(item.name)
        return result

    def has_any(self):
        for item in self.items.values():
            if item.count:
                return True
        return False

    def find(self, name):
        # type: (str) -> Optional[Item]
        if name == None:
            return None
        try:
            return self.items[name]
        except KeyError:
            pass


def check():
    stock = Stock()
    stock.add(Item(u"nut", 3), 4)
    stock.add(Fresh("pear", 2, 0))
    assert stock.names() == ["nut", "pear"] and stock.names(2) == ["nut"]
    assert stock.take("nut", 3).value() == 3
    assert stock.has_any() and not Fresh("a", 1, 0).is_good() and Fresh("a", 1, 2).is_good()
    for name, message in (("fig", "no fig"), ("nut", "only 1 of nut")):
        try:
            stock.take(name, 9)
        except StockError as error:
            assert str(error) == message
        else:
            assert False
    assert repr(Item("x", 2)) == "Item('x', 2)"
    assert stock.find("none") is None and stock.find(None) is None
    assert stock.find("pear").name == "pear"
