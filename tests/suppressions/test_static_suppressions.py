"""Comments that ask tools to be silent: which findings they concern, and which not."""

from __future__ import annotations

import random
import time

import pytest
from codeintel_plugins.suppressions.comments import comments
from codeintel_plugins.suppressions.keywords import TABLE
from codeintel_plugins.suppressions.marking import mark_suppressed
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from codeintel.contracts import Category, Confidence, Finding, Range, RuleRef, Severity

MAX_CHARACTERS = 100_000
LANGUAGES = [
    *("python", "javascript", "bash", "go", "c", "ruby", "php", "csharp", "swift", "sql", "css"),
    "cpp",
    *("html", "yaml", "rust", None),
]


def finding(
    rule_id: str = "X1", line: int = 1, *also: str, last: tuple[int, int] | None = None
) -> Finding:
    return Finding(
        rule_id=rule_id,
        engine="any",
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        cwe=None,
        message="bad",
        range=Range(line, 1, *(last or (line, 2))),
        also=tuple(RuleRef(each, "other") for each in also),
    )


def asked(code: str, language: str | None, found: Finding) -> tuple[str, int] | None:
    """What asks to ignore the finding: keyword and line."""
    (marked,) = mark_suppressed([found], code, language)
    if not marked.suppression:
        return None
    return marked.suppression.comment, marked.suppression.line


def lines_asked(code: str, language: str | None, rule_id: str = "X1") -> list[int]:
    """The lines on which a finding of the rule would be marked."""
    count = code.count("\n") + 1
    found = mark_suppressed(
        [finding(rule_id, line) for line in range(1, count + 1)], code, language
    )
    return [each.range.start_line for each in found if each.suppression]


