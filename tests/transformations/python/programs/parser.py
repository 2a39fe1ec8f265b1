# ruff: noqa
# fmt: off
import sys


class Token(object):
    __slots__ = ('kind', 'value')

    def __init__(self, kind, value):
        self.kind, self.value = kind, value

    def __eq__(self, other):
        if not isinstance(other, Token):
            return NotImplemented
        return (self.kind, self.value) == (other.kind, other.value)

    def __ne__(self, other):
        return not self == other


def tokens(text):
    place = 0
    while place < len(text):
        char = text[place]
        if char == ' ':
            place += 1
            continue
        elif char.isdigit():
            end = place
            while end < len(text) and text[end].isdigit():
                end += 1
            yield Token('number', int(text[place:end]))
            place = end
        elif char in ['+', '-', '*', '/', '(', ')']:
            yield Token('op', char)
            place += 1
        else:
            raise SyntaxError('at {}: {!r}'.format(place, char))


class Parser(object):
    def __init__(self, text):
        self.all = list(tokens(text))
        self.at = 0

    def peek(self):
        if self.at < len(self.all):
            return self.all[self.at]

    def take(self, *values):
        token = self.peek()
        if token is not None and token.kind == 'op' and token.value in values:
            self.at += 1
            return token.value
        return None

    def sum(self):
        left = self.product()
        while True:
            op = self.take('+', '-')
            if op is None:
                return left
            right = self.product()
            if op == '+':
                left = left + right
            else:
                left = left - right

    def product(self):
        left = self.atom()
        while True:
            op = self.take('*', '/')
            if op == None:
                break
            right = self.atom()
            left = left * right if op == '*' else left / right
        return left

    def atom(self):
        if self.take('('):
            value = self.sum()
            assert self.take(')')
            return value
        token = self.peek()
        self.at += 1
        result = token.value
        return result


def evaluate(text):
    return Parser(text).sum()


def check():
    assert evaluate("1 + 2 * (3 - 1)") == 5
    assert evaluate("8 / 4 - 1") == 1.0
    try:
        list(tokens("1 ?"))
    except SyntaxError as error:
        assert error.args[0] == "at 2: '?'"
    else:
        assert False
    assert Token("a", 1) == Token("a", 1) and Token("a", 1) != Token("a", 2)
    assert (Token("a", 1) == None) is False
