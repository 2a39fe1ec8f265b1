"""Find the file, or the files, that an import means, by the rules of its language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from codeintel.engine.dataflow.project.records import FileSummary

MAX_FOLDERS = 40
"""Maximum number of folders above a file in which its imports are looked for."""
_SCRIPTS = (".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_FAMILIES = {"typescript": "javascript"}


def family(language: str) -> str:
    """Return the name that languages share whose files can import each other."""
    return _FAMILIES.get(language, language)


def folder_of(path: str) -> str:
    """Return the folder of a path, without a slash at its end."""
    return path.rpartition("/")[0]


class Modules:
    """The files of a project, by the names that imports give them."""

    def __init__(self, summaries: Mapping[str, FileSummary]) -> None:
        self._files = summaries
        self._folders: dict[str, list[str]] = {}
        """Go's files, by folder."""
        self._go_by_last: dict[str, list[str]] = {}
        """Go's folders, by their own name."""
        self.packages: dict[tuple[str, str], list[str]] = {}
        """The files of a package or namespace, by language family and name."""
        for path, each in summaries.items():
            if each.language == "go":
                self._folders.setdefault(folder_of(path), []).append(path)
            if each.package:
                key = family(each.language), each.package
                self.packages.setdefault(key, []).append(path)
        for folder in self._folders:
            self._go_by_last.setdefault(folder.rpartition("/")[2], []).append(folder)

    def python(self, importer: str, module: str) -> str:
        """Return the file or the folder of a Python module, or an empty text."""
        dots = len(module) - len(module.lstrip("."))
        parts = [each for each in module[dots:].split(".") if each]
        if dots:
            folder = importer
            for _ in range(dots):
                if not folder and _ > 0:
                    return ""
                folder = folder_of(folder)
            return self._python_at(folder, parts)
        for folder in _above(importer):
            for root in (folder, f"{folder}/src" if folder else "src"):
                if found := self._python_at(root, parts):
                    return found
        return ""

    def _python_at(self, folder: str, parts: list[str]) -> str:
        base = "/".join([*([folder] if folder else []), *parts])
        for candidate in (f"{base}.py", f"{base}/__init__.py" if base else "__init__.py"):
            if candidate in self._files:
                return candidate
        return ""

    def python_package(self, importer: str, module: str, name: str) -> str:
        """Return the file of a module in a Python package, with or without `__init__.py`."""
        dotted = f"{module}{name}" if module.endswith(".") else f"{module}.{name}"
        return self.python(importer, dotted)

    def javascript(self, importer: str, module: str) -> str:
        """Return the file of a JavaScript or TypeScript module, or an empty text."""
        if module.startswith("."):
            return self._script(_joined(folder_of(importer), module))
        if module.startswith(("@/", "~/")):
            rest = module.partition("/")[2]
            for folder in _above(importer):
                for root in ("src/", ""):
                    base = f"{folder}/{root}{rest}" if folder else f"{root}{rest}"
                    if found := self._script(base):
                        return found
            return ""
        if module.startswith("src/"):
            for folder in _above(importer):
                if found := self._script(f"{folder}/{module}" if folder else module):
                    return found
        return ""

    def _script(self, base: str | None) -> str:
        if base is None:
            return ""
        stem, dot, extension = base.rpartition(".")
        names = [base, *(base + each for each in _SCRIPTS)]
        if dot and f".{extension}" in _SCRIPTS:
            names += [stem + each for each in _SCRIPTS]
        names += [f"{base}/index{each}" if base else f"index{each}" for each in _SCRIPTS]
        return next((each for each in names if each in self._files), "")

    def go(self, importer: str, module: str) -> list[str]:
        """Return the files of a Go package, which is a folder.

        The name of the module is not known. The folder that shares most of the path's end is the
        package, among several the one nearest to the importer.
        """
        parts = module.split("/")
        best: tuple[int, int, str] | None = None
        for folder in self._go_by_last.get(parts[-1], ()):
            own = folder.split("/")
            shared = _shared(reversed(own), reversed(parts))
            whole = shared == len(own)
            if shared < 1 or (not whole and "." not in parts[0]):
                continue
            near = _shared(iter(own), iter(importer.split("/")))
            rank = (shared, near, folder)
            if best is None or rank > best:
                best = rank
        return self._folders[best[2]] if best is not None else []

    def siblings(self, path: str) -> list[str]:
        """Return the files of the same Go package."""
        package = self._files[path].package
        return [
            e for e in self._folders.get(folder_of(path), ()) if self._files[e].package == package
        ]


def _above(path: str) -> Iterator[str]:
    folder = folder_of(path)
    for _ in range(MAX_FOLDERS):
        yield folder
        if not folder:
            return
        folder = folder_of(folder)


def _joined(folder: str, relative: str) -> str | None:
    """Return the path that a relative one means, or None if it leaves the project."""
    parts = folder.split("/") if folder else []
    for each in relative.split("/"):
        if each in ("", "."):
            continue
        if each != "..":
            parts.append(each)
        elif not parts:
            return None
        else:
            parts.pop()
    return "/".join(parts)


def _shared(one: Iterable[str], other: Iterable[str]) -> int:
    """Return the number of equal elements at the start of both."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count
