"""Constructs that the service's source must not contain. New uses must be reviewed first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONNECTING = {"requests", "urllib3", "httptools", "http", "socket", "urllib.request", "ssl"}
CONNECTING |= {"ftplib", "smtplib", "telnetlib", "httpx", "aiohttp", "websocket", "paramiko"}
WHO_CONNECTS = {
    "codeintel/platform/db/leases.py": "asks for this host's name",
    "codeintel/platform/upstreams/fetching.py": "all upstreams: below one base URL each",
    "codeintel/platform/upstreams/transport.py": "bounded connections for it",
    "codeintel/web/login/oidc_client.py": "a provider's token endpoint",
    "codeintel/web/login/pages.py": "names of errors",
    "codeintel/engine/sandbox/inside/probe.py": "shows that the sandbox has no network",
    "plugins/codeintel_plugins/openai/connections.py": "the operator's models",
    "plugins/codeintel_plugins/openai/upstream.py": "names of errors",
}
OF_SERVERS = (
    "codeintel/client/",
    "codeintel/cli/",
    "codeintel/testing/",
    "codeintel/base/_build.py",
)
"""Code that runs at a terminal, or for tests, may request any host."""


def test_nobody_else_opens_connections() -> None:
    """Check that new connections are reviewed: each gets a row here, and a test of its target."""
    found = {
        name
        for name, tree in trees()
        if not name.startswith(OF_SERVERS)
        and _imported(tree) & CONNECTING
        and not _only_listens(tree)
    }
    assert found == set(WHO_CONNECTS)


def _imported(tree: ast.Module) -> set[str]:
    """Return names of modules, and of the packages that they are in."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    found -= {"http.HTTPStatus", "http"} if "http.HTTPStatus" in found else set()
    return found | {name.split(".")[0] for name in found if name.split(".")[0] != "urllib"}


def _only_listens(tree: ast.Module) -> bool:
    """Return whether a module uses sockets without connecting to a host: for pairs, options,
    names."""
    called = {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    is_socket = not _imported(tree) & (CONNECTING - {"socket", "http"})
    return is_socket and not called & {"connect", "connect_ex", "create_connection", "sendto"}


COMPARED = re.compile(
    r"(?i)token|secret|digest|signature|pepper|password|nonce|csrf|credential|hmac"
)
KNOWN_COMPARISONS = {
    # These comparisons do not involve a secret that a client could guess.
    ("codeintel/identity/auth/jwt.py", "credential.token.count('.') == DOTS"): "how many dots",
    ("codeintel/base/key_format.py", "len(token) != _LENGTH"): "the length of a key",
    ("codeintel/web/blueprint.py", "request.args.get('v') == digest(filename)"): (
        "the digest of a file that everybody can read"
    ),
    ("codeintel/web/login/oidc_client.py", "told.get('sub') != token.subject"): (
        "two names that the same provider has told"
    ),
    ("codeintel/identity/verifier.py", "claims.get('nonce') != nonce"): (
        "in a token that the provider has signed"
    ),
}
UNSAFE_CALLS = {
    *("eval", "exec", "pickle.load", "pickle.loads", "marshal.loads", "shelve.open"),
    *("os.system", "os.popen", "yaml.unsafe_load", "yaml.full_load", "render_template_string"),
    *("tempfile.mktemp", "hashlib.md5", "hashlib.sha1", "random.random", "random.choice"),
    *("random.randint", "random.randbytes", "random.getrandbits", "uuid.uuid1", "input"),
}
KNOWN_CALLS = {
    ("codeintel/engine/sandbox/inside/program.py", "exec"): "in the sandbox, its purpose",
    (
        "codeintel/engine/sandbox/inside/values/constants.py",
        "random.randint",
    ): "seeded: draws test inputs",
    (
        "codeintel/engine/sandbox/inside/values/constants.py",
        "random.choice",
    ): "seeded: draws test inputs",
    (
        "codeintel/engine/sandbox/inside/values/constants.py",
        "random.random",
    ): "seeded: draws test inputs",
    (
        "codeintel/engine/sandbox/inside/search.py",
        "random.random",
    ): "seeded: draws test inputs",
    (
        "codeintel/engine/sandbox/inside/search.py",
        "random.choice",
    ): "seeded: draws test inputs",
}
FOR_MARKUP = {
    "codeintel/web/dashboard/facts.py",
    "codeintel/web/guides/rendering.py",
    "codeintel/web/template_functions.py",
    "codeintel/web/plots/svg.py",
    "codeintel/web/rules.py",
    "codeintel/web/login/require_login.py",
    "codeintel/web/text.py",
}
"""Uses of `Markup` with text. Each was reviewed, and planted texts are rendered by them."""
SINKS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    r"|setAttribute\(\s*[\"']on|[\"'`]javascript:|postMessage|dangerouslySet|createContextualFragment"
)


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    """Return all modules, by their paths."""
    files = [
        file
        for top in ("codeintel", "plugins/codeintel_plugins")
        for file in sorted((ROOT / top).rglob("*.py"))
    ]
    return tuple((str(file.relative_to(ROOT)), ast.parse(file.read_text())) for file in files)


