"""The declarations of all files of a project, by name."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from codeintel.engine.dataflow.project.modules import family
from codeintel.engine.dataflow.project.records import (
    ClassSummary,
    FileSummary,
    FunctionSummary,
    Import,
)


class Sort(StrEnum):
    """The kinds of things that a name can mean."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    VARIABLE = "variable"


class Entity(NamedTuple):
    """A thing with a name: a file, a class, a function by its number, or a variable or field."""

    sort: Sort
    path: str
    name: str = ""
    number: int = -1


class Index:
    """The classes, functions and imports of all files. Languages never see each other's."""

    def __init__(self, summaries: Mapping[str, FileSummary]) -> None:
        self.files = summaries
        self.imports: dict[str, dict[str, Import]] = {}
        self.classes: dict[tuple[str, str], list[tuple[str, ClassSummary]]] = {}
        """By language family and name."""
        self.heirs: dict[tuple[str, str], list[tuple[str, ClassSummary]]] = {}
        """The classes that extend or implement a class, by language family and its name."""
        self._functions: dict[tuple[str, str, str], list[tuple[str, int]]] = {}
        """By language family, owner and name."""
        self._methods: dict[tuple[str, str], list[tuple[str, int]]] = {}
        """All methods, by language family and name."""
        self._written: dict[str, set[str]] = {}
        for path, each in summaries.items():
            self._add(path, each)

    def _add(self, path: str, summary: FileSummary) -> None:
        language = family(summary.language)
        self.imports[path] = {each.local: each for each in summary.imports}
        self._written[path] = {each.target for each in summary.writes}
        for found in summary.classes:
            self.classes.setdefault((language, found.name), []).append((path, found))
            for base in found.bases:
                key = language, base.rpartition(".")[2]
                self.heirs.setdefault(key, []).append((path, found))
        for number, function in enumerate(summary.functions):
            place = path, number
            named = language, function.owner, function.name
            self._functions.setdefault(named, []).append(place)
            if function.owner:
                self._methods.setdefault((language, function.name), []).append(place)

    def language(self, path: str) -> str:
        """Return the language family of a file."""
        return family(self.files[path].language)

    def function(self, entity: Entity) -> FunctionSummary:
        """Return the summary of a function."""
        return self.files[entity.path].functions[entity.number]

    def functions(self, language: str, owner: str, name: str) -> list[Entity]:
        """Return the functions of all files with a name and an owner, which may be empty."""
        known = self._functions.get((language, owner, name), ())
        return [Entity(Sort.FUNCTION, where, name, number) for where, number in known]

    def methods(self, language: str, name: str) -> list[Entity]:
        """Return the methods of all classes with a name."""
        known = self._methods.get((language, name), ())
        return [Entity(Sort.FUNCTION, where, name, number) for where, number in known]

    def own(self, path: str, name: str) -> list[Entity]:
        """Return the class, the functions or the variable that a file itself declares."""
        language = self.language(path)
        if any(where == path for where, _ in self.classes.get((language, name), ())):
            return [Entity(Sort.CLASS, path, name)]
        found = [each for each in self.functions(language, "", name) if each.path == path]
        if found:
            return found
        known = name in self.files[path].variables
        return [Entity(Sort.VARIABLE, path, name)] if known else []

    def in_package(self, language: str, package: str, name: str) -> list[Entity]:
        """Return the classes of a package or namespace with a name."""
        return [
            Entity(Sort.CLASS, where, name)
            for where, _ in self.classes.get((language, name), ())
            if self.files[where].package == package
        ]

    def methods_of(self, entity: Entity, name: str) -> list[Entity]:
        """Return a class's own methods with a name, including those in its other files."""
        language = self.language(entity.path)
        found = self.functions(language, entity.name, name)
        here = [each for each in found if each.path == entity.path]
        if here or language in ("python", "javascript"):
            return here
        package = self.files[entity.path].package
        return [e for e in found if language == "ruby" or self.files[e.path].package == package]

    def field_type(self, path: str, owner: str, name: str) -> str:
        """Return the type of a field as its class names it, or an empty text."""
        for where, found in self.classes.get((self.language(path), owner), ()):
            if where == path and name in found.fields:
                return found.fields[name]
        return ""

    def has_field(self, entity: Entity, name: str) -> bool:
        """Return whether a class declares or sets a field."""
        written = f"{entity.name}.{name}" in self._written[entity.path]
        return written or bool(self.field_type(entity.path, entity.name, name))
