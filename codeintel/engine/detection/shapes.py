"""Score languages that the shape of their lines reveals: data, markup, queries, prose.

The score is the share of lines that could belong to the language. More lines make it more certain.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from codeintel.engine.detection import NO_CODE
from codeintel.engine.detection.sample import Sample

Matches = Callable[[str], object]


def _line(*alternatives: str, flags: int = 0) -> Matches:
    return re.compile("|".join(f"(?:{each})" for each in alternatives), flags).match


_TOML_KEY = r"(?![A-Z_]+\b)[\w.\"'-]{1,60} +="
_TOML_VALUE = r"\s*(?:\"\"|''|\"{6}|-?[\d.]|true\b|false\b|\[|\{|inf\b|nan\b)"
_TOML_TABLE = r"\[{1,2}[\w.\"' -]{1,80}\]{1,2}\s*$"
_TERRAFORM_BLOCK = (
    r"(?:resource|variable|provider|output|module|data|terraform|locals|backend)"
    r"\s*(?:\"[^\"\n]*\"\s*)*\{"
)
_HTML_TAG = (
    r"(?:html|head|body|div|span|p|a|ul|ol|li|table|t[rdh]|thead|tbody|form|input|label|button"
    r"|h[1-6]|img|nav|main|header|footer|section|article|aside|script|style|link|meta|title|br|hr"
    r"|select|option|textarea|strong|em|b|i|pre|code|dl|dt|dd|svg|path|small|figure|video|iframe"
    r"|template|slot|blockquote|fieldset|legend|canvas|center|font)\b"
)
_SQL_STATEMENT = (
    r"select|insert\s+into|update\s+[\w.\"`\[\]]+(?:\s|$)|delete\s+from|create\s+"
    r"(?:or\s+replace\s+)?(?:temp\w*\s+|unique\s+|materialized\s+|global\s+){0,3}(?:table|view"
    r"|index|function|procedure|trigger|database|schema|sequence|type|extension|user|role|policy)"
    r"|alter\s+(?:table|database|view)|drop\s+\w+|with\s+(?:recursive\s+)?\w+\s*(?:\(|as\b)"
    r"|truncate\s+table|grant\s+\w+|revoke\s+\w+|merge\s+into|explain\s|begin\s*;|commit\s*;"
    r"|rollback|declare\s+@?\w+\s|exec\s+\w|execute\s+\w|use\s+\w+;|go\s*$|pragma\s\w+"
    r"|begin\s+transaction"
)
_SQL_CLAUSE = (
    r"from|where|(?:left|right|inner|full|cross|outer)\s+(?:outer\s+)?join|join|group\s+by"
    r"|order\s+by|having|values|union(?:\s+all)?|limit|offset|on\s+[\w.]+\s*=|and\s+[\w.(]"
    r"|or\s+[\w.(]|set\s+[@\w.\"]+\s*:?=|returning|partition\s+by|when\s.*then\b|else\s|end\s+as"
    r"|case(?:\s|$)|primary\s+key|foreign\s+key|constraint\s|references\s|unique\s*\(|check\s*\("
    r"|on\s+delete|on\s+conflict"
)
_SQL_TYPE = (
    r"bigint|int|integer|smallint|tinyint|serial|bigserial|varchar|nvarchar|char|text|decimal"
    r"|numeric|float|real|double\s+precision|boolean|bool|date|datetime|datetime2|timestamp"
    r"|timestamptz|uuid|jsonb?|blob|bit|money|varchar2|number|bytea|time|enum|mediumtext|longtext"
)

MARKDOWN_HEADING = re.compile(r"#{1,6} \S")
MARKDOWN_FENCE = re.compile(r"\s*(?:```|~~~)")
MARKDOWN_MARK = re.compile(
    r"(?! \* )\s{0,6}(?:[-*+]|\d{1,3}\.) +(?:\[[ x]\] )?\S"
    r"|.*\[[^\]\n]{1,100}\]\([^)\n]{1,200}\)"
    r"|\|.*\|\s*$"
    r"|> "
    r"|.*(?:\*\*|__)\w"
    r"|(?:={3,}|-{3,})$"
)
SENTENCE = re.compile(
    r"\W{0,4}\w[\w'’-]*,?(?: [(\"]?[\w'’-]+[,.:;!?)\"]{0,2}){3,60}$"  # noqa: RUF001 - in prose
)
TOML_HEADER = re.compile(rf"^{_TOML_TABLE}", re.MULTILINE)
YAML_KEY = re.compile(
    r"(?!.* = )\s*(?:- +)*(?:[\w./$@*<-][^:#{}()\[\],;&|=\"']{0,60}|\"[^\"]{1,80}\"|'[^']{1,80}'):"
    r"(?:\s+\S.*(?<!,))?\s*$"
)
YAML_OTHER = re.compile(r"\s*(?:#|- |-$|---|\.\.\.$|%YAML|\{\{)")
YAML_BLOCK = re.compile(r".*(?::|-)\s+(?:[|>][+-]?\d?|&\w+)\s*(?:#.*)?$")
YAML_NOT = re.compile(
    r".*[;{(]\s*$|.*\)\s*:\s*$"
    r"|\s*(?:else|try|finally|default|case .*|if .*|for .*|while .*|def .*|class .*):\s*$"
)

OF_TEXT: dict[str, Matches] = {
    "json": _line(
        r"\s*\"[^\"]{0,200}\"\s*:\s*(?:\"|-?\d|true|false|null|[\[{])",
        r"\s*[{}\[\]]+,?\s*$",
        r"\s*\"[^\"]{0,250}\",?\s*$",
        r"\s*(?:-?\d[\d.eE+-]*|true|false|null),?\s*$",
        r"\s*[\[{]\s*\"",
    ),
    "ini": _line(
        r"\[[^\]\n]{1,80}\]\s*$",
        r"[\w.\- /]{1,50}\s?=\s?(?!=)[^={};]*$",
        r"[;#]",
        r"[\w.-]{1,40} ?: ?\S[^;{]*$",
    ),
    "make": _line(
        r"\t[^{}]*$",
        r"\.(?:PHONY|SUFFIXES|DEFAULT)\b",
        r"[\w./%$()@ -]{1,80}:(?!=|:)[\w./%$()@ *-]*$",
        r"(?:export )?[A-Za-z_][\w.-]{0,40} ?(?:[:?+!]?=|::=)",
        r"(?:ifeq|ifneq|ifdef|ifndef|endif|else|include|-include|define|endef)\b",
    ),
    "html": _line(
        rf"\s*</?{_HTML_TAG}",
        r"\s*<!DOCTYPE html",
        rf".*</{_HTML_TAG}>",
    ),
    "xml": _line(
        r"\s*</?[A-Za-z_][\w.-]*(?::[\w.-]+)?(?:\s+[\w:.-]+\s*=\s*(?:\"|')|\s*/?>|\s*$)",
        r"\s*<[?!]",
        r"\s*[\w:.-]+=(?:\"[^\"]*\"|'[^']*')\s*/?>?$",
        r"[^<>]*</[\w:.-]+>$",
    ),
    "diff": _line(r"diff --git|index [0-9a-f]{6,}|@@ -\d|\+\+\+ |--- |[-+ ]"),
}
"""The shape of lines by language, including comments and strings."""

OF_BARE: dict[str, Matches] = {
    "toml": _line(
        _TOML_TABLE,
        rf"\s*{_TOML_KEY}{_TOML_VALUE}",
        r"\s*(?:\"\"|''|-?\d[\d._:-]*|\{.*\}|\]|\}),?\s*$",
        r"\s*[\]}],?$",
    ),
    "properties": _line(r"[\w-]{1,40}(?:\.[\w-]{1,40}){1,8}\s?[=:]\s?[^{;]*$", r"[#!]"),
    "css": _line(
        r"\s*(?:[.#*:&>~+\[@]|[a-z][\w-]{0,20}[\s.:#,>\[{+~]|[a-z]{1,10}$)"
        r"(?:[^;=]{0,200}\{|(?:[^;={}\"'() ]| (?! )(?<!: )){0,100},)\s*$",
        r"\s*(?:--)?[a-z][\w-]{1,40}\s*:\s*[^;{}=]{1,200};\s*\}?$",
        r"\s*\}\s*\}?$",
        r"\s*@(?:media|import|charset|font-face|keyframes|supports|layer|container|page)\b",
        r"\s*[.#a-z*:][^{};=()]{0,80}\{[^{}=]{0,200}\}$",
        r"\s*(?:from|to|\d{1,3}%)(?:, ?\d{1,3}%)* \{",
    ),
    "scss": _line(
        r"\s*\$[\w-]+\s*:\s*[^{]{1,200};",
        r"\s*@(?:mixin|include|extend|use|forward|function|return|each|if|else|for|while)\b",
        r"\s*&[:.\-_ >+~]",
        r"\s*//",
    ),
    "dockerfile": _line(
        r"(?:FROM|RUN|CMD|COPY|ENV|WORKDIR|EXPOSE|ENTRYPOINT|ARG|USER|VOLUME|ADD|LABEL|HEALTHCHECK"
        r"|SHELL|ONBUILD|STOPSIGNAL|MAINTAINER)\s+\S",
    ),
    "sql": _line(
        rf"\s*\(?(?:{_SQL_STATEMENT})",
        rf"\s*(?:{_SQL_CLAUSE})",
        rf"\s*[\w\"`\[\]]{{1,60}}\s+(?:{_SQL_TYPE})\b",
        r"\s*\([^{}]*\)[,;]$",
        r"\s*\)\s*;?\s*$",
        r"\s*[\w.\"`]+\s*(?:,|as\s+\w+,?)$",
        r"\s*(?:count|sum|avg|min|max|coalesce|row_number|rank|extract|date_trunc|round|concat"
        r"|cast)\s*\(",
        flags=re.IGNORECASE,
    ),
    "cmake": _line(r"\s*[A-Za-z_]\w{1,60}\s?\((?:[^;{}]*\)|[^;{}()]*)$", r"\s*[\w.${}/:<>-]+\)?$"),
    "graphql": _line(
        r"\s*(?:type|input|interface|enum|union|scalar|query|mutation|subscription|fragment|extend"
        r"|schema|directive)\b[^=;]*(?:\{|$|=)",
        r"\s*\w+(?:\([^)\n]*\))?\s*:\s*\[?[A-Z]\w*[!\]]*(?:\s*[@=].*)?$",
        r"\s*\.\.\.",
        r"\s*\}$",
        r"\s*\w+(?:\([^)]*\))?(?: \{)?$",
    ),
    "protobuf": _line(
        r"syntax\s*=",
        r"\s*(?:message|service|enum|oneof|extend)\s+\w+\s*\{",
        r"\s*rpc\s+\w+",
        r"\s*(?:(?:optional|repeated|required)\s+)?(?:[\w.]+|map<[^>]*>)\s+\w+\s*=\s*\d+\s*"
        r"(?:\[.*\])?;",
        r"\s*(?:option|reserved|import|package)\b.*;",
        r"\s*\w+\s*=\s*\d+;",
        r"\s*\}$",
    ),
    "terraform": _line(
        _TERRAFORM_BLOCK,
        r"\s*[\w-]+\s*=\s*(?:\"|\d|true|false|\[|\{|var\.|local\.|data\.|module\.|[a-z]\w*[.(])",
        r"\s*[\w-]+\s*(?:\"\"\s*)?\{$",
        r"\s*[\]})]+,?$",
        r"\s*\"\",?$",
    ),
}
"""The shape of lines by language, without the words of comments and strings."""

REQUIRED: dict[str, re.Pattern[str]] = {
    "json": re.compile(
        r"\A\s*[\[{]\s*(?:\"|[\[{]|-?\d|\Z)|^[ \t]*\"[^\"\n]{1,200}\"\s*:\s", re.MULTILINE
    ),
    "toml": re.compile(
        rf"^{_TOML_TABLE}|^{_TOML_KEY}\s*(?:[\"'\[{{]|-?\d|true|false)", re.MULTILINE
    ),
    "ini": re.compile(r"^\[[^\]\n\"]{1,80}\]\s*$", re.MULTILINE),
    "properties": re.compile(r"^[\w-]+\.[\w.-]+\s?=", re.MULTILINE),
    "css": re.compile(
        r"^[^\n;=(]{0,200}\{[^\n]{0,200}$\n?\s*(?:[\w-]+\s*:|[.#@a-z&])"
        r"|\{\s*[a-z-]+\s*:[^;{}\n]+;",
        re.MULTILINE,
    ),
    "scss": re.compile(
        r"^[ \t]*(?:\$[\w-]+\s*:|@(?:mixin|include|extend|use)\b|&[:.\-_])", re.MULTILINE
    ),
    "dockerfile": re.compile(r"^(?:FROM|RUN|COPY|ENTRYPOINT|WORKDIR)\s", re.MULTILINE),
    "make": re.compile(
        r"^\.PHONY|^[\w./%$() -]{1,80}:(?!=)[^\n=]*\n\t|\$\(\w+\)|\$[@<^]", re.MULTILINE
    ),
    "cmake": re.compile(
        r"^[ \t]*(?:cmake_minimum_required|end(?:if|foreach|function|macro)|find_package|set"
        r"|include|unset|list) ?\([^;\n]*$",
        re.MULTILINE | re.IGNORECASE,
    ),
    "diff": re.compile(r"^@@ -\d+", re.MULTILINE),
    "markdown": re.compile(r"^#{1,6} \S|^```|\]\(|^[-*] |^\|.*\|$|\*\*\w|^\d\. ", re.MULTILINE),
    "graphql": re.compile(
        r"^[ \t]*(?:type|input|query|mutation|fragment|schema|extend type|subscription)\b"
        r"[^=\n;]*\{",
        re.MULTILINE,
    ),
    "protobuf": re.compile(r"^syntax\s*=|^message \w+ ?\{|^service \w+ ?\{", re.MULTILINE),
    "terraform": re.compile(rf"^{_TERRAFORM_BLOCK}", re.MULTILINE),
    "sql": re.compile(
        r"\b(?:select\s|insert\s+into|update\s+[\w.\"`]+\s+set|delete\s+from"
        r"|create\s+(?:\w+\s+){0,3}(?:table|view|index|function|procedure|trigger|database|schema"
        r"|type)|alter\s+table|drop\s+(?:table|view|index)|grant\s|from\s+\w|declare\s+@)",
        re.IGNORECASE,
    ),
    "xml": re.compile(r"</?[A-Za-z]"),
    "html": re.compile(r"</?[A-Za-z]"),
}
"""A pattern by language that occurs in it and rarely elsewhere."""

_FULL = 34.0
"""The score of a text whose lines all fit."""
_SURE_LINES = 15
_WITHOUT_HEADER = 0.4  # `key = "value"` is an assignment in many languages


def shape_scores(sample: Sample) -> dict[str, float]:
    """Return scores by language, in the unit of the words' weights.

    Impossible languages are left out.
    """
    text, bare = _filled(sample.text), _filled(sample.bare)
    shares = _line_shares(sample, text, bare)
    if "dockerfile" in shares:  # join continued lines of shell commands
        whole = _filled(sample.bare.replace("\\\n", " "))
        shares["dockerfile"] = 2 * _share(whole, OF_BARE["dockerfile"]) ** 2
    if "toml" in shares and not TOML_HEADER.search(sample.text):
        shares["toml"] *= _WITHOUT_HEADER
    if "scss" in shares:  # SCSS includes CSS
        of_either = OF_BARE["css"], OF_BARE["scss"]
        shares["scss"] = _share(bare, lambda line: any(each(line) for each in of_either)) ** 2
    if shares.get("html", 0) * 3 > shares.get("xml", 0):
        shares["xml"] = shares.get("xml", 0) / 3
    shares["yaml"] = _yaml_share(text) ** 3
    if REQUIRED["markdown"].search(sample.text):
        shares["markdown"] = _markdown_share(sample.text.split("\n")) ** 2
    shares[NO_CODE] = _share(bare, SENTENCE.match) - shares.get("markdown", 0)
    sure = min(1.0, math.log2(1 + len(text)) / math.log2(1 + _SURE_LINES))
    return {language: share * _FULL * sure for language, share in shares.items() if share > 0}


def _line_shares(sample: Sample, text: Sequence[str], bare: Sequence[str]) -> dict[str, float]:
    shares = {}
    for lines, shapes in ((text, OF_TEXT), (bare, OF_BARE)):
        for language, matches in shapes.items():
            if REQUIRED[language].search(sample.text):
                # there are many dialects and kinds of lines
                power = 1.5 if language == "sql" else 2
                shares[language] = _share(lines, matches) ** power
    return shares


def _filled(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _share(lines: Sequence[str], matches: Matches) -> float:
    return sum(1 for line in lines if matches(line)) / len(lines) if lines else 0.0


def _markdown_share(lines: Sequence[str]) -> float:
    """Return the share of lines that fit Markdown.

    Sentences and fenced code count if there are enough marks.
    """
    marked = good = filled = 0
    fenced = False
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        filled += 1
        if MARKDOWN_FENCE.match(line):
            fenced = not fenced
            marked += 2
            good += 1
        elif MARKDOWN_HEADING.match(line):
            # Directly above other lines, it is a comment in some language.
            alone = number + 1 == len(lines) or not lines[number + 1].strip()
            marked += alone
            good += alone
        elif not fenced and MARKDOWN_MARK.match(line):
            marked += 1
            good += 1
        elif fenced or SENTENCE.match(line):
            good += 1
    return min(1.0, 6 * marked / filled) * good / filled if filled else 0.0


def _yaml_share(lines: Sequence[str]) -> float:
    """Return the share of lines that fit YAML. The lines of a text block count as its key does."""
    good = keys = 0
    block = -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if 0 <= block < indent:
            good += 1
            continue
        block = indent if YAML_BLOCK.match(line) else -1
        if YAML_NOT.match(line):
            continue
        if YAML_KEY.match(line):
            keys += 1
            good += 1
        elif YAML_OTHER.match(line):
            good += 1
    return good / len(lines) if keys and keys >= len(lines) / 8 else 0.0
