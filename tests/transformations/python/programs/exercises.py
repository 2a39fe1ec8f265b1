# ruff: noqa
# fmt: off
import sys, math
from dataclasses import dataclass, field
from typing import Dict, List, Optional
PRICES = {'tea' : 3, 'milk':1}
visits = dict()
double = lambda x, times = 2 : x * times


@dataclass
class Basket:
    names : List[str] = field(default_factory = lambda: [])
    owner: Optional[str] = None
    def describe(self):
        self.twin: Optional['Basket'] = None
        return "{} of {}: {}".format(self.__class__.__name__, repr(self.owner), self.count())
    def count(self):
        return len(self.names)


def longest_gap(numbers : List[int]) -> int :
    """ The largest difference of neighbors. 

    >>> longest_gap([1, 4, 6])  
    3
    """
    gap = 0
    for i in range(0, len(numbers) - 1):
        if numbers[i + 1] - numbers[i] > gap:
            gap = numbers[i + 1] - numbers[i]
    return gap


def padded(rows):
    """The widths of columns.

    >>> print(padded([['a']]))
    a 
    """
    return "\n".join(map(lambda row: " ".join(map(lambda cell: str(cell), row)) + " ", rows))


def price(name):
    if name in PRICES:
        value = PRICES[name]
    else:
        value = -1
    return value


def visited(name):
    global visits
    visits[name] = visits.get(name, None) or 0
    visits[name] += 1
    return '%d visits' % (visits[name],)


def plain(name: str):
    if name.startswith("the_"):
        name = name[4:]
    if name.endswith(".txt"):
        name = name[:-4]
    return "<%s>" % name


def positive(numbers):
    import os
    if all(map(lambda n: n > 0, numbers)) == False:
        return None
    return list(map(lambda n: n + 1, numbers))


def parse(text):
    try:
        number = int(text)
    except ValueError as error:
        return None
    result = number * 2
    return result


def month(name, leap=False):
    if name == "feb" or name == "february":
        days = 29 if leap else 28
        return days
    if name == "apr" or name == "jun" or (name == "sep" and not leap) or name == "nov":
        return 30
    return 31


def is_small(number, limit):
    if not number:
        return False
    if not limit:
        return False
    return True


def report(count, names):
    total = 0
    for i, name in enumerate(names):
        total += i
    return '|{0}{1}|'.format(count, '%d/%s' % (total, ",".join(names)))


def letters(text):
    counts = {}
    for letter in text:
        counts[letter] = counts.get(letter, 0) + 1
    lines = []
    for letter in sorted(counts.keys()):
        lines.append('%s=%d' % (letter, counts[letter]))
    return lines


def check():
    assert double(2) == 4 and double(2, times=3) == 6
    basket = Basket(['a'], 'ann')
    assert basket.describe() == "Basket of 'ann': 1" and Basket().names == []
    assert longest_gap([1, 4, 6]) == 3 and longest_gap([4]) == 0
    assert padded([['a', 1], ['b']]) == "a 1 \nb "
    assert price('tea') == 3 and price('gin') == -1
    assert visited('x') == '1 visits' and visited('x') == '2 visits'
    assert plain('the_end.txt') == '<end>' and plain('end') == '<end>'
    assert positive([1, 2]) == [2, 3] and positive([0]) is None
    assert parse('4') == 8 and parse('x') is None
    assert month('feb') == 28 and month('feb', True) == 29 and month('sep') == 30
    assert month('sep', True) == 31 and month('jun') == 30 and month('may') == 31
    assert is_small(1, 2) is True and is_small(0, 1) is False and is_small(1, 0) is False
    assert report(2, ['a', 'b']) == '|21/a,b|'
    assert letters('aab') == ['a=2', 'b=1']
    assert math.pi > 3
