# ruff: noqa
# fmt: off
import re
import string
import json
from io import open


def words(text):
    found = list()
    for word in re.split("\W+", text):
        if word != '':
            found.append(word.lower())
    return found


def counts(text):
    result = dict()
    for word in words(text):
        if word in result:
            result[word] = result[word] + 1
        else:
            result[word] = 1
    return result


def longest(text):
    best = ''
    for word in words(text):
        if len(word) > len(best):
            best = word
    return best


def is_question(line):
    return line.endswith('?') or line.endswith('!')


def kind(char):
    if char == 'a' or char == 'e' or char == 'i':
        return 'vowel'
    elif char in string.digits:
        return 'digit'
    else:
        return 'other'


def indented(lines, by):
    out = []
    for line in lines:
        out.append('%s%s' % (' ' * by, line))
    return '\n'.join([line for line in out])


def save(path, values):
    with open(path, 'w') as target:
        target.write(str(json.dumps(values)))


def load(path):
    with open(path, 'r') as source:
        with open(path, 'r') as again:
            assert source.read() == again.read()
    with open(path, 'r') as source:
        data = json.load(source)
        return data


def initials(names):
    return ''.join([name[0] for name in names])


def describe(n):
    text = 'many' if n > 3 else 'few'
    return 'There are %s (%5.1f) of %r: %d%%' % (text, n, 'x', n)


def check():
    import os
    import tempfile
    assert words("Hello, old World") == ["hello", "old", "world"]
    assert counts("a b A") == {"a": 2, "b": 1}
    assert longest("a bcd efg") == "bcd"
    assert is_question("so?") and is_question("so!") and not is_question("so")
    assert [kind(c) for c in "a1x"] == ["vowel", "digit", "other"]
    assert indented(["a", "b"], 2) == "  a\n  b"
    handle, path = tempfile.mkstemp()
    os.close(handle)
    save(path, [1, 2])
    assert load(path) == [1, 2]
    os.remove(path)
    assert initials(["ab", "cd"]) == "ac"
    assert describe(5) == "There are many (  5.0) of 'x': 5%"
