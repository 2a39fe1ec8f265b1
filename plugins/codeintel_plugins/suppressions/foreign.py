"""Rules of tools that do not run here: comments that name them concern findings about the same
weakness. Names are in lower case, as directives have them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from codeintel.contracts import Category, Finding
from codeintel_plugins.common.weaknesses import related

# Name of a rule and the classes that it is about, the commonest ones of each tool.
_RULES = """
g101 798
g102 200
g103 242
g107 918
g108 489
g110 409
g112 400
g114 400
g115 190
g201 89
g202 89
g203 79
g204 78
g301 276
g302 276
g303 377
g304 22
g305 22
g306 276
g401 327
g402 295
g403 326
g404 338
g405 327
g501 327
g502 327
g505 327
g601 118
eval-used 95
exec-used 95
subprocess-popen-preexec-fn 362
subprocess-run-check 252
bare-except 396
broad-except 396
broad-exception-caught 396
w0122 95
w0123 95
w0702 396
w0703 396
w0718 396
consider-using-with 772
unspecified-encoding 176
security/eval 95
security/open 78
security/marshalload 502
security/yamlload 502
security/jsonload 502
security/iomethods 78
security/compoundhash 328
rails/outputsafety 79
lint/suppressedexception 390
ca2100 89
ca3001 89
ca3002 79
ca3003 22
ca3004 209
ca3006 78
ca3007 601
ca3012 74
ca3075 611
ca2300 502
ca2301 502
ca2302 502
ca2305 502
ca2310 502
ca2315 502
ca2326 502
ca2327 502
ca2328 502
ca5350 327
ca5351 327
ca5359 295
ca5360 502
ca5364 327
ca5379 327
ca5382 614
ca5385 326
ca5389 22
ca5390 321
ca5391 352
ca5394 338
ca5397 327
ca5401 329
ca5403 798
"""
_CLASSES = {
    name: f"CWE-{number}" for name, number in (row.split() for row in _RULES.strip().splitlines())
}
# Names that stand for all that a tool says about security.
_ALL_OF_SECURITY = ("gosec", "security/*")


def foreign_names(finding: Finding) -> Iterator[str]:
    """What comments may call the finding's weakness in other tools."""
    if finding.category is Category.SECURITY:
        yield from _ALL_OF_SECURITY
    if finding.cwe is not None:
        yield from _of_class(finding.cwe)


@cache
def _of_class(cwe: str) -> tuple[str, ...]:
    return tuple(name for name, other in _CLASSES.items() if related(cwe, other))
