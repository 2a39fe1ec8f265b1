"""Summarize a file: interpret it once, and keep what other files need to know."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.contracts import Range
from codeintel.contracts.positions import LineTable
from codeintel.engine.dataflow.interpreting.interpreter import SELVES, Hit, Interpreter
from codeintel.engine.dataflow.interpreting.invoking import is_predicate, refuses, returned_values
from codeintel.engine.dataflow.interpreting.statements import run
from codeintel.engine.dataflow.ir import (
    Call,
    Closure,
    Function,
    Member,
    Name,
    Param,
)
from codeintel.engine.dataflow.lowering.csharp import SETS
from codeintel.engine.dataflow.lowering.programs import lower
from codeintel.engine.dataflow.project.quoting import (
    digest_of,
    function_of,
    identifier_of,
    key_of,
    name_of,
    path_of,
    template_of,
    words_of,
)
from codeintel.engine.dataflow.project.records import (
    SOURCES,
    Atom,
    AtomKind,
    ClassSummary,
    FileSummary,
    FunctionSummary,
    GivenValue,
    Parameter,
    PathStep,
    Place,
    Reported,
    SinkHit,
    Site,
    SiteKind,
    Write,
)
from codeintel.engine.dataflow.project.summarizing.closures import assignments, named_closures
from codeintel.engine.dataflow.project.summarizing.declarations import declared_in, plain_type
from codeintel.engine.dataflow.project.summarizing.imports import exports_of, imports_of
from codeintel.engine.dataflow.project.summarizing.paths import (
    UNKNOWN,
    Scope,
    default_type,
    result_type,
)
from codeintel.engine.dataflow.project.summarizing.recorder import (
    MARK,
    RECORDING,
    Recorder,
    mark_of,
)
from codeintel.engine.dataflow.project.summarizing.templates import (
    LANGUAGE,
    outputs_of,
    template_ending,
)
from codeintel.engine.dataflow.project.summarizing.wiring import captured_by
from codeintel.engine.dataflow.table import load_table, sink_classes
from codeintel.engine.dataflow.tree import Span, Tree, parse, text_of
from codeintel.engine.dataflow.values import Kind, Label, Value

LANGUAGES = frozenset({"python", "javascript", "typescript", "java", "go", "php", "ruby", "csharp"})
"""The languages whose files can be linked."""
MAX_TEXT = 120
"""Maximum number of characters of an expression that its digest depends on."""


def summary_kind(path: str, language: str) -> str:
    """Return how a file is summarized, for keys of stored summaries, or an empty text.

    Two files with the same text and the same kind have the same summary.
    """
    ending = template_ending(path)
    return ending or (language if language in LANGUAGES else "")


def summarize(path: str, text: str, language: str) -> FileSummary:
    """Summarize one file of a project.

    The summary depends on the text and the language, and on the path only for templates. Files in
    other languages get an empty summary.

    Code that is nested too deeply for Python's stack gets an empty summary that says so. A caller
    that analyzes such code raises the limit of recursion before, as the taint analyzer does.

    :param path: the relative path with `/`.
    """
    if template_ending(path):
        return FileSummary(LANGUAGE, outputs=outputs_of(path, text))
    if language not in LANGUAGES:
        return FileSummary(language)
    tree = parse(text, language)
    try:
        return Summarizer(tree, text).summary(language)
    except RecursionError:
        return FileSummary(language, unfinished="the code is nested too deeply")


class Summarizer:
    """Interprets one file, and turns what was recorded into a summary.

    :ivar interpreter: the interpreter after the run, which has the findings of the file alone.
    """

    def __init__(self, tree: Tree, text: str) -> None:
        root, language = tree.root, tree.language
        self._language = language
        self._imports = imports_of(root, language)
        self._exports = exports_of(root, language)
        code = text_of(tree)
        self._declared = declared_in(root, language, code)
        names = {each.local: each for each in self._imports}
        scope = Scope(language, names, self._declared, "*" in names)
        self._recorder = Recorder(scope)
        self.interpreter = Interpreter(
            lower(tree, language), load_table(language), code, RECORDING, self._recorder
        )
        self._lines, self._offset = LineTable(text), tree.offset
        self._params: dict[Span, int] = {}
        self._places: dict[Span, Place] = {}
        self._known: dict[Label, Atom | None] = {}
        self._sites: dict[Span, int] = {}
        self._marks: dict[str, int] = {}
        run(self.interpreter)

    def summary(self, language: str) -> FileSummary:
        """Return the summary of the file, in the language that it was sent as."""
        functions = list(self._all_functions())
        count = 0
        firsts = []
        for _, function in functions:
            firsts.append(count)
            for param in _parameters(function):
                self._params[param.span] = count
                count += 1
        uses = self._recorder.uses
        self._sites = {place: number for number, place in enumerate(uses)}
        self._marks = {mark_of(place): number for place, number in self._sites.items()}
        made = tuple(
            self._function(name, function, first)
            for (name, function), first in zip(functions, firsts, strict=True)
        )
        writes = [Write(name, self._atoms(v)) for name, v in self._recorder.writes.items()]
        hits = tuple(self._hits())
        sites = (*(self._site(place) for place in uses), *self._wired())
        unfinished = self.interpreter.exhausted
        if self._recorder.full and not unfinished:
            unfinished = "the file uses too many names of other files"
        return FileSummary(
            language,
            package=self._declared.package,
            imports=self._imports,
            exports=self._exports,
            functions=made,
            classes=tuple(self._classes()),
            variables=self._variables(),
            sites=sites,
            hits=hits,
            writes=tuple(each for each in writes if each.atoms and path_of(each.target)),
            reported=tuple(self._reported()),
            unfinished=unfinished,
        )

    def _all_functions(self) -> Iterator[tuple[str, Function]]:
        for function in self.interpreter.program.functions:
            yield function.name, function
        yield from named_closures(self.interpreter.program.body)

    def _place(self, span: Span) -> Place:
        known = self._places.get(span)
        if known is not None:
            return known
        start, end = (max(0, each - self._offset) for each in span)
        found: Range = self._lines.span(start, end)
        made = Place(found.start_line, found.start_column, found.end_line, found.end_column)
        self._places[span] = made
        return made

    def _text(self, span: Span) -> str:
        found = self.interpreter.text[span.start : min(span.end, span.start + MAX_TEXT)]
        return " ".join(found.split())

    def _atoms(self, value: Value | None) -> tuple[Atom, ...]:
        if not value:
            return ()
        found = [self._atom(label) for label in value.values()]
        return tuple(dict.fromkeys(atom for atom in found if atom is not None))

    def _atom(self, label: Label) -> Atom | None:
        if label not in self._known:
            self._known[label] = self._made_atom(label)
        return self._known[label]

    def _made_atom(self, label: Label) -> Atom | None:
        what = words_of(label.what)
        steps = tuple(PathStep(self._place(each.span), words_of(each.what)) for each in label.steps)
        clean = tuple(sorted(each for each in label.clean if each[0] != MARK))
        marks = [self._marks[each] for each in label.clean if each in self._marks]
        checks = tuple(sorted(marks))
        passed = [self._sites[each] for each in label.via if each in self._sites]
        if label.kind is Kind.FOREIGN:
            passed = []
        via = tuple(sorted(passed))
        if label.kind in (Kind.REMOTE, Kind.LOCAL):
            return Atom(AtomKind(label.kind), 0, what, clean, steps, via, checks)
        if label.origin in self._params:
            index = self._params[label.origin]
            return Atom(AtomKind.PARAMETER, index, what, clean, steps, via, checks)
        if label.kind is Kind.FOREIGN and label.origin in self._sites:
            index = self._sites[label.origin]
            return Atom(AtomKind.RESULT, index, what, clean, steps, via, checks)
        return None

    def _function(self, name: str, function: Function, first: int) -> FunctionSummary:
        makes = result_type(function, self._language) or self._made(function)
        receiver = self._declared.receivers.get(function.span)
        return FunctionSummary(
            identifier_of(name),
            receiver[1] if receiver is not None else function.owner,
            first,
            tuple(
                Parameter(
                    identifier_of(each.name), plain_type(each.type) or default_type(each.decoration)
                )
                for each in _parameters(function)
            ),
            self._atoms(self._recorder.returns.get(function.span)),
            path_of(makes),
            bool(function.body),
            is_predicate(function) or refuses(function),
        )

    def _made(self, function: Function) -> str:
        """Return the class of the objects that a function makes."""
        for value in returned_values(function):
            if isinstance(value, Call):
                frame = self.interpreter.module
                made = self._recorder.paths.made(self.interpreter, value, frame)
                if made not in ("", UNKNOWN):
                    return made
        return ""

    def _classes(self) -> Iterator[ClassSummary]:
        fields: dict[str, dict[str, str]] = {}
        for function in self.interpreter.program.functions:
            if function.owner:
                fields.setdefault(function.owner, {}).update(self._fields(function))
        for each in self._declared.classes:
            found = {**fields.pop(each.name, {}), **each.fields}
            named = {name: path_of(type_) for name, type_ in found.items() if identifier_of(name)}
            yield ClassSummary(each.name, each.bases, named, each.is_open)

    def _fields(self, function: Function) -> Iterator[tuple[str, str]]:
        """Yield the names and types of the fields that a method sets."""
        types = {each.name: plain_type(each.type) for each in function.params}
        for param in function.params:
            if any(word in param.decoration for word in ("private ", "readonly ", "protected ")):
                yield param.name.lstrip("$"), types[param.name]
        for statement in assignments(function.body):
            target, value = statement.target, statement.value
            if isinstance(target, Member) and isinstance(target.object, Name):
                name = target.name if target.object.id in SELVES else ""
            else:
                name = target.id if isinstance(target, Name) and target.id[:1] == "@" else ""
            if not name:
                continue
            made = types.get(value.id, "") if isinstance(value, Name) else ""
            made = made or self._recorder.paths.made(
                self.interpreter, value, self.interpreter.module
            )
            if made not in ("", UNKNOWN):
                yield name, made

    def _variables(self) -> dict[str, str]:
        module, paths = self.interpreter.module, self._recorder.paths
        found = {}
        for name, expr in module.exprs.items():
            if isinstance(expr, Closure) or not path_of(name):
                continue
            made = paths.made(self.interpreter, expr, module)
            found[name] = path_of(made) if made not in (UNKNOWN, name) else ""
        return found

    def _site(self, place: Span) -> Site:
        use = self._recorder.uses[place]
        target = path_of(use.target) or UNKNOWN
        if not isinstance(use.expr, Call):
            return Site(SiteKind.READ, target, self._place(place))
        args = tuple(
            GivenValue(
                _keyword(each.keyword), self._atoms(self.interpreter.seen.get(each.value.span))
            )
            for each in use.expr.args
        )
        callee = use.expr.callee
        object_ = callee.object.span if isinstance(callee, Member) else None
        receiver = self._atoms(self.interpreter.seen.get(object_)) if object_ else ()
        passes = place in self._recorder.folded
        return Site(SiteKind.CALL, target, self._place(place), args, len(args), receiver, passes)

    def _wired(self) -> Iterator[Site]:
        """Yield the values for templates, and the functions that a framework calls."""
        seen = self.interpreter.seen
        for place, rendered in self._recorder.renders.items():
            given = [
                GivenValue(
                    key_of(name), self._atoms(seen.get(each) if isinstance(each, Span) else each)
                )
                for name, each in rendered.values
            ]
            args = tuple(each for each in given if each.atoms and each.keyword)
            template = template_of(rendered.template)
            if args and (template or not rendered.template):
                yield Site(SiteKind.RENDER, template, self._place(place), args)
        for place, (target, call) in self._recorder.routes.items():
            args = tuple(GivenValue(name, ()) for name in captured_by(call))
            if args:
                yield Site(SiteKind.ROUTE, target, self._place(place), args)

    def _hits(self) -> Iterator[SinkHit]:
        """Yield the sinks that values from other files reach."""
        grouped: dict[tuple[str, Span, Span], list[Hit]] = {}
        for hit in self.interpreter.hits.values():
            grouped.setdefault((hit.sink.class_, hit.call, hit.argument), []).append(hit)
        for (name, call, argument), hits in grouped.items():
            found = (self._atom(hit.label) for hit in hits)
            atoms = tuple(dict.fromkeys(each for each in found if each is not None))
            foreign = tuple(each for each in atoms if each.kind not in SOURCES)
            if not foreign:
                continue
            sink = hits[0].sink
            kinds = tuple(sink.kinds or sink_classes()[name].kinds)
            value, code = self._text(argument), self._text(call)
            yield SinkHit(
                name,
                sink.what,
                self._place(call),
                self._place(argument),
                name_of(value),
                function_of(code),
                digest_of(value, code),
                kinds,
                foreign,
                self._sites.get(call, -1),
            )

    def _reported(self) -> Iterator[Reported]:
        """Yield the findings of the file alone."""
        found: dict[tuple[str, Span], None] = {}
        for hit in self.interpreter.hits.values():
            kinds = hit.sink.kinds or sink_classes()[hit.sink.class_].kinds
            if hit.label.kind in kinds:
                found.setdefault((hit.sink.class_, hit.call))
        for name, call in found:
            yield Reported(name, self._place(call))


def _keyword(text: str | None) -> str | None:
    return text if text in (None, SETS) else key_of(text)


def _parameters(function: Function) -> list[Param]:
    return [param for param in function.params if param.name not in SELVES]
