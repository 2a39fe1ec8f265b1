"""Weakness classes that tools use for one and the same defect.

Where one tool says CWE-78 another says CWE-77 or CWE-88; the relations are those of the CWE list
(parents, children and peers), cut down to those that are told of the same place in code.
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
    """A name for the classes that are told of one defect, such as `CWE-78`; alone in its family, a
    class is its own."""
    number = _numbers().get(cwe)
    return cwe if number is None else f"family {number}"


def related(one: str, other: str) -> bool:
    """Whether two classes, such as `CWE-78` and `CWE-77`, may name one defect."""
    return family(one) == family(other)
