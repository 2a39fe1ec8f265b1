# ruff: noqa
# fmt: off
import os
import sys
import textwrap
import subprocess
from collections import namedtuple
from typing import Any, Dict, List, NamedTuple, Optional, Text, Type, Union

try:
    import configparser
except ImportError:
    import ConfigParser as configparser

Point = namedtuple('Point', ['x', 'y'])
Value = Union[str, int, None]
DEFAULTS = dict(host='localhost', port=80, paths=list(('a', 'b')))
PY2 = sys.version_info[0] == 2

if sys.version_info >= (3, 0):
    text_type = str
else:
    text_type = unicode


class Meta(type):
    def __new__(mcs, name, bases, namespace):
        cls = super(Meta, mcs).__new__(mcs, name, bases, namespace)
        cls.members = sorted(namespace.keys())
        return cls


class Settings(object, metaclass=Meta):
    def __init__(self, values: Optional[Dict[str, Any]] = None, **more: Any) -> None:
        self._values = dict(DEFAULTS)
        self._values.update(values or {})
        self._values.update(**{'more': more})

    def __getattr__(self, name: Text) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name)

    def get(self, name: str, default: Value = None) -> Value:
        value = self._values[name] if name in self._values else default
        return value

    def names(self) -> List[str]:
        return [name for name in sorted(list(self._values.keys()))]

    @classmethod
    def of(cls: Type["Settings"], text: str) -> "Settings":
        parser = configparser.ConfigParser()
        parser.read_string(textwrap.dedent(text))
        return cls(dict([(k, v) for k, v in parser.items('main')]))

    def __bool__(self):
        if self._values:
            return True
        return False


def level(number):
    if number >= 10:
        if number < 100:
            return 'middle'
    if number >= 100:
        return 'high'
    elif number < 0:
        return
    return 'low'


def check():
    settings = Settings({'port': 81}, a=1)
    assert settings.port == 81 and settings.host == 'localhost' and settings.more == {'a': 1}
    assert settings.get('none') is None and settings.get('none', 2) == 2
    assert settings.names() == ['host', 'more', 'paths', 'port'] and settings
    assert Settings.of("[main]\nx = 1\n").x == '1' and 'get' in Settings.members
    assert getattr(settings, '_none', 5) == 5
    assert [level(n) for n in (5, 50, 500, -1)] == ['low', 'middle', 'high', None]
    assert Point(1, 2).x == 1 and not PY2 and text_type is str
