"""Find the functions and variables that the dotted names in summaries mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from codeintel.engine.dataflow.project.index import Entity, Index, Sort
from codeintel.engine.dataflow.project.modules import Modules
from codeintel.engine.dataflow.project.records import FileSummary, Import
from codeintel.engine.dataflow.project.summarizing.paths import SUPER, UNKNOWN, is_library

MAX_CANDIDATES = 4
"""Maximum number of functions that one call may mean, such as those of several subclasses."""
MAX_DEPTH = 25
"""Maximum number of hops for one name: re-exports, bases, types of fields."""
_CONSTRUCTORS = ("__init__", "constructor", "__construct", "initialize")
_GLOBAL = frozenset({"ruby", "php"})
"""Languages whose classes are visible everywhere, because a program loads them by name."""
_PACKAGED = frozenset({"java", "csharp", "php"})


class Resolver:
    """Resolves names in the files of one project.

    :ivar steps: the number of lookups so far, for budgets.
    """

    def __init__(self, summaries: Mapping[str, FileSummary]) -> None:
        self._files = summaries
        self._modules = Modules(summaries)
        self.index = Index(summaries)
        self.steps = 0

    def callees(self, path: str, target: str, count: int) -> list[Entity]:
        """Return the functions that a call may mean, or none.

        :param count: the number of arguments.
        """
        found: list[Entity] = []
        if not target.startswith(UNKNOWN):
            for entity in self._walk(path, target):
                found += self._called(entity, 0)
        if not found and self._may_guess(path, target):
            found = self._only_method(path, target.rpartition(".")[2], count)
        return self._exact(list(dict.fromkeys(found)), count)[:MAX_CANDIDATES]

    def variables(self, path: str, target: str) -> list[Entity]:
        """Return the variables or fields that a name means."""
        return [e for e in self._walk(path, target) if e.sort is Sort.VARIABLE][:MAX_CANDIDATES]

    def is_external(self, path: str, target: str) -> bool:
        """Return whether a name belongs to an import that is no file of the project."""
        head = target.partition(".")[0]
        found = self.index.imports[path].get(head)
        return found is not None and not self._imported(path, found, 0)

    def _exact(self, found: list[Entity], count: int) -> list[Entity]:
        """Return the functions with as many parameters as arguments, or all if none has."""
        exact = [e for e in found if len(self.index.function(e).parameters) == count]
        return exact or found

    def _may_guess(self, path: str, target: str) -> bool:
        head, dot, _ = target.partition(".")
        if not dot:
            return False
        found = self.index.imports[path].get(head)
        return found is None or not is_library(found.module, self._files[path].language)

    def _only_method(self, path: str, name: str, count: int) -> list[Entity]:
        """Return the only method of the project with a name, for objects of unknown type."""
        found = self.index.methods(self.index.language(path), name)
        if len(found) > MAX_CANDIDATES:
            return []
        found = [each for each in found if self.index.function(each).has_body]
        found = [e for e in found if len(self.index.function(e).parameters) == count]
        return found if len(found) == 1 else []

    def _walk(self, path: str, target: str) -> list[Entity]:
        """Return what a dotted name means, part by part."""
        head, *rest = target.split(".")
        called = head.endswith("()")
        found = self._lookup(path, head.removesuffix("()"), 0)
        if called:
            found = self._results(found, 0)
        for part in rest[:MAX_DEPTH]:
            name = part.removesuffix("()")
            found = [each for entity in found for each in self._member(entity, name, 0)]
            found = list(dict.fromkeys(found))[:MAX_CANDIDATES]
            if part.endswith("()"):
                found = self._results(found, 0)
        return found

    def _lookup(self, path: str, name: str, depth: int) -> list[Entity]:
        """Return what a name means in a file."""
        self.steps += 1
        if depth > MAX_DEPTH or not name:
            return []
        imported = self.index.imports[path].get(name)
        own = self.index.own(path, name)
        if own and (imported is None or own[0].sort is not Sort.VARIABLE):
            return own
        language = self.index.language(path)
        if imported is not None:
            found = self._imported(path, imported, depth + 1)
            if found or language not in _PACKAGED:
                return found
        if star := self._from_stars(path, name, depth):
            return star
        return self._around(path, language, name)

    def _from_stars(self, path: str, name: str, depth: int) -> list[Entity]:
        summary = self._files[path]
        language = self.index.language(path)
        for each in summary.imports:
            if each.local != "*":
                continue
            self.steps += 1
            if language == "python":
                module = self._modules.python(path, each.module)
                found = self._lookup(module, name, depth + 5) if module else []
            else:
                found = self.index.in_package(language, each.module, name)
            if found:
                return found
        return []

    def _around(self, path: str, language: str, name: str) -> list[Entity]:
        """Return what a name means in the same package, or everywhere."""
        self.steps += 1
        if language == "go":
            found = [e for each in self._modules.siblings(path) for e in self.index.own(each, name)]
            return found[:MAX_CANDIDATES]
        package = self._files[path].package
        if language in _PACKAGED and (found := self.index.in_package(language, package, name)):
            return found
        while language == "csharp" and "." in package:
            package = package.rpartition(".")[0]
            if found := self.index.in_package(language, package, name):
                return found
        last = name.rpartition("::")[2]
        if language in _GLOBAL or language in _PACKAGED:
            classes = self.index.classes.get((language, last), ())
            if classes:
                paths = dict.fromkeys(where for where, _ in classes)
                return [Entity(Sort.CLASS, where, last) for where in paths][:MAX_CANDIDATES]
        if language in _GLOBAL:
            return self.index.functions(language, "", last)[:MAX_CANDIDATES]
        return []

    def _imported(self, path: str, found: Import, depth: int) -> list[Entity]:
        """Return what an import means."""
        self.steps += 1
        if depth > MAX_DEPTH:
            return []
        language = self.index.language(path)
        if language == "python":
            return self._python(path, found, depth)
        if language == "javascript":
            module = self._modules.javascript(path, found.module)
            if not module:
                return []
            if not found.name:
                return [Entity(Sort.MODULE, module)]
            return self._exported(module, found.name, depth)
        if language == "go":
            return [Entity(Sort.MODULE, e) for e in self._modules.go(path, found.module)[:200]]
        if found.name:  # Java's static import
            owner = self._qualified(language, found.module)
            return [e for each in owner for e in self._member(each, found.name, depth + 1)]
        return self._qualified(language, found.module)

    def _python(self, path: str, found: Import, depth: int) -> list[Entity]:
        module = self._modules.python(path, found.module)
        if not found.name:
            return [Entity(Sort.MODULE, module)] if module else []
        if module and (own := self._lookup(module, found.name, depth + 1)):
            return own
        below = self._modules.python_package(path, found.module, found.name)
        return [Entity(Sort.MODULE, below)] if below else []

    def _qualified(self, language: str, full: str) -> list[Entity]:
        """Return the classes or functions with a full name."""
        package, _, name = full.rpartition(".")
        found = self.index.in_package(language, package, name)
        if not found and language == "php":
            found = self.index.functions(language, "", name)
        if not found and package:
            outer = self.index.in_package(language, *_split(package))
            found = [e for each in outer for e in self._member(each, name, MAX_DEPTH - 2)]
        return found[:MAX_CANDIDATES]

    def _exported(self, module: str, name: str, depth: int) -> list[Entity]:
        """Return what a JavaScript module exports under a name."""
        self.steps += 1
        if depth > MAX_DEPTH:
            return []
        for each in self._files[module].exports:
            if each.local == name:
                if not each.module:
                    if each.name == name == "default":
                        break
                    return self._lookup(module, each.name, depth + 1)
                target = self._modules.javascript(module, each.module)
                if target and each.name:
                    return self._exported(target, each.name, depth + 1)
                return [Entity(Sort.MODULE, target)] if target else []
        if own := self.index.own(module, name):
            return own
        for each in self._files[module].exports:
            if each.local == "*":
                target = self._modules.javascript(module, each.module)
                found = self._exported(target, name, depth + 3) if target else []
                if found:
                    return found
        if name == "default":
            return [Entity(Sort.MODULE, module)]
        if any(each.local == "default" for each in self._files[module].exports):
            default = self._exported(module, "default", depth + 1)
            return [
                e
                for each in default
                if each.sort is not Sort.MODULE
                for e in self._member(each, name, depth + 1)
            ]
        return []

    def _member(self, entity: Entity, name: str, depth: int) -> list[Entity]:
        """Return the member of something."""
        self.steps += 1
        if depth > MAX_DEPTH:
            return []
        if entity.sort is Sort.CLASS:
            return self._class_member(entity, name, depth)
        if entity.sort is Sort.VARIABLE:
            return [
                e
                for each in self._typed(entity, depth)
                for e in self._member(each, name, depth + 1)
            ]
        if entity.sort is not Sort.MODULE:
            return []
        language = self.index.language(entity.path)
        if language == "javascript":
            return self._exported(entity.path, name, depth + 1)
        found = self._lookup(entity.path, name, depth + 1) if language == "python" else []
        if not found and language == "go":
            found = self.index.own(entity.path, name)
        if not found and language == "python" and entity.path.endswith("__init__.py"):
            below = self._modules.python(entity.path, f".{name}")
            found = [Entity(Sort.MODULE, below)] if below else []
        return found

    def _typed(self, entity: Entity, depth: int) -> list[Entity]:
        """Return the class of a variable or field."""
        owner, dot, name = entity.name.partition(".")
        if not dot:
            type_ = self._files[entity.path].variables.get(entity.name, "")
        else:
            type_ = self.index.field_type(entity.path, owner, name)
        if not type_:
            return []
        return self._walk_type(entity.path, type_, depth + 1)

    def _walk_type(self, path: str, type_: str, depth: int) -> list[Entity]:
        if depth > MAX_DEPTH:
            return []
        head, *rest = type_.split(".")
        found = self._lookup(path, head.removesuffix("()"), depth + 1)
        if head.endswith("()"):
            found = self._results(found, depth + 1)
        for part in rest[:MAX_DEPTH]:
            name = part.removesuffix("()")
            found = [e for each in found for e in self._member(each, name, depth + 2)]
            if part.endswith("()"):
                found = self._results(found, depth + 1)
        return found[:MAX_CANDIDATES]

    def _results(self, found: list[Entity], depth: int) -> list[Entity]:
        """Return the classes of what functions return. A called class makes its objects."""
        made: list[Entity] = []
        for entity in found:
            if entity.sort is Sort.CLASS:
                made.append(entity)
            elif entity.sort is Sort.FUNCTION and depth < MAX_DEPTH:
                function = self.index.function(entity)
                if function.makes in ("self", "static") and function.owner:
                    made.append(Entity(Sort.CLASS, entity.path, function.owner))
                elif function.makes:
                    made += self._walk_type(entity.path, function.makes, depth + 4)
        return made[:MAX_CANDIDATES]

    def _class_member(self, entity: Entity, name: str, depth: int) -> list[Entity]:
        if name == SUPER:
            return list(self._bases(entity, depth))
        if name == "new" and self.index.language(entity.path) == "ruby":
            return [entity]
        own = self.index.methods_of(entity, name)
        with_body = [each for each in own if self.index.function(each).has_body]
        if with_body:
            return with_body
        if self.index.has_field(entity, name):
            return [Entity(Sort.VARIABLE, entity.path, f"{entity.name}.{name}")]
        for base in self._bases(entity, depth):
            found = self._member(base, name, depth + 1)
            if found and not (
                found[0].sort is Sort.FUNCTION and not self.index.function(found[0]).has_body
            ):
                return found
        return self._heirs_methods(entity, name, depth) or own

    def _bases(self, entity: Entity, depth: int) -> Iterator[Entity]:
        language = self.index.language(entity.path)
        for where, found in self.index.classes.get((language, entity.name), ()):
            if where == entity.path or language in ("ruby", "csharp"):
                for base in found.bases:
                    for each in self._walk_type(where, base, depth + 2):
                        if each.sort is Sort.CLASS and each != entity:
                            yield each

    def _heirs_methods(self, entity: Entity, name: str, depth: int) -> list[Entity]:
        """Return the methods of the classes that implement an interface or extend a class."""
        language = self.index.language(entity.path)
        found: list[Entity] = []
        for where, heir in self.index.heirs.get((language, entity.name), ())[:50]:
            self.steps += 1
            child = Entity(Sort.CLASS, where, heir.name)
            if child == entity or len(found) >= MAX_CANDIDATES:
                continue
            own = [e for e in self.index.methods_of(child, name) if self.index.function(e).has_body]
            if not own and depth < MAX_DEPTH - 3:
                own = self._heirs_methods(child, name, depth + 5)
            found += own
        return found

    def _called(self, entity: Entity, depth: int) -> list[Entity]:
        """Return the functions that run if something is called."""
        if entity.sort is Sort.FUNCTION:
            return [entity]
        if depth > 3:
            return []
        if entity.sort is Sort.MODULE:
            if self.index.language(entity.path) != "javascript":
                return []
            default = self._exported(entity.path, "default", 0)
            return [e for each in default if each != entity for e in self._called(each, depth + 1)]
        if entity.sort is Sort.CLASS:
            for name in (*_CONSTRUCTORS, entity.name):
                if found := self.index.methods_of(entity, name):
                    return found
            return [e for base in self._bases(entity, 0) for e in self._called(base, depth + 1)]
        return []


def _split(full: str) -> tuple[str, str]:
    package, _, name = full.rpartition(".")
    return package, name
