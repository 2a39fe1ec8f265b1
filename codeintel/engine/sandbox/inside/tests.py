"""The tests that a program brings along: examples in docstrings, and test cases."""

from __future__ import annotations

import sys
import types

from .canonical import UnwritableError


def doctested(module: types.ModuleType, code: str) -> object:
    """How many examples each docstring has, and how many of them fail.

    :raises UnwritableError: if there are none.
    """
    if ">>>" not in code:
        raise UnwritableError
    import doctest  # which takes a while

    found = {}
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(module, module.__name__):
        if test.examples:
            failures, attempts = runner.run(test, out=lambda _: None)
            found[test.name] = (failures, attempts)
    if not found:
        raise UnwritableError
    return sorted(found.items())


def unittested(module: types.ModuleType) -> object:
    """How each test of each test case ends.

    :raises UnwritableError: if there are none.
    """
    if "unittest" not in sys.modules:
        raise UnwritableError
    import unittest

    loader, result = unittest.TestLoader(), unittest.TestResult()
    for value in list(vars(module).values()):
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            loader.loadTestsFromTestCase(value).run(result)
    if not result.testsRun:
        raise UnwritableError
    bad = sorted(str(each) for each, _ in [*result.failures, *result.errors, *result.skipped])
    return result.testsRun, bad, len(result.failures), len(result.errors)
