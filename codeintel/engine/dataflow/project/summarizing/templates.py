"""Find the variables that templates write into a page without escaping."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeintel.contracts.positions import LineTable
from codeintel.engine.dataflow.project.records import Output, Place

LANGUAGE = "template"
MAX_OUTPUTS = 500
"""Maximum number of outputs of one template."""

_JINJA = re.compile(r"\{\{-?\s*([^{}|]{1,200}?)\s*\|([^{}]{0,200}?)-?\}\}")
_JINJA_ANY = re.compile(r"\{\{-?\s*+([^{}]{1,200}?)-?\}\}")
_UNESCAPED = re.compile(
    r"\{%-?\s*autoescape\s+(?:off|false)\s*-?%\}(.*?)\{%-?\s*endautoescape", re.DOTALL
)
_SAFE = re.compile(r"(?:\A|\|)\s*(?:safe|raw|safeseq)\b")
_THYMELEAF = re.compile(r"th:utext\s*=\s*\"\s*[$*]\{([^}\"]{1,200})\}")
_HANDLEBARS = re.compile(r"\{\{\{\s*([^{}]{1,200}?)\s*\}\}\}|\{\{&\s*([^{}]{1,200}?)\s*\}\}")
_EJS = re.compile(r"<%-(?!\s*+include\b)\s*+([^%]{1,300}?)[-_]?%>")
_ERB = re.compile(
    r"<%==\s*+([^%]{1,300}?)-?%>|<%=\s*+raw[ (]\s*+([^%]{1,300}?)-?%>"
    r"|<%=\s*+([^%]{1,300}?)\.html_safe\s*+-?%>"
)
_BLADE = re.compile(r"\{!!\s*([^!]{1,300}?)\s*!!\}")
_RAZOR = re.compile(r"@Html\.Raw\(\s*([^()]{1,300}(?:\([^()]*\)[^()]*)?)\)")
_PUG = re.compile(r"!\{([^{}]{1,200})\}|^\s*[\w.#-]*!=\s*(.{1,200})$", re.MULTILINE)
_SANITIZED = re.compile(r"(?i)escape|sanitize|purify|encode|strip_tags|json")

_ENGINES: tuple[tuple[tuple[str, ...], tuple[re.Pattern[str], ...]], ...] = (
    ((".blade.php",), (_BLADE,)),
    ((".ejs",), (_EJS,)),
    ((".erb",), (_ERB,)),
    ((".cshtml", ".razor"), (_RAZOR,)),
    ((".hbs", ".handlebars", ".mustache"), (_HANDLEBARS,)),
    ((".pug", ".jade"), (_PUG,)),
    ((".html", ".htm", ".jinja", ".jinja2", ".j2", ".twig", ".njk"), (_THYMELEAF,)),
)
_JINJA_FILES = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".twig", ".njk")
_VARIABLE = re.compile(
    r"(?:ViewBag|Model|ViewData|TempData)(?:\.\w+|\[\"\w+\"\])?|[$@]?[A-Za-z_]\w*(?:\.\w+){0,4}"
)


def template_ending(path: str) -> str:
    """Return the end of a template's name, which says how it is read, or an empty text."""
    for endings, _ in _ENGINES:
        for each in endings:
            if path.endswith(each):
                return each
    return ""


def outputs_of(path: str, text: str) -> tuple[Output, ...]:
    """Return the variables that a template writes without escaping, in order of place."""
    lines = LineTable(text)
    made = []
    for start, end, expression in _raw_outputs(path, text):
        found = lines.span(start, end)
        place = Place(found.start_line, found.start_column, found.end_line, found.end_column)
        made += [Output(name, place) for name in dict.fromkeys(_names(expression))]
        if len(made) >= MAX_OUTPUTS:
            break
    return tuple(sorted(made[:MAX_OUTPUTS], key=lambda each: each.place))


def _raw_outputs(path: str, text: str) -> Iterator[tuple[int, int, str]]:
    for endings, patterns in _ENGINES:
        if path.endswith(endings):
            for pattern in patterns:
                for found in pattern.finditer(text):
                    yield found.start(), found.end(), next(filter(None, found.groups()), "")
            break
    if path.endswith(_JINJA_FILES):
        for found in _JINJA.finditer(text):
            if _SAFE.search(found[2]):
                yield found.start(), found.end(), found[1]
        for block in _UNESCAPED.finditer(text):
            for found in _JINJA_ANY.finditer(text, block.start(1), block.end(1)):
                if not re.search(r"\|\s*(?:e|escape|force_escape)\b", found[1]):
                    yield found.start(), found.end(), found[1].partition("|")[0]


def _names(expression: str) -> Iterator[str]:
    """Yield the variables in an expression, in full and as the name before the first dot."""
    if _SANITIZED.search(expression):
        return
    plain = re.sub(r"\"[^\"]*\"(?!\])|'[^']*'", " ", expression)
    for found in _VARIABLE.finditer(plain):
        name = found[0].replace('["', ".").replace('"]', "").lstrip("$")
        yield name
        head = name.partition(".")[0]
        if head not in ("ViewBag", "ViewData", "TempData"):
            yield head
