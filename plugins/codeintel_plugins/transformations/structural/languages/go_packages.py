"""Packages of Go's standard library whose functions hand errors on as `error`."""

from __future__ import annotations

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
