"""A Python module that reads a log, among other functions, and a good model's rewrite of it."""

from __future__ import annotations

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
ODDS = ("python", _ODDS, _ODDS_REFACTORED)
