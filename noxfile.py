"""What is done often, each in an environment of its own: `pip install nox`, then `nox -s unit`."""

from __future__ import annotations

import nox

nox.needs_version = ">=2024.4"
nox.options.sessions = ["lint", "types", "unit"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, layout and spelling."""
    session.install("ruff>=0.17,<0.18", "codespell>=2.4,<2.5")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("codespell")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, and who imports whom."""
    session.install("-e", ".[test]")
    session.run("lint-imports", "--no-cache", "--no-logo")
    session.run("mypy", *session.posargs)


@nox.session
def unit(session: nox.Session) -> None:
    """Run the tests that start no process and open no connection."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", "-m", "unit", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run what each change needs before it is committed."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def engine(session: nox.Session) -> None:
    """Run the tests of analyses, rewrites and proofs, for a change to one of them."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", "-m", "engine", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, strictly."""
    session.install("-e", ".[docs]")
    session.run("mkdocs", "build", "--strict", "--site-dir", session.create_tmp())


@nox.session(name="all", venv_backend="none")
def everything(session: nox.Session) -> None:
    """Do all that CI does, in an environment that it makes itself."""
    session.run("bash", ".ci/run", external=True)