def calls() -> Iterator[tuple[str, ast.Call]]:
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield name, node


def test_secrets_are_compared_in_constant_time() -> None:
    """`==` on a secret takes the longer the more of it was guessed."""
    found = set()
    for name, tree in trees():
        if not name.startswith(
            (
                *(
                    "codeintel/identity/audit",
                    "codeintel/identity/auth",
                    "codeintel/identity",
                    "codeintel/identity/keys",
                ),
                *(
                    "codeintel/base/key_format",
                    "codeintel/platform/config/issuers",
                    "codeintel/web",
                ),
            )
        ):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
                sides = (node.left, *node.comparators)
                is_column = any(_is_column(side) for side in sides)
                is_constant = any(isinstance(side, ast.Constant) for side in sides)
                words = " ".join(ast.unparse(side) for side in sides)
                if COMPARED.search(words) and not is_column and not is_constant:
                    found.add((name, ast.unparse(node)))
    assert found == set(KNOWN_COMPARISONS)


def _is_column(node: ast.expr) -> bool:
    """Return whether the database compares a digest, which is not secret."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id.endswith("Row") or node.value.id in {"ApiKey", "table", "columns"})
    )


def test_nothing_unsafe_is_called() -> None:
    found = {
        (name, ast.unparse(call.func))
        for name, call in calls()
        if ast.unparse(call.func) in UNSAFE_CALLS
    }
    assert found == set(KNOWN_CALLS)


@pytest.mark.parametrize(
    ("argument", "value"), [("shell", True), ("verify", False), ("check_hostname", False)]
)
def test_no_call_is_made_unsafe(argument: str, value: bool) -> None:
    found = [
        f"{name}:{call.lineno}"
        for name, call in calls()
        for keyword in call.keywords
        if keyword.arg == argument
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is value
    ]
    assert found == []


def test_markup_is_made_where_it_was_looked_at() -> None:
    found = {name for name, call in calls() if ast.unparse(call.func) == "Markup" and call.args}
    assert found == FOR_MARKUP


def test_no_template_leaves_anything_unescaped() -> None:
    for file in (ROOT / "codeintel/web/templates").glob("*"):
        assert file.suffix == ".html", "others are not escaped"
        assert not re.search(r"\|\s*safe\b|autoescape|\bon\w+=", file.read_text()), file.name


def test_no_script_makes_markup_of_text() -> None:
    files = [*(ROOT / "frontend/src").rglob("*.js")]
    assert len(files) > 10
    for file in files:
        found = SINKS.search(file.read_text())
        assert found is None, f"{file.name}: {found[0] if found else ''}"


def test_secret_tokens_are_long_and_random() -> None:
    """256 bits for cookies, links and forms; 178 for keys (`tests/keys/test_tokens.py`)."""
    from codeintel.base.key_format import ALPHABET, RANDOM_CHARACTERS
    from codeintel.identity.secrets import make_token

    made = {make_token() for _ in range(1_000)}
    assert len(made) == 1_000
    assert min(map(len, made)) * 6 >= 256
    assert len(ALPHABET) ** RANDOM_CHARACTERS > 2**128
