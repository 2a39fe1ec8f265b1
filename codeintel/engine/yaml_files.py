"""Reading the YAML files that ship: a key that stands twice is an error, not the last one's win."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml


class YamlFileError(ValueError):
    """A file is no YAML, or has a key twice; the message names the file and the place in it."""


def read_yaml(path: Path) -> object:
    """The document in a file.

    :raises YamlFileError: if it cannot be read as one.
    """
    import yaml

    try:
        return yaml.load(path.read_text(), _loader())  # noqa: S506 - a safe loader
    except yaml.YAMLError as error:
        raise YamlFileError(f"{path.name}: {error}") from None


@cache
def _loader() -> type[yaml.SafeLoader]:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc] # which of the two is known at run time only
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
            seen = set()
            for key, _ in node.value:
                if key.value in seen and isinstance(key, yaml.ScalarNode):
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} stands there twice", key.start_mark
                    )
                seen.add(key.value if isinstance(key, yaml.ScalarNode) else id(key))
            return super().construct_mapping(node, deep)

    return Loader
