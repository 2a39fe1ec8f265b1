"""Results of wrong engines, under each way of comparing: each is detected, by the named check."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from codeintel.contracts import Change, CheckStatus, Equivalence, Range
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import compare

PARSES, EQUIVALENT, INTERFACE, VALUES = "parses", "equivalent", "same_interface", "same_values"


class Case(NamedTuple):
    """Code, an honest answer, and wrong ones with the first check that must fail."""

    equivalence: Equivalence | None
    language: str
    target: str
    before: str
    honest: str
    wrong: dict[str, tuple[str, str]]
    by_model: bool = False
    changes: tuple[Change, ...] = ()


PYTHON = '''"""Prices."""

RATE = 19


def gross(net: int) -> float:
    if net == None:
        raise ValueError("no price")
    return net * (100 + RATE) / 100


def total(nets: list) -> float:
    return sum(list([gross(net) for net in nets]))
'''
TIDY = PYTHON.replace("list([gross(net) for net in nets])", "[gross(net) for net in nets]")
DOCUMENTED = PYTHON.replace("    if net", '    """Give the price with taxes."""\n    if net')
SCRIPT = """function gross(net: number, rate: number = 19): number {
  const names: string[] = ['a,b', 'c'];
  return net * (100 + rate) / 100 + names.join(';').length;
}
export { gross };
"""
STRIPPED = SCRIPT.replace(": number", "").replace(": string[]", "")
QUERY = "SELECT name, SUM(price) AS total FROM orders WHERE price > 10 GROUP BY name ORDER BY total"
IN_SQLITE = f"{QUERY} NULLS LAST"
DELETION = "DELETE FROM orders WHERE price > 10"
JAVA = """class A {
    private final int rate = 19;

    int gross(int net) {
        String mark = "a";
        if (!(mark.length() == 0)) {
            log(net);
        }
        return net * (100 + rate) / 100;
    }

    void log(int value) {
        System.out.println(value);
    }
}
"""
JAVA_PLACE = Change(
    rule="java-negated-comparison", message="It is compared.", range=Range(6, 13, 6, 35)
)


def wrong_python(base: str) -> dict[str, tuple[str, str]]:
    return {
        "drops a function": (base.partition("def total")[0], INTERFACE),
        "changes a constant": (base.replace("RATE = 19", "RATE = 21"), EQUIVALENT),
        "returns prose": ("I would rather not do that.\n", PARSES),
        "is cut off": (base[: base.index("    return net")] + "    return (", PARSES),
        "is another language": ("function gross(net) { return net }\n", PARSES),
        "injects a call": (base.replace("    if net", "    print(net)\n    if net"), EQUIVALENT),
        "swaps an operator": (base.replace("net * (", "net + ("), EQUIVALENT),
        "negates a condition": (base.replace("net == None", "net != None"), EQUIVALENT),
        "raises something else": (base.replace("ValueError", "KeyError"), EQUIVALENT),
        "deletes a statement": (
            base.replace('        raise ValueError("no price")', "        pass"),
            EQUIVALENT,
        ),
    }


CASES = {
    "normal form": Case(
        Equivalence.NORMAL_FORM, "python", "python", PYTHON, TIDY, wrong_python(TIDY)
    ),
    "syntax tree": Case(
        *(Equivalence.SYNTAX_TREE, "python", "python", PYTHON, DOCUMENTED),
        wrong_python(DOCUMENTED),
    ),
    "type removal": Case(
        *(Equivalence.TYPE_REMOVAL, "typescript", "javascript", SCRIPT, STRIPPED),
        {
            "drops a function": ("export {};\n", INTERFACE),
            "changes a constant": (STRIPPED.replace("19", "21"), EQUIVALENT),
            "changes a comma in a text": (STRIPPED.replace("'a,b'", "'a;b'"), EQUIVALENT),
            "drops a separator": (STRIPPED.replace("';'", "''"), EQUIVALENT),
            "returns prose": ("I would rather not do that.\n", PARSES),
            "is cut off": (STRIPPED[:60], PARSES),
            "is another language": ("def gross(net):\n    return net\n", PARSES),
            "injects a call": (STRIPPED.replace("  return", "  fetch('x');\n  return"), EQUIVALENT),
        },
    ),
    "data": Case(
        *(Equivalence.DATA_MODEL, "json", "yaml"),
        '{"rate": 19, "names": ["a", "b"], "on": true}',
        "rate: 19\nnames:\n- a\n- b\n'on': true\n",
        {
            "drops a part": ("rate: 19\nnames:\n- a\n- b\n", EQUIVALENT),
            "changes a constant": ("rate: 21\nnames:\n- a\n- b\n'on': true\n", EQUIVALENT),
            "returns prose": ("I would: rather: not\n", PARSES),
            "is cut off": ("rate: 19\nnames: [a,\n", PARSES),
            "adds a document": ("rate: 19\nnames:\n- a\n- b\n'on': true\n---\nx: 1\n", EQUIVALENT),
        },
    ),
    "query": Case(
        *(Equivalence.QUERY_PLAN, "duckdb", "sqlite", QUERY, IN_SQLITE),
        {
            "drops a condition": (IN_SQLITE.replace(" WHERE price > 10", ""), EQUIVALENT),
            "changes a constant": (IN_SQLITE.replace("10", "11"), EQUIVALENT),
            "renames a column": (IN_SQLITE.replace("total", "sum_"), EQUIVALENT),
            "sorts in another way": (QUERY, EQUIVALENT),
            "returns prose": ("I would rather not do that.", PARSES),
            "is cut off": (QUERY[: QUERY.index("BY name")], PARSES),
            "writes": ("DROP TABLE orders", EQUIVALENT),
        },
    ),
    "deletion": Case(
        *(Equivalence.QUERY_PLAN, "postgres", "postgres", DELETION),
        DELETION.lower().replace("orders", "orders"),
        {
            "drops a condition": ("DELETE FROM orders", EQUIVALENT),
            "changes a constant": (DELETION.replace("10", "1"), EQUIVALENT),
            "does more": (f"{DELETION}; DROP TABLE orders", EQUIVALENT),
        },
    ),
    "local edits": Case(
        *(Equivalence.LOCAL_EDITS, "java", "java", JAVA),
        JAVA.replace("!(mark.length() == 0)", "mark.length() != 0"),
        {
            "drops a function": (JAVA[: JAVA.index("    void log")] + "}\n", EQUIVALENT),
            "changes a constant": (JAVA.replace("19", "21"), EQUIVALENT),
            "returns prose": ("I would rather not do that.\n", PARSES),
            "is cut off": (JAVA[:90], PARSES),
            "is another language": ("def gross(net):\n    return net\n", PARSES),
            "injects a call": (
                JAVA.replace("        return", "        System.exit(1);\n        return"),
                EQUIVALENT,
            ),
            "injects a call where it may change": (
                JAVA.replace("!(mark.length() == 0)", "Runtime.getRuntime().exec(mark) != null"),
                EQUIVALENT,
            ),
        },
        changes=(JAVA_PLACE,),
    ),
    "comments": Case(
        *(Equivalence.COMMENTS, "java", "java", JAVA),
        JAVA.replace("    int gross", "    /** With taxes. */\n    int gross"),
        {
            "deletes a statement": (JAVA.replace("            log(net);\n", ""), EQUIVALENT),
            "changes a constant": (JAVA.replace("19", "21"), EQUIVALENT),
        },
        by_model=True,
    ),
    "a model's conversion": Case(
        *(None, "python", "javascript", PYTHON),
        "const RATE = 19;\nfunction gross(net) {\n  if (net == null) throw new Error('no price');\n"
        "  return net * (100 + RATE) / 100;\n}\nfunction total(nets) {\n"
        "  return nets.map(gross).reduce((a, b) => a + b, 0);\n}\n",
        {
            "is empty": (";\n", VALUES),
            "is a comment": ("// I cannot do that.\n", VALUES),
            "drops a function": (
                "const RATE = 19;\nfunction gross(net) { if (net == null) throw 'no price';\n"
                "  return net * (100 + RATE) / 100; }\n",
                VALUES,
            ),
            "changes a constant": (
                "const RATE = 21;\nfunction gross(net) { if (net == null) throw 'no price';\n"
                "  return net * (100 + RATE) / 100; }\nfunction total(nets) {}\n",
                VALUES,
            ),
        },
        by_model=True,
    ),
}


def ends(case: Case, after: str) -> dict[str, CheckStatus]:
    comparison = Comparison(
        before=case.before,
        after=after,
        language=case.language,
        target=case.target,
        changes=case.changes,
        equivalence=case.equivalence,
        by_model=case.by_model,
    )
    return {check.name: check.status for check in compare(comparison)}


@pytest.mark.parametrize("name", CASES)
def test_an_honest_answer_passes(name: str) -> None:
    case = CASES[name]
    found = ends(case, case.honest)
    assert CheckStatus.FAILED not in found.values()
    assert found["equivalent"] is CheckStatus.PASSED or case.equivalence is None


@pytest.mark.parametrize(
    ("name", "what"), [(name, what) for name, case in CASES.items() for what in case.wrong]
)
def test_a_wrong_answer_is_caught(name: str, what: str) -> None:
    case = CASES[name]
    after, check = case.wrong[what]
    assert after != case.honest, "the answer would be right"
    assert ends(case, after)[check] is CheckStatus.FAILED
