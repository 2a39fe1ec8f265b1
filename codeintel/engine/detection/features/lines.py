"""What lines look like in languages of data, markup and queries, for `shapes`."""

from __future__ import annotations

import re
from collections.abc import Callable

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
"""By language, what stands on its lines, comments and strings included."""

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
"""By language, what stands on its lines when the words of comments and strings are taken out."""

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
"""By language, what stands somewhere in it and hardly elsewhere."""
