# ruff: noqa
# fmt: off
from __future__ import with_statement, absolute_import
import contextlib
import os, tempfile
import socket
import csv
import errno


class Journal(object):
    def __init__(self, path):
        self.path = path

    def lines(self):
        result = []
        with open(self.path, "r") as source:
            for line in source.readlines():
                result.append(line.rstrip(u"\n"))
        return result

    def write(self, *entries):
        with open(self.path, mode="a") as target:
            for entry in entries:
                target.write("%s\n" % (entry,))

    def size(self):
        try:
            return os.path.getsize(self.path)
        except EnvironmentError as error:
            if error.errno != errno.ENOENT:
                raise
            return 0

    def remove(self):
        try:
            os.remove(self.path)
        except OSError:
            pass


def reachable(host, connect):
    try:
        connect(host)
    except (socket.error, IOError, OSError):
        return False
    else:
        return True


def rows(text):
    return [row for row in csv.reader(text.splitlines())]


def numbered(values):
    i = 0
    out = {}
    for value in values:
        out[value] = i
        i += 1
    return out


def find(values, wanted):
    for value in values:
        if value == wanted:
            break
    else:
        return "missing"
    return "found"


def total(values):
    result = 0
    for value in values:
        result += value
    else:
        result += 100
    return result


def check():
    folder = tempfile.mkdtemp()
    journal = Journal(os.path.join(folder, "log"))
    assert journal.size() == 0
    journal.write("a", ("b",))
    assert journal.lines() == ["a", "('b',)"] and journal.size() == 9
    journal.remove()
    journal.remove()
    os.rmdir(folder)

    def fail(host):
        raise socket.timeout(host)
    assert not reachable("x", fail) and reachable("x", len)
    assert rows("a,b\nc,d") == [["a", "b"], ["c", "d"]]
    assert numbered("ab") == {"a": 0, "b": 1}
    assert find([1], 1) == "found" and find([1], 2) == "missing"
    assert total([1, 2]) == 103
