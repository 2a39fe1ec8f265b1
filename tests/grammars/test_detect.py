"""The detector distinguishes programs, fragments and other text, for any input."""

from __future__ import annotations

import importlib.util
import random
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from codeintel_plugins.static import _SURE_ENOUGH
from detect_samples import HOSTILE, NO_CODE, SAMPLES
from hypothesis import given, settings, strategies as st

from codeintel.contracts.languages import is_known
from codeintel.engine.detection.detector import GrammarDetector
from codeintel.testing import DetectorContract

DETECTOR = GrammarDetector()
SECONDS = 2.0
"""More than any text may take. On an idle machine the worst take a quarter of that."""


def load_programs() -> ModuleType:
    """Return the benchmark's programs, which are no package."""
    path = Path(__file__).parents[2] / "benchmarks" / "languages" / "programs.py"
    spec = importlib.util.spec_from_file_location("benchmark_programs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


PROGRAMS: Any = load_programs()


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    DETECTOR.preload()


class TestGrammars(DetectorContract):
    detector = DETECTOR
    samples = SAMPLES


def test_programs_are_told_and_confidence_means_something() -> None:
    programs = PROGRAMS.all_programs()
    assert len(programs) >= 300
    assert len({program.language for program in programs}) >= 20
    assert all(20 <= program.code.count("\n") <= 200 for program in programs)
    told = [(program, DETECTOR.detect(program.code)) for program in programs]
    wrong = [(p.language, p.name, t) for p, t in told if t.language != p.language]
    assert len(wrong) <= 0.03 * len(programs), wrong
    sure = [p.language == t.language for p, t in told if t.confidence >= 0.9]
    assert len(sure) > 0.9 * len(programs)
    assert sum(sure) >= 0.97 * len(sure)
    assert sum(t.confidence < _SURE_ENOUGH for _, t in told) <= 0.01 * len(programs)


def test_other_generated_programs_are_told_as_well() -> None:
    programs = [each for seed in (2, 3) for each in PROGRAMS.generated(seed)]
    wrong = [p.name for p in programs if DETECTOR.detect(p.code).language != p.language]
    assert len(wrong) <= 0.03 * len(programs), wrong


def test_pieces_of_ten_lines_are_told_mostly() -> None:
    """Cut anywhere, without what comes before."""
    chance = random.Random(1)
    told = []
    for program in PROGRAMS.written():
        lines = program.code.splitlines(keepends=True)
        first = chance.randint(0, len(lines) - 10)
        piece = DETECTOR.detect("".join(lines[first : first + 10]))
        told.append((piece.language == program.language, piece.confidence))
    assert sum(right for right, _ in told) >= 0.93 * len(told)
    sure = [right for right, confidence in told if confidence >= 0.9]
    assert sum(sure) >= 0.97 * len(sure)


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("#!/usr/bin/env -S ruby -w\nx = 1\n", "ruby"),
        ("#!/usr/bin/python3.12\nx = 1\n", "python"),
        ("#! /bin/sh\nx=1\n", "bash"),
        ("<p>Hello, <?= $name ?>!</p>\n<p>Bye.</p>\n", "php"),
        ("<!-- made by hand -->\n<!doctype HTML>\n<title>x</title>\n", "html"),
        ("\ufeffimport os\r\nprint(os.sep)\r\n", "python"),
        ("import subprocess\nsubprocess.call(input(), shell=True)\n", "python"),
        ("#include <iostream>\nint main() { return 0; }\n", "cpp"),
        ("#include <stdio.h>\nint main() { return 0; }\n", "c"),
        ("[1, 2, 3]", "json"),
        ("/*\n * Licence text, which goes on for long.\n */\n" + SAMPLES["java"], "java"),
        ("// " + "über alles Mögliche\n// " * 300 + "\n" + SAMPLES["go"], "go"),
        ("/* a comment */\n" * 1_000 + SAMPLES["rust"], "rust"),
        (" * the end of a comment\n */\n" + SAMPLES["csharp"], "csharp"),
        ('QUERY = """\nSELECT a FROM b\nWHERE c = 1\n"""\n' + SAMPLES["python"], "python"),
        ("@@ -1,3 +1,4 @@\n def f():\n-    pass\n+    return 1\n", "diff"),
    ],
)
def test_what_is_certain(code: str, language: str) -> None:
    told = DETECTOR.detect(code)
    assert told.language == language
    assert told.confidence >= _SURE_ENOUGH


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_a_script_without_types_is_javascript(language: str) -> None:
    code = "let x = 1;\nconst y = x;\nfunction f(a) {\n  return a === y ? x : a;\n}\n"
    if language == "typescript":
        code = code.replace("f(a)", "f(a: number): number")
    assert DETECTOR.detect(code).language == language


@pytest.mark.parametrize("kind", NO_CODE)
def test_what_is_no_code_is_not_taken_for_any(kind: str) -> None:
    assert DETECTOR.detect(NO_CODE[kind]).confidence < _SURE_ENOUGH


def test_noise_is_not_taken_for_code() -> None:
    chance = random.Random(7)
    for most in (0x7F, 0xFF, 0x2FFF):
        for size in (30, 300, 3_000):
            noise = "".join(chr(chance.randint(1, most)) for _ in range(size))
            assert DETECTOR.detect(noise).confidence < _SURE_ENOUGH


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("lead", ["", SAMPLES["java"], SAMPLES["c"]], ids=["alone", "java", "c"])
def test_no_text_takes_long(lead: str, unit: str) -> None:
    """Check texts even after a prefix that makes a certain grammar likely."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    DETECTOR.detect(lead + unit * (100_000 // len(unit)))
    assert time.process_time() - started < SECONDS
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 512 * 1024, "kibibytes"


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(max_size=400), st.lists(st.sampled_from(HOSTILE)).map("".join)))
def test_any_text_has_an_answer_in_order(code: str) -> None:
    told = DETECTOR.detect(code)
    assert 0 <= told.confidence <= 1
    names = [each for each in (told.language, *told.alternatives) if each is not None]
    assert len(set(names)) == len(names)
    assert all(is_known(name) for name in names)


def test_lone_surrogates_are_nothing_special() -> None:
    assert DETECTOR.detect(SAMPLES["python"] + "x = '\ud800'\n").language == "python"


@pytest.fixture
def blocks() -> Iterator[list[str]]:
    """Provide methods of a class, in pieces."""
    code = next(p.code for p in PROGRAMS.written() if p.language == "java")
    yield re.split(r"\n\n", code)


def test_more_of_a_program_makes_surer(blocks: list[str]) -> None:
    confidences = [
        DETECTOR.detect("\n\n".join(blocks[:count])).confidence for count in (1, 2, len(blocks))
    ]
    assert confidences == sorted(confidences)
    assert confidences[0] < confidences[-1]