# (language, one line of code, rule, what asks to ignore a finding of the rule on it)
ON_A_LINE = [
    ("python", "x = 1  # noqa", "X1", "noqa"),
    ("python", "x = 1  #NoQA", "X1", "noqa"),
    ("python", "x = 1  # noqa: E501,S602", "S602", "noqa"),
    ("python", "x = 1  # noqa:E501 S602 as it is known", "S602", "noqa"),
    ("python", "x = 1  # noqa: S6", "S602", "noqa"),
    ("python", "x = 1  # noqa: E501", "S602", None),
    ("python", "x = 1  # noqa: because we know", "S602", "noqa"),
    ("python", "x = 1  # why not # noqa", "X1", "noqa"),
    ("python", "x = 1  # all about noqa", "X1", None),
    ("python", "x = 1  # noqaX", "X1", None),
    ("python", "x = '# noqa'", "X1", None),
    ("python", "x = '''# noqa''' # nosec", "X1", "nosec"),
    ("python", "x = 'it\\'s # noqa'", "X1", None),
    ("python", "x = 1  # type: ignore", "X1", None),
    ("python", "x = 1  # nosec", "X1", "nosec"),
    ("python", "x = 1  # nosec B602", "B602", "nosec"),
    ("python", "x = 1  # nosec: B101, B602", "B602", "nosec"),
    ("python", "x = 1  # nosec B101", "B602", None),
    ("python", "x = 1  # nosec assert_used", "B602", None),
    ("python", "x = 1  # nosec because it is safe", "B602", "nosec"),
    ("python", "x = 1  # NOSONAR", "X1", "NOSONAR"),
    ("python", "x = 1  # NOSONAR(S1, X1) known", "X1", "NOSONAR"),
    ("python", "x = 1  # NOSONAR(S1)", "X1", None),
    ("python", "x = 1  # nosonar", "X1", None),
    ("python", "x = 1  # lgtm", "X1", "lgtm"),
    ("python", "x = 1  # lgtm [py/a, py/b]", "py/b", "lgtm"),
    ("python", "x = 1  # lgtm[py/a]", "py/b", None),
    ("python", "x = 1  # pylint: disable=all", "X1", "pylint: disable"),
    ("python", "x = 1  # pylint:disable = a, R0913 # why", "PLR0913", "pylint:disable"),
    ("python", "x = 1  # pylint: disable=a", "X1", None),
    ("python", "x = 1  # pylint: disable", "X1", None),
    ("python", "x = 1  # eslint-disable-line", "X1", None),
    ("javascript", "x()  // eslint-disable-line", "X1", "eslint-disable-line"),
    ("javascript", "x()  /* eslint-disable-line a, no-eval */", "no-eval", "eslint-disable-line"),
    ("javascript", "x()  // eslint-disable-line a -- no-eval", "no-eval", None),
    *(
        ("typescript", f"x()  // eslint-disable-line {name}", "typescript/no-x", keyword)
        for name, keyword in (
            ("no-x", "eslint-disable-line"),
            ("typescript/no-x", "eslint-disable-line"),
            ("@typescript-eslint/no-x", "eslint-disable-line"),
            ("react/no-x", None),
        )
    ),
    ("javascript", "x()  // oxlint-disable-line no-eval", "no-eval", "oxlint-disable-line"),
    ("javascript", "x()  // eslint-disable-lines", "X1", None),
    ("javascript", "x('// eslint-disable-line')", "X1", None),
    ("javascript", "x(`\\` // eslint-disable-line`)", "X1", None),
    ("javascript", "x(/'/) // eslint-disable-line", "X1", "eslint-disable-line"),
    ("javascript", "x = a / b // eslint-disable-line", "X1", "eslint-disable-line"),
    ("typescript", "x()  // @ts-ignore", "X1", None),
    ("javascript", "x()  // nosemgrep", "X1", "nosemgrep"),
    ("go", "x()  // it is safe: nosem", "X1", "nosemgrep"),
    ("go", "x()  // nosemgrep: a.b, X1", "X1", "nosemgrep"),
    ("go", "x()  // nosemgrep: a.b", "X1", None),
    ("go", "x()  // #nosec", "X1", "nosec"),
    ("go", "x()  /* #nosec G104 -- said */", "G104", "nosec"),
    ("go", "x()  // #nosec G104", "G204", None),
    ("go", "x()  //gosec:disable G204 -- said", "G204", "gosec:disable"),
    ("go", "x()  //nolint", "X1", "nolint"),
    ("go", "x()  //nolint:errcheck,X1 // why", "X1", "nolint"),
    ("go", "x()  //nolint:errcheck", "X1", None),
    ("go", "x := `//nolint`", "X1", None),
    ("c", "x();  // NOLINT", "X1", "NOLINT"),
    ("cpp", "x();  // NOLINT(a, google-*)", "google-x", "NOLINT"),
    ("cpp", "x();  // NOLINT(a)", "google-x", None),
    ("cpp", "x();  // NOLINT()", "X1", None),
    ("cpp", "x();  // nolint", "X1", None),
    ("cpp", 'x("// NOLINT");', "X1", None),
    ("cpp", "x('\"');  // NOLINT", "X1", "NOLINT"),
    ("cpp", "x(1'000);  // NOLINT", "X1", "NOLINT"),
    ("java", "x();  // NOPMD", "X1", "NOPMD"),
    ("java", "x();  // NOSONAR", "X1", "NOSONAR"),
    ("ruby", "x # rubocop:disable all", "X1", "rubocop:disable"),
    ("ruby", "x # rubocop:disable Style/A, Security/Eval", "Security/Eval", "rubocop:disable"),
    ("ruby", "x # rubocop:todo Security", "Security/Eval", "rubocop:todo"),
    ("ruby", "x # rubocop:disable Style", "Security/Eval", None),
    ("php", "x(); // phpcs:ignore", "X1", "phpcs:ignore"),
    ("php", "x(); # phpcs:ignore A.B.C, D.E -- why", "D.E.F", "phpcs:ignore"),
    ("php", "x(); // phpcs:ignore A.B", "D.E.F", None),
    ("swift", "x() // swiftlint:disable:this X1", "X1", "swiftlint:disable:this"),
    ("sql", "SELECT 1 -- noqa: LT01", "LT01", "noqa"),
    ("sql", "SELECT '-- noqa'", "LT01", None),
    ("css", "a { } /* stylelint-disable-line */", "X1", "stylelint-disable-line"),
    ("rust", "let a: &'a str = x; // nosemgrep", "X1", "nosemgrep"),
    ("bash", "echo ${#a} $# a#nosemgrep", "X1", None),
    ("bash", "echo a # nosemgrep", "X1", "nosemgrep"),
    ("bash", "echo a # shellcheck disable=SC2086", "SC2086", None),
    ("cobol", "MOVE A TO B. # nosemgrep", "X1", "nosemgrep"),
    (None, "x = 1 # noqa", "X1", "noqa"),
    (None, "x = 1 // eslint-disable-line", "X1", "eslint-disable-line"),
]


