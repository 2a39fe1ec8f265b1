"""Defects that several tools know: weakness classes that mean the same, and bandit's tests that
are not run because our own rules find the same.

Where one tool says CWE-78 another says CWE-77 or CWE-88; the relations are those of the CWE list
(parents, children and peers), cut down to those that are told of the same place in code."""

from __future__ import annotations

from functools import cache

_FAMILIES = """
77 78 88
89 564
74 94 95 96 470 917 1336
22 23 24 35 36 73 98 99
79 80 83 87 116
502
611 776 827
326 327 328 329 759 760 780 916 1204 1240
330 331 332 334 335 336 337 338 340 341 1241
256 257 258 259 260 321 522 547 798
295 296 297 298 299 599
311 319 523 757
312 313 315 316
532 534 538
200 201 209 210 211 497 550 756
215 489
284 285 287 306 425 565 639 807 862 863
352
384
614 1004 1275
250 269 272 273 276 277 279 281 732
377 378 379
362 363 364 366 367 609
413 414 662 667 764 765 832 833
185 186 400 409 730 770 789 1333
401 404 771 772 775
119 120 121 122 123 124 125 126 127 129 131 170 193 242 676 680 785 786 787 788 805 806 823
415 416 562 590 672 762 763 825
456 457 665 824 908
252 253 476 690
134
128 190 191 192 194 195 196 197 681
369
467
480 481 482 483 783
486 595 597 697 1024 1025
561 570 571
563
674 834 835
588 704 843
628 683 685 686 687 688
248 390 391 396 397 544 703 754 755 1069
203 208 385
258 521
346 942
290 294 345 347
353 494 829 830
351 434 646
90
91 643 652
93 113 644
117
501
601
918
943
621 913 914 915 1321
"""


@cache
def _numbers() -> dict[str, int]:
    rows = _FAMILIES.strip().splitlines()
    return {f"CWE-{name}": number for number, row in enumerate(rows) for name in row.split()}


def family(cwe: str) -> str:
    """A name for the classes that are told of one defect, such as `CWE-78`; alone in its family, a
    class is its own."""
    number = _numbers().get(cwe)
    return cwe if number is None else f"family {number}"


def related(one: str, other: str) -> bool:
    """Whether two classes, such as `CWE-78` and `CWE-77`, may name one defect."""
    return family(one) == family(other)


# Tests that are not run: they speak up where nothing is wrong, or our own rules, which know where
# values come from, find the same and suspect less. `rule X` names the one that took over, a rule of
# the patterns analyzer unless it says otherwise.
_DROPPED = """
101 an assertion is no defect by itself
102 rule python-code-injection: exec() of a constant does no harm
103 rule python-file-permissions: to let a group read or run a file does no harm
104 to listen on all addresses is what servers in containers do
105 rule hard-coded-password of the secrets analyzer, which looks at the value
106 rule hard-coded-password of the secrets analyzer, which looks at the value
107 rule hard-coded-password of the secrets analyzer, which looks at the value
108 rule python-insecure-temporary-file: a path that is only read or passed on does no harm
110 rule python-swallowed-error: some errors need nothing done about them
112 rule python-swallowed-error: some errors need nothing done about them
202 rule python-path-traversal-archive: members may have been checked before
301 rule python-deserialization: data of one's own, or signed data, does no harm
302 rule python-deserialization: data of one's own, or signed data, does no harm
303 rule python-weak-hash: checksums and cache keys need no strong hash
307 rule python-code-injection: eval() of a constant does no harm
308 rule python-xss-marked-safe: constants and escaped text do no harm
310 rule python-ssrf: a constant address does no harm
311 rule python-predictable-random: games and samples need no secret randomness
313 rule python-xml-entity-expansion: a file of one's own does no harm
314 rule python-xml-entity-expansion: a file of one's own does no harm
315 rule python-xml-entity-expansion: a file of one's own does no harm
316 rule python-xml-entity-expansion: a file of one's own does no harm
317 rule python-xxe: a file of one's own does no harm
318 rule python-xml-entity-expansion: a file of one's own does no harm
319 rule python-xml-entity-expansion: a file of one's own does no harm
320 rule python-xxe-default-parser: a file of one's own does no harm
321 rule python-cleartext-transport: FTP_TLS is meant by it, too
324 rule python-weak-hash: checksums and cache keys need no strong hash
325 rule python-insecure-temporary-file: the function has been removed from Python
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
504 rule python-outdated-tls: the default version is no defect by itself
506 rule python-yaml-deserialization: which knows the safe loaders by all their names
601 rule python-command-injection: a constant or quoted command does no harm
602 rule python-command-injection: a constant or quoted command does no harm
603 to start a program without a shell is what should be done
604 an argument called shell of any function says nothing
605 rule python-command-injection: a constant or quoted command does no harm
606 to start a program without a shell is what should be done
607 to look a program up in the search path is usual
608 rule python-sql-injection: text that looks like SQL need not be a statement, nor have values
610 rule python-sql-injection: extra() may have constants only
611 rule python-sql-injection: RawSQL() may have a constant statement
614 rule python-deserialization: newer versions load weights only
615 a model of a fixed name, if not of a fixed revision, is usual
701 rule python-template-without-escaping: templates need not be for pages
702 rule python-template-without-escaping: filters may escape
703 rule python-xss-marked-safe: constants and escaped text do no harm
704 rule python-xss-marked-safe: constants and escaped text do no harm
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
