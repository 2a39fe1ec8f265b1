"""The tests of bandit that are not run, and which rules of ours are there instead."""

from __future__ import annotations

from functools import cache

# Tests that are not run: they speak up where nothing is wrong, or our own rules, which know where
# values come from, find the same and suspect less. `rule X` names the one that took over, a rule of
# the patterns analyser unless it says otherwise.
_DROPPED = """
101 an assertion is no defect by itself
102 rule python-code-from-values: exec() of a constant does no harm
103 rule python-open-permissions: to let a group read or run a file does no harm
104 to listen on all addresses is what servers in containers do
105 rule hard-coded-password of the secrets analyser, which looks at the value
106 rule hard-coded-password of the secrets analyser, which looks at the value
107 rule hard-coded-password of the secrets analyser, which looks at the value
108 rule python-predictable-temporary-file: a path that is only read or passed on does no harm
110 rule python-error-swallowed: some errors need nothing done about them
112 rule python-error-swallowed: some errors need nothing done about them
202 rule python-archive-members: members may have been checked before
301 rule python-deserialization: data of one's own, or signed data, does no harm
302 rule python-deserialization: data of one's own, or signed data, does no harm
303 rule python-weak-hash: checksums and cache keys need no strong hash
307 rule python-code-from-values: eval() of a constant does no harm
308 rule python-markup-unescaped: constants and escaped text do no harm
310 rule python-address-from-request: a constant address does no harm
311 rule python-predictable-secret: games and samples need no secret randomness
313 rule python-xml-entity-expansion: a file of one's own does no harm
314 rule python-xml-entity-expansion: a file of one's own does no harm
315 rule python-xml-entity-expansion: a file of one's own does no harm
316 rule python-xml-entity-expansion: a file of one's own does no harm
317 rule python-xml-external-entities: a file of one's own does no harm
318 rule python-xml-entity-expansion: a file of one's own does no harm
319 rule python-xml-entity-expansion: a file of one's own does no harm
320 rule python-xml-default-parser: a file of one's own does no harm
321 rule python-cleartext-transport: FTP_TLS is meant by it, too
324 rule python-weak-hash: checksums and cache keys need no strong hash
325 rule python-predictable-temporary-file: the function has been removed from Python
401 to import a module is no defect by itself
402 to import a module is no defect by itself
403 to import a module is no defect by itself
404 to import a module is no defect by itself
405 to import a module is no defect by itself
406 to import a module is no defect by itself
407 to import a module is no defect by itself
408 to import a module is no defect by itself
409 to import a module is no defect by itself
410 to import a module is no defect by itself
411 to import a module is no defect by itself
412 to import a module is no defect by itself
413 to import a module is no defect by itself; PyCryptodome has the same name
414 to import a module is no defect by itself
415 to import a module is no defect by itself
504 rule python-old-tls: the default version is no defect by itself
506 rule python-yaml-objects: which knows the safe loaders by all their names
601 rule python-shell-command: a constant or quoted command does no harm
602 rule python-shell-command: a constant or quoted command does no harm
603 to start a program without a shell is what should be done
604 an argument called shell of any function says nothing
605 rule python-shell-command: a constant or quoted command does no harm
606 to start a program without a shell is what should be done
607 to look a program up in the search path is usual
608 rule python-sql-from-values: text that looks like SQL need not be a statement, nor have values
610 rule python-sql-from-values: extra() may have constants only
611 rule python-sql-from-values: RawSQL() may have a constant statement
614 rule python-deserialization: newer versions load weights only
615 a model of a fixed name, if not of a fixed revision, is usual
701 rule python-template-without-escaping: templates need not be for pages
702 rule python-template-without-escaping: filters may escape
703 rule python-markup-unescaped: constants and escaped text do no harm
704 rule python-markup-unescaped: constants and escaped text do no harm
"""
_REASONS = dict(line.split(maxsplit=1) for line in _DROPPED.strip().splitlines())

DROPPED_TESTS = frozenset(f"B{number}" for number in _REASONS)
"""Bandit's tests that are not run."""


@cache
def tests_replaced_by(rule_id: str) -> tuple[str, ...]:
    """The numbers of bandit's tests that gave way to one of our rules."""
    words = f"rule {rule_id}"
    return tuple(
        number
        for number, reason in _REASONS.items()
        if reason == words or reason.startswith((f"{words}:", f"{words} ", f"{words},"))
    )