@pytest.mark.parametrize(("language", "line", "rule_id", "keyword"), ON_A_LINE)
def test_comments_about_their_own_line(
    language: str | None, line: str, rule_id: str, keyword: str | None
) -> None:
    code = f"a\n{line}\nb\n"
    expected = None if keyword is None else (keyword, 2)
    assert asked(code, language, finding(rule_id, 2)) == expected
    assert asked(code, language, finding(rule_id, 1)) is None
    assert asked(code, language, finding(rule_id, 3)) is None


# (language, code, rule, the lines on which it is to be ignored)
BEYOND_A_LINE = [
    ("javascript", "// eslint-disable-next-line a, X1\nb\nc", "X1", [2]),
    ("javascript", "/* eslint-disable-next-line\n  X1 */\nb\nc", "X1", [3]),
    ("javascript", "a // eslint-disable-next-line\nb\nc", "X1", [2]),
    ("javascript", "a\n/* eslint-disable */\nb\n/* eslint-enable */\nc", "X1", [2, 3]),
    ("javascript", "/* eslint-disable a */\nb\n/* eslint-disable X1 */\nc", "X1", [3, 4]),
    ("javascript", "/* eslint-disable */\nb\n/* eslint-enable X1 */\nc", "X1", [1, 2]),
    ("javascript", "/* eslint-disable */\nb\n/* eslint-enable a */\nc", "X1", [1, 2, 3, 4]),
    ("javascript", "/* eslint-disable X1 */\nb\n/* eslint-enable */\nc", "X1", [1, 2]),
    ("javascript", "/* eslint-disable */\nb\n/* oxlint-enable */\nc", "X1", [1, 2, 3, 4]),
    ("vue", "<!-- eslint-disable-next-line X1 -->\n<a>", "X1", [2]),
    ("go", "// #nosec\nb\nc", "X1", [2]),
    ("go", "//nolint:X1\nb\nc", "X1", [2]),
    ("python", "# nosemgrep\nb\nc", "X1", [2]),
    ("python", "# nosec\nb\nc", "X1", [1]),
    ("python", "# codeql[py/x]\nb\nc", "py/x", [2]),
    ("python", "a # codeql[py/x]\nb", "py/x", []),
    ("python", "a\n# ruff: noqa\nb", "X1", [1, 2, 3]),
    ("python", "a\n# ruff: noqa: F401, X1\nb", "X1", [1, 2, 3]),
    ("python", "a\n# flake8: noqa: F401\nb", "X1", []),
    ("python", "a # ruff: noqa\nb", "X1", [1]),
    ("python", "# pylint: skip-file\nb", "X1", [1, 2]),
    ("python", "# pylint: disable-next=X1\nb\nc", "X1", [2]),
    ("python", "a\n# pylint: disable=X1\nb\n# pylint: enable=X1\nc", "X1", [2, 3]),
    ("python", "def f():\n    # pylint: disable=X1\n    a\n\n    b\nc", "X1", [2, 3, 4, 5]),
    ("python", "def f():  # pylint: disable=X1\n    a\n  # x\n    b\nc", "X1", [1, 2, 3, 4]),
    (
        "python",
        "# pylint: disable=X1\ndef f():\n    # pylint: disable=X1\n    a\nc",
        "X1",
        [1, 2, 3, 4, 5],
    ),
    ("bash", "#!/bin/sh\n# shellcheck disable=SC1\na\nb", "SC1", [1, 2, 3, 4]),
    ("bash", "a\n# shellcheck disable=SC1\n\n# why\nb\nc", "SC1", [5]),
    ("bash", "a\n# shellcheck disable=1,2 # why\nb", "SC2", [3]),
    ("bash", "a\n# shellcheck disable=SC1\n# shellcheck disable=SC2\nb\nc", "SC1", [4]),
    ("bash", "a\n# shellcheck disable=all\nb \\\n  c \\\n  d\ne", "X1", [3, 4, 5]),
    ("bash", "a\n# shellcheck disable=SC1-SC9\nb\nc", "SC5", [3]),
    (
        "bash",
        "a\n# shellcheck disable=SC1\nif b; then\n  if c; then\n  d\n  fi\nfi\ne",
        "SC1",
        [3, 4, 5, 6, 7],
    ),
    ("bash", "a\n# shellcheck disable=SC1\nif b; then c; fi\nd", "SC1", [3]),
    ("bash", "a\n# shellcheck disable=SC1\nf() {\n  b\n}\nd", "SC1", [3, 4, 5]),
    ("bash", "a\n# shellcheck disable", "SC1", []),
    ("dockerfile", "FROM a\n# hadolint ignore=DL1\nRUN b \\\n c\nRUN d", "DL1", [3, 4]),
    ("cpp", "// NOLINTNEXTLINE(X1)\nb\nc", "X1", [2]),
    ("cpp", "a\n// NOLINTBEGIN(X1)\nb\n// NOLINTEND(X1)\nc", "X1", [2, 3]),
    ("ruby", "a\n# rubocop:disable A/B\nb\n# rubocop:enable A/B\nc", "A/B", [2, 3]),
    ("ruby", "a\n# rubocop:disable A\nb\n# rubocop:enable A\nc", "A/B", [2, 3]),
    ("php", "// phpcs:ignore A.B\nb\nc", "A.B", [2]),
    ("php", "a\n// phpcs:disable\nb\n// phpcs:enable\nc", "X1", [2, 3]),
    ("php", "a\n// phpcs:ignoreFile\nb", "X1", [1, 2, 3]),
    ("csharp", "a\n#pragma warning disable\nb\n#pragma warning restore\nc", "X1", [2, 3]),
    ("csharp", "  #pragma warning disable 168, CA2 // why\nb", "CS0168", [1, 2]),
    ("csharp", "// #pragma warning disable\nb", "X1", []),
    ("csharp", 'a(@"\\"); // NOSONAR\nb', "X1", [1]),
    ("swift", "// swiftlint:disable X1 b\na\n// swiftlint:enable X1\nc", "X1", [1, 2]),
    ("swift", "// swiftlint:disable:next X1\na\nb", "X1", [2]),
    ("swift", "a\n// swiftlint:disable:previous X1\nb", "X1", [1]),
    ("sql", "-- noqa: disable=LT01\na\n-- noqa: enable=LT01\nb", "LT01", [1, 2]),
    ("sql", "-- noqa: disable=all\na", "LT01", [1, 2]),
    ("java", 'a;\n@SuppressWarnings("all")\nvoid f() {\n  b;\n}\nc;', "X1", [3, 4, 5]),
    ("java", '@SuppressWarnings({"unchecked", "all"})\nclass A {\n  b;\n}\nc', "X1", [2, 3, 4]),
    ("java", '@SuppressWarnings("unchecked")\nclass A {\n  b;\n}', "X1", []),
    ("java", 's = "@SuppressWarnings(\\"all\\")";\nb;', "X1", []),
    ("scss", "// stylelint-disable-next-line\na", "X1", [2]),
]


