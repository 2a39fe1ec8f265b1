"""Code to analyze: a module as bad as one meets them, and hostile text."""

from __future__ import annotations

BAD_MODULE = '''\
"""Orders: naïve on purpose — every sin here is one that people commit."""
import hashlib
import json
import os
import pickle
import random
import sqlite3
import subprocess
import tempfile

import requests
import yaml

DB_PASSWORD = "Tr0ub4dor&3x!"
API_TOKEN = os.environ.get("API_TOKEN")
GITHUB = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
STRIPE_KEY = "sk_test_" + "0" * 24
PLACEHOLDER_PASSWORD = "changeme"


def find_order(connection, customer):
    cursor = connection.cursor()
    cursor.execute("SELECT * FROM orders WHERE customer = '%s'" % customer)
    return cursor.fetchall()


def run(command, options={}):
    é = "é"; subprocess.call(command + é, shell=True)
    return options


def load(path):
    try:
        with open(path, "rb") as stream:
            return pickle.load(stream)
    except:
        pass


def configure(text):
    settings = yaml.load(text)
    password_hash = hashlib.md5(settings["user"].encode()).hexdigest()
    unused = 1
    assert (settings, "settings must not be empty")
    return eval(settings["expression"]), password_hash


def fetch(url, retries=[]):
    response = requests.get(url, verify=False)
    if response.status_code is 200:
        return response.json()
    raise NotImplemented


def classify(order):
    if order.total > 100:
        if order.country == "DE":
            if order.vat:
                kind = "a"
            elif order.net:
                kind = "b"
            else:
                kind = "c"
        elif order.country == "FR":
            kind = "d"
        elif order.country == "IT":
            kind = "e"
        else:
            kind = "f"
    elif order.items and order.weight or order.volume:
        for item in order.items:
            if item.broken:
                kind = "g"
            while item.parts:
                item.parts.pop()
        kind = "h"
    else:
        kind = undefined_kind
    return kind


class Basket:
    def __init__(self):
        self.name = tempfile.mktemp()
        self.id = random.randint(0, 10**6)

    def squares(self):
        out = []
        for number in range(10):
            out.append(number**2)
        return out
'''

HOSTILE = {
    "nul": "import os\x00\nx = 1\n",
    "brackets": "(" * 10_000,
    "closed brackets": "(" * 10_000 + ")" * 10_000,
    "sum": "1+" * 49_999 + "1",
    "minus": "-" * 99_999 + "1",
    "attributes": "a" + ".b" * 49_000,
    "one line": "x = '" + "a" * 99_990 + "'",
    "spaces": "x" + " " * 99_990 + "?",
    "quotes": '"' * 99_999,
    "backslashes": "'" + "\\" * 99_998,
    "bmp": "é𝄞" * 50_000,
    "password": 'password="' * 10_000,
    "password name": "password" * 12_500,
    "password spaces": ("password" + " " * 20 + ":" + " " * 20) * 2_000,
    "password words": ("password: " + "a" * 40 + " ") * 1_900,
    "unclosed value": "token='" + "a\\'" * 33_000,
    "get password": 'get("password",' * 6_600,
    "jwt": "eyJ" * 33_333,
    "jwt dots": ("eyJ" + "a" * 20 + ".") * 4_000,
    "url": "a://" * 25_000,
    "url letters": "a" * 99_000 + "://",
    "url colons": "postgres://u:" * 7_500,
    "key headers": "-----BEGIN RSA PRIVATE KEY-----" * 3_200,
    "dashes": "-----BEGIN " + "A" * 99_000,
    "bearer": "Bearer " * 14_000,
    "openai": "sk-" * 33_000,
    "def": "def f():0\n" * 10_000,
    "lines": "\n" * 100_000,
    "carriage returns": "x=1\r" * 25_000,
    "surrogate": "x = '\ud800'\n",
    "mark": "\ufeffimport os\n",
    "coding": "# -*- coding: latin-1 -*-\nx = 'é' + eval(input())\n",
    "unknown coding": "# -*- coding: nonsense -*-\neval(input())\n",
    "evals": "eval(x);" * 12_500,
}
