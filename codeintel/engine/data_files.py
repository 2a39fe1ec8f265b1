"""Read the bundled tables and rules in YAML or TOML, and check each against a type.

A duplicate key is an error, because otherwise the last one would silently win.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    import yaml

T = TypeVar("T")


class DataFileError(ValueError):
    """A file cannot be read or has invalid content.

    The message names the file and the place in it.
    """


def read_data(path: Path, type_: type[T]) -> T:
    """Read a file, `*.toml` or YAML.

    :raises DataFileError: if the file does not exist, does not parse, has a duplicate key, or does
        not match the type.
    """
    try:
        document = _READERS.get(path.suffix, _read_yaml)(path.read_text("utf-8"))
        return msgspec.convert(document, type_)
    except OSError as error:
        raise DataFileError(f"{path.name}: {error.strerror}") from None
    except ValueError as error:  # raised by UTF-8 decoding, the parsers and msgspec
        raise DataFileError(f"{path.name}: {error}") from None


def _read_toml(text: str) -> object:
    import tomllib

    return tomllib.loads(text)


def _read_yaml(text: str) -> object:
    import yaml

    try:
        return yaml.load(text, _loader())  # noqa: S506 - a safe loader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" (at line {mark.line + 1}, column {mark.column + 1})" if mark else ""
        raise ValueError(f"{error.problem}{place}") from None
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


_READERS = {".toml": _read_toml}


@cache
def _loader() -> type[yaml.SafeLoader]:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc] # which of the two is known at run time only
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
            seen = set()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise yaml.constructor.ConstructorError(
                        None, None, "a key must be a single value", key.start_mark
                    )
                if (key.tag, key.value) in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} is defined twice", key.start_mark
                    )
                seen.add((key.tag, key.value))
            return super().construct_mapping(node, deep)

    return Loader