@pytest.mark.parametrize(("language", "code", "rule_id", "lines"), BEYOND_A_LINE)
def test_comments_about_other_lines(
    language: str, code: str, rule_id: str, lines: list[int]
) -> None:
    assert lines_asked(code, language, rule_id) == lines
    assert lines_asked(code.replace("\n", "\r\n"), language, rule_id) == lines


# (language, code, the lines on which a comment asks to ignore a finding)
IN_LONG_STRINGS = [
    ("ruby", "x = <<~T # nosemgrep\n # nosemgrep\n  T\ny # nosemgrep\n", [1, 4]),
    ("ruby", "f(<<-A, <<'B')\n# nosemgrep\nA\n# nosemgrep\nB\ny # nosemgrep\n", [6]),
    ("ruby", "x <<T # nosemgrep\ny # nosemgrep\n", [1, 2]),
    ("ruby", "x = %q(a\n # nosemgrep (b)\n # nosemgrep\n)\ny # nosemgrep\n", [5]),
    ("ruby", "x = %w[a\n # nosemgrep\n]\ny # nosemgrep\n", [4]),
    ("ruby", "x = %(a\n # nosemgrep\n)\ny # nosemgrep\n", [4]),
    ("ruby", "x = %Q|a\n # nosemgrep\n|\ny # nosemgrep\n", [4]),
    ("ruby", "x = a %w\ny # nosemgrep\n", [2]),
    ("ruby", "=begin\n# nosemgrep\n=end\ny # nosemgrep\n", [4]),
    ("ruby", "y # nosemgrep\n__END__\n# nosemgrep\n", [1]),
    ("cpp", 'auto x = R"(\n// NOLINT\n)";\ny(); // NOLINT\n', [4]),
    ("cpp", 'auto x = u8R"a(\n)" // NOLINT\n)a"; // NOLINT\n', [3]),
    ("rust", 'let x = r#"\n" // nosemgrep\n"#; // nosemgrep\n', [3]),
    ("sql", "SELECT 'a\n-- noqa\n''b\n-- noqa', 1 -- noqa\nFROM x -- noqa\n", [4, 5]),
    ("sql", "SELECT 'it\\'s' -- noqa\n, 'C:\\' -- noqa\n", [1, 2]),
    ("bash", "cat <<'T' # nosemgrep\n# nosemgrep\nT\nx # nosemgrep\n", [1, 4]),
    ("bash", "cat <<<T\n# a\nx # nosemgrep\nT\n", [3]),
    ("php", "$x = f(<<<T\n// phpcs:ignore\n  T, 1); // phpcs:ignore\n", [3]),
    ("php", "$x = <<<'T'\n// phpcs:ignore\nT;\ny(); // phpcs:ignore\n", [4]),
]


