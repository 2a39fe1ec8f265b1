# ruff: noqa
# fmt: off
"""Code that resembles other code, and must stay unchanged."""
log = []


def note(value):
    log.append(value)
    return value


class Stack(object):
    def __init__(self):
        self.values = [1, 2]

    def pop(self):
        return self.values.pop()

    def __str__(self):
        return str(self.values)


class Loud(object):
    def __eq__(self, other):
        note('eq')
        return True

    def __bool__(self):
        return False

    def keys(self):
        return ['only']

    def __contains__(self, key):
        return False


def ordered():
    stack = Stack()
    return "%s %s" % (stack, stack.pop())


def formatted():
    stack = Stack()
    return "{} {}".format(stack, stack.pop())


def equal(x):
    if x == None:
        return True
    return False


def known(x, key):
    if key in x.keys():
        return 'yes'
    return 'no'


def some():
    return any([note(n) > 1 for n in (1, 2, 3)])


def fallback(value):
    return '%s' % value


def reversed_by(pairs):
    return list(reversed(sorted(pairs, key=lambda pair: pair[0])))


def filled():
    out = []
    try:
        for n in [1, 2, 0, 3]:
            out.append(6 // n)
    except ZeroDivisionError:
        pass
    return out


def last_of(values):
    found = []
    for value in values:
        found.append(value)
    return value, found


def first_seen(values):
    seen = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return seen


def check():
    # Python 3.11 formats as it goes; earlier ones when all values are there.
    assert ordered() in ("[1] 2", "[1, 2] 2") and formatted() == "[1] 2"
    assert equal(Loud()) and log.pop() == 'eq'
    assert known(Loud(), 'only') == 'yes'
    assert some() and log == [1, 2, 3]
    assert fallback((1,)) == '1'
    assert reversed_by([(1, 'a'), (1, 'b')]) == [(1, 'b'), (1, 'a')]
    assert filled() == [6, 3]
    assert last_of([1, 2]) == (2, [1, 2])
    assert first_seen([1, 1, 2]) == [1, 2]
