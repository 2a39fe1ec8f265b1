"""Defects that several tools report: weakness classes with the same meaning, and bandit tests that
do not run because our own rules find the same.

Where one tool says CWE-78, another says CWE-77 or CWE-88. The relations are those of the CWE list
(parents, children and peers), limited to classes that tools report at the same position in code.
"""

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
    """Return a name for the classes that describe the same defect as a class such as `CWE-78`.

    A class without relatives is its own family.
    """
    number = _numbers().get(cwe)
    return cwe if number is None else f"family {number}"


def related(one: str, other: str) -> bool:
    """Return whether two classes, such as `CWE-78` and `CWE-77`, may name one defect."""
    return family(one) == family(other)


# Tests that do not run because of false positives, or because our own rules, which trace values,
# find the same with fewer false positives. `rule X` names the one that took over, a rule of
# the patterns analyzer unless it says otherwise.
_DROPPED = """
101 an assertion alone is not a defect
102 rule python-code-injection: exec() of a constant is harmless
103 rule python-file-permissions: letting a group read or run a file is harmless
104 servers in containers listen on all addresses
105 rule hard-coded-password of the secrets analyzer, which looks at the value
106 rule hard-coded-password of the secrets analyzer, which looks at the value
107 rule hard-coded-password of the secrets analyzer, which looks at the value
108 rule python-insecure-temporary-file: a path that is only read or passed on is harmless
110 rule python-swallowed-error: some errors need no handling
112 rule python-swallowed-error: some errors need no handling
202 rule python-path-traversal-archive: the members may be checked elsewhere
301 rule python-deserialization: trusted or signed data is harmless
302 rule python-deserialization: trusted or signed data is harmless
303 rule python-weak-hash: checksums and cache keys need no strong hash
307 rule python-code-injection: eval() of a constant is harmless
308 rule python-xss-marked-safe: constants and escaped text are harmless
310 rule python-ssrf: a constant URL is harmless
311 rule python-predictable-random: games and samples need no secret randomness
313 rule python-xml-entity-expansion: a trusted file is harmless
314 rule python-xml-entity-expansion: a trusted file is harmless
315 rule python-xml-entity-expansion: a trusted file is harmless
316 rule python-xml-entity-expansion: a trusted file is harmless
317 rule python-xxe: a trusted file is harmless
318 rule python-xml-entity-expansion: a trusted file is harmless
319 rule python-xml-entity-expansion: a trusted file is harmless
320 rule python-xxe-default-parser: a trusted file is harmless
321 rule python-cleartext-transport: the test also reports FTP_TLS
324 rule python-weak-hash: checksums and cache keys need no strong hash
325 rule python-insecure-temporary-file: the function has been removed from Python
401 importing a module alone is not a defect
402 importing a module alone is not a defect
403 importing a module alone is not a defect
404 importing a module alone is not a defect
405 importing a module alone is not a defect
406 importing a module alone is not a defect
407 importing a module alone is not a defect
408 importing a module alone is not a defect
409 importing a module alone is not a defect
410 importing a module alone is not a defect
411 importing a module alone is not a defect
412 importing a module alone is not a defect
413 importing a module alone is not a defect; PyCryptodome has the same name
414 importing a module alone is not a defect
415 importing a module alone is not a defect
504 rule python-outdated-tls: the default version alone is not a defect
506 rule python-yaml-deserialization: which knows all names of the safe loaders
601 rule python-command-injection: a constant or quoted command is harmless
602 rule python-command-injection: a constant or quoted command is harmless
603 starting a program without a shell is the recommended way
604 an argument named shell of an arbitrary function says nothing
605 rule python-command-injection: a constant or quoted command is harmless
606 starting a program without a shell is the recommended way
607 looking a program up in the search path is common
608 rule python-sql-injection: text that looks like SQL may not be a statement or contain values
610 rule python-sql-injection: extra() may have constants only
611 rule python-sql-injection: RawSQL() may have a constant statement
614 rule python-deserialization: newer versions load weights only
615 a model with a fixed name but no fixed revision is common
701 rule python-template-without-escaping: templates need not be for pages
702 rule python-template-without-escaping: filters may escape
703 rule python-xss-marked-safe: constants and escaped text are harmless
704 rule python-xss-marked-safe: constants and escaped text are harmless
"""
_REASONS = dict(line.split(maxsplit=1) for line in _DROPPED.strip().splitlines())

DROPPED_TESTS = frozenset(f"B{number}" for number in _REASONS)
"""Bandit's tests that are not run."""


@cache
def tests_replaced_by(rule_id: str) -> tuple[str, ...]:
    """Return the numbers of the bandit tests that one of our rules replaces."""
    words = f"rule {rule_id}"
    return tuple(
        number
        for number, reason in _REASONS.items()
        if reason == words or reason.startswith((f"{words}:", f"{words} ", f"{words},"))
    )