@pytest.mark.parametrize(("language", "code", "lines"), IN_LONG_STRINGS)
def test_what_stands_in_a_string_over_lines_is_no_comment(
    language: str, code: str, lines: list[int]
) -> None:
    assert lines_asked(code, language) == lines


def test_every_keyword_has_an_example() -> None:
    used = {language for language, *_ in (*ON_A_LINE, *BEYOND_A_LINE)}
    assert {name for row in TABLE for name in row.languages.split()[:1]} <= used


def test_another_tool_s_id_of_the_same_defect_counts() -> None:
    code = "x = 1  # nosec B602"
    assert asked(code, "python", finding("S602", 1, "B602")) == ("nosec", 1)
    assert asked(code, "python", finding("S602", 1, "B605")) is None


def test_a_finding_over_several_lines_is_concerned_at_both_ends() -> None:
    code = "x(\n  # noqa\n)  # nosec\ny"
    assert asked(code, "python", finding(last=(3, 2))) == ("nosec", 3)
    assert asked(code, "python", finding(last=(4, 1))) == ("nosec", 3)
    assert asked(code, "python", finding(last=(4, 2))) is None


def test_findings_keep_their_order_and_everything_else() -> None:
    found = [finding("A1", 2), finding("B1", 1), finding("A1", 1)]
    marked = mark_suppressed(iter(found), "x  # noqa: A1\ny  # noqa\n", "python")
    assert [each.suppression and each.suppression.line for each in marked] == [2, UNSET, 1]
    facts = [(each.rule_id, each.range) for each in found]
    assert [(each.rule_id, each.range) for each in marked] == facts
    assert mark_suppressed(found, "x\ny\n", "python") == tuple(found)


def test_each_rule_of_a_finding_is_looked_at_by_itself() -> None:
    code = "/* eslint-disable */\n/* eslint-enable A */\nx()\n"
    assert asked(code, "javascript", finding("A", 3)) is None
    assert asked(code, "javascript", finding("A", 3, "B")) == ("eslint-disable", 1)


@given(
    st.text(st.sampled_from("#/*'\"`\\ \n\r<!->{}()=:,ab"), max_size=60), st.sampled_from(LANGUAGES)
)
def test_comments_are_parts_of_the_code_in_order(code: str, language: str | None) -> None:
    end = 0
    for comment in comments(code, language):
        assert code[comment.start : comment.start + len(comment.text)] == comment.text
        assert comment.text
        assert comment.start >= end
        end = comment.start + len(comment.text)
        before = code[: comment.start].replace("\r", "\n").rpartition("\n")[2]
        assert comment.alone is not before.strip()


