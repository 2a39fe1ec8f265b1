"""Edits of Go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.declarations import declared_type
from codeintel_plugins.transformations.structural.imports import imported
from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import (
    Reading,
    function_of,
    named,
    only_statement,
    result_type,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

STANDARD = frozenset(
    {
        *("archive/tar", "archive/zip", "bufio", "bytes", "compress/bzip2", "compress/flate"),
        *("compress/gzip", "compress/lzw", "compress/zlib", "context", "crypto/rand"),
        *("crypto/rsa", "crypto/tls", "crypto/x509", "database/sql", "encoding"),
        *("encoding/ascii85", "encoding/base32", "encoding/base64", "encoding/binary"),
        *("encoding/csv", "encoding/gob", "encoding/hex", "encoding/json", "encoding/pem"),
        *("encoding/xml", "errors", "fmt", "go/ast", "go/format", "go/parser", "go/printer"),
        *("html/template", "image", "image/gif", "image/jpeg", "image/png", "io", "io/fs"),
        *("io/ioutil", "log", "log/slog", "math/big", "mime", "mime/multipart", "net"),
        *("net/http", "net/http/httputil", "net/mail", "net/netip", "net/rpc", "net/smtp"),
        *("net/textproto", "net/url", "os", "os/exec", "os/signal", "os/user", "path"),
        *("path/filepath", "plugin", "reflect", "regexp", "regexp/syntax", "runtime/pprof"),
        *("runtime/trace", "strconv", "strings", "testing/iotest", "text/tabwriter"),
        *("text/template", "time", "unicode/utf8"),
    }
)


def elements(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`[]T{T{1}}` as `[]T{{1}}`."""
    typed, body = node.field("type"), node.field("body")
    if typed is None or body is None:
        return []
    held = typed.field("value") if typed.kind() == "map_type" else typed.field("element")
    if held is None:
        return []
    found = []
    for element in named(body):
        value = element
        if element.kind() == "keyed_element":
            parts = named(element)
            value = parts[-1] if len(parts) == 2 else element
        literal = next(iter(named(value)), None) if value.kind() == "literal_element" else None
        if literal is None:
            continue
        begin, wanted = reading.span(literal).start, held.text()
        if literal.kind() == "unary_expression" and literal.text().startswith("&"):
            wanted = wanted[1:] if wanted.startswith("*") else ""
            literal = literal.field("operand") or literal
        own, content = literal.field("type"), literal.field("body")
        if literal.kind() != "composite_literal" or own is None or content is None:
            continue
        if (held.kind() == "pointer_type") != (reading.text[begin] == "&"):
            continue
        if own.text() == wanted:
            found.append(TextEdit(begin, reading.span(content).start, ""))
    return found


def return_error(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`if err := f(); err != nil { return err }; return nil` as `return f()`, and the same without
    `f()`."""
    name = node.get_match("NAME")
    following = node.next()
    while following is not None and following.text() == ";":
        following = following.next()
    returned = only_statement(node.field("consequence"))
    if name is None or following is None or returned is None or node.field("alternative"):
        return []
    if following.text().split() != ["return", "nil"] or result_type(node) != "error":
        return []
    if returned.text().split() != ["return", name.text()]:
        return []
    made = node.field("initializer")
    before = node.prev()
    while before is not None and before.text() == ";":
        before = before.prev()
    source = made if made is not None else before
    if source is None or source.kind() != "short_var_declaration":
        return []
    left, right = source.field("left"), source.field("right")
    if left is None or right is None or not named(left) or len(named(right)) != 1:
        return []
    if named(left)[-1].text() != name.text() or not _gives_error(reading, named(right)[0]):
        return []
    if made is not None and len(named(left)) != 1:
        return []
    text = right.text() if made is not None else name.text()
    return [TextEdit(reading.span(node).start, reading.span(following).end, f"return {text}")]


def _gives_error(reading: Reading, call: SgNode) -> bool:
    """Return whether the last result of a call is of the type `error`.

    This holds for functions of this code that declare it, and for those of the standard library,
    whose errors are never of another type.
    """
    function = call.field("function") if call.kind() == "call_expression" else None
    if function is None:
        return False
    if any(_is_type(each) for each in reading.named.get("error", ())):
        return False
    if function.kind() == "identifier":
        return _says_error(reading, function.text())
    held, called = function.field("operand"), function.field("field")
    if function.kind() != "selector_expression" or held is None or called is None:
        return False
    packages = [
        path.text().strip('"')
        for spec in reading.root.find_all(kind="import_spec")
        if (path := spec.field("path")) is not None
    ]
    for package in packages:
        if package.rpartition("/")[2] == held.text() and imported(reading, package):
            return package in STANDARD
    method = function_of(call)
    receiver = method.field("receiver") if method is not None else None
    if receiver is None or held.kind() != "identifier":
        return False
    words = receiver.text().strip("()").split()
    if len(words) != 2 or words[0] != held.text():
        return False
    if [each for each in _declared(reading, held.text(), method) if not _is_in(each, receiver)]:
        return False
    return _says_error(reading, called.text(), words[1].lstrip("*"))


def _is_type(node: SgNode) -> bool:
    parent = node.parent()
    return parent is not None and str(parent.kind()) in ("type_spec", "type_alias")


def _is_in(node: SgNode, outer: SgNode) -> bool:
    return any(each == outer for each in node.ancestors())


def _declared(reading: Reading, name: str, within: SgNode | None) -> list[SgNode]:
    """Return the nodes that declare the name."""
    return [
        node
        for node in reading.named.get(name, ())
        if declared_type(node, "go") is not None and (within is None or _is_in(node, within))
    ]


def _says_error(reading: Reading, name: str, receiver: str | None = None) -> bool:
    """Return whether the only function of the name, or the only method of the type, returns an
    `error`."""
    if receiver is None:
        found = [node.parent() for node in _declared(reading, name, None)]
    else:
        named_so = {"rule": {"kind": "field_identifier", "regex": f"^{name}$"}}
        found = [
            above
            for node in reading.root.find_all(named_so)  # type: ignore[call-overload]
            if (above := node.parent()) is not None
            and above.kind() == "method_declaration"
            and (own := above.field("receiver")) is not None
            and own.text().strip("()").split()[-1].lstrip("*") == receiver
        ]
    only = found[0] if len(found) == 1 else None
    kind = "function_declaration" if receiver is None else "method_declaration"
    result = only.field("result") if only is not None and only.kind() == kind else None
    if result is None:
        return False
    if result.kind() == "parameter_list":
        return bool(named(result)) and named(result)[-1].text().split()[-1] == "error"
    return result.text() == "error"