PIECES = [
    *("# noqa: E1\n", "// eslint-disable a\n", "/* eslint-enable b */\n", "#nosec ", "noqa ", "\n"),
    *("# pylint: disable=a\n ", "# shellcheck disable=SC1\nif x\n", "'\\'", '"\\', "/*", "*/", "`"),
    *("<<A ", "A\n", "<<~'A'\n", "<<<A\n", "%q(", "%w[", ")", "=begin\n", "=end\n", 'R"x(', ')x"'),
    *('r#"', '"#', "%q|", "__END__ "),
    *("// NOLINTBEGIN(a*)\n", "# shellcheck disable=SC1\na \\\n", "<!--", "-->", "'''", "  ", "#"),
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.sampled_from(LANGUAGES),
    st.lists(st.tuples(st.sampled_from(["E1", "a", "SC1", "X"]), st.integers(1, 40)), max_size=5),
)
def test_any_code_is_answered(
    code: str, language: str | None, places: list[tuple[str, int]]
) -> None:
    marked = mark_suppressed([finding(*place) for place in places], code, language)
    last = len(code.splitlines()) + 1
    assert all(1 <= each.suppression.line <= last for each in marked if each.suppression)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_code_takes_linear_time(language: str | None) -> None:
    chosen = random.Random(1)
    mixture = "".join(chosen.choices(PIECES, k=MAX_CHARACTERS // 8))
    repeated = (piece * (MAX_CHARACTERS // len(piece)) for piece in PIECES)
    nested = "".join(f"{' ' * (n % 400)}# pylint: disable=a{n}\n" for n in range(500))
    found = [finding(f"rule-{n}", 1 + n) for n in range(2_000)]
    begin = time.process_time()
    codes = [*repeated, mixture, nested]
    for code in codes:
        mark_suppressed(found, code[:MAX_CHARACTERS] + "\n# noqa // nosemgrep", language)
    assert (time.process_time() - begin) / len(codes) < 2


@pytest.mark.parametrize(
    ("comment", "is_marked"),
    [("nosec B602", True), ("noqa: S602", True), ("noqa: E501", False), ("nosec B501", False)],
)
def test_a_test_of_another_tool_for_the_same_weakness_concerns_our_rule(
    comment: str, is_marked: bool
) -> None:
    code = f"run(x)  # {comment}\n"
    given_ = Finding(
        rule_id="python-shell-command",
        engine="patterns",
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        cwe="CWE-78",
        message="here",
        range=Range(1, 1, 1, 7),
    )
    (found,) = mark_suppressed([given_], code, "python")
    assert (found.suppression is not UNSET) is is_marked


# (language, comment, class of our finding, whether it concerns that)
BY_WEAKNESS = [
    ("go", "//nolint:gosec", "CWE-78", True),
    ("go", "//nolint:errcheck", "CWE-78", False),
    ("go", "// #nosec G204", "CWE-78", True),
    ("go", "// #nosec G204 -- said", "CWE-77", True),
    ("go", "// #nosec G401", "CWE-78", False),
    ("ruby", "# rubocop:disable Security/Eval", "CWE-95", True),
    ("ruby", "# rubocop:disable Security", "CWE-78", True),
    ("ruby", "# rubocop:disable Style/Semicolon", "CWE-95", False),
    ("python", "# pylint: disable=eval-used", "CWE-95", True),
    ("python", "# pylint: disable=W0123", "CWE-94", True),
    ("python", "# pylint: disable=eval-used", "CWE-89", False),
    ("csharp", "// NOSONAR", "CWE-89", True),
]


@pytest.mark.parametrize(("language", "comment", "cwe", "is_marked"), BY_WEAKNESS)
def test_a_rule_of_a_tool_that_does_not_run_counts_by_its_weakness(
    language: str, comment: str, cwe: str, is_marked: bool
) -> None:
    given_ = replace(finding("our-rule"), cwe=cwe, category=Category.SECURITY)
    assert (asked(f"run(x)  {comment}\n", language, given_) is not None) is is_marked


@pytest.mark.parametrize(("code", "marked"), [("CA2100", True), ("CA5350", False), ("", True)])
def test_warnings_of_csharp_count_by_their_weakness(code: str, marked: bool) -> None:
    given_ = replace(finding("our-rule", 2), cwe="CWE-89", category=Category.SECURITY)
    text = f"#pragma warning disable {code}\nrun(x);\n"
    assert (asked(text, "csharp", given_) is not None) is marked


def test_nosec_within_a_call_concerns_it() -> None:
    code = "x(\n  a,  # nosec B602\n  b,\n)\n"
    call = replace(finding("B602", last=(4, 2)), category=Category.SECURITY)
    assert asked(code, "python", call) == ("nosec", 2)
    assert asked(code.replace("nosec B602", "nosec B501"), "python", call) is None
    assert asked(code.replace("nosec B602", "noqa"), "python", call) is None
