"""Which of ruff's rules each kind takes.

What a rule does is proved afterwards, place by place, so a rule is here if its fixes are mostly of
use; and not here if what it does is known to change what a program does, whatever it is called.
"""

from __future__ import annotations

# Shorter conditions, choices and returns.
_SIMPLER = (
    "SIM101 SIM102 SIM103 SIM105 SIM108 SIM109 SIM110 SIM114 SIM117 SIM118 SIM201 SIM202 SIM208"
    " SIM210 SIM211 SIM212 SIM300 SIM401 SIM910 SIM911 RET501 RET502 RET503 RET504 RET505"
    " RET506 RET507 RET508 PIE790 PIE800 PIE804 PIE807 PIE808 PIE810 PLR0402 PLR1701 PLR1711"
    " PLR1714 PLR1716 PLR1730 PLR5501 PLC0414 PLW0120 PLW0245 RSE102 FURB105 FURB110 FURB136"
    " FURB168 FURB169 FURB171 RUF010 RUF019 B009 B010 B013 B014 B033 C419 E401 E703 E711 E713 E714"
    " W291 W293 W605 F401 F541 F811 F841 E731 RUF021 ISC001 ISC003 I001"
)
_COLLECTIONS = (
    "C400 C401 C402 C403 C404 C405 C406 C408 C409 C410 C411 C413 C414 C416 C417 C418 C420"
)
_NEWER = (
    "UP001 UP003 UP004 UP005 UP006 UP007 UP008 UP009 UP010 UP011 UP012 UP015 UP017 UP018 UP019"
    " UP021 UP022 UP024 UP025 UP026 UP028 UP029 UP030 UP031 UP032 UP033 UP034 UP035 UP036"
    " UP037 UP039 UP041 UP043 UP044 UP045 UP050 FLY002 PYI016 PYI025 PYI041 PYI061 FURB105 FURB129"
    " FURB162 FURB166 FURB167 FURB168 FURB169 FURB181 FURB188 RUF010 RUF020 RUF036 RUF041 C400 C401"
    " C402 C403 C404 C405 C406 C409 C410 C416 C417 C418 E711 E713 E714 W605 F401 F541 PIE790"
)
_FASTER = (
    "PERF101 PERF102 PERF401 PERF403 C419 C420 PIE804 PIE808 PIE810 SIM101 SIM110 SIM118 SIM401"
    " SIM910 SIM911 FURB105 FURB110 FURB122 FURB129 FURB161 FURB181 RUF010 RUF017 RUF019"
    " C416 PLC0207 PLR1714 PLR1730 PLR1733 PLR1736 UP011 UP012 UP018 UP028 UP033 UP031 UP032 F541"
)

REFACTOR = tuple(dict.fromkeys(f"{_SIMPLER} {_COLLECTIONS} PERF401 PERF403".split()))
MODERNIZE = tuple(dict.fromkeys(_NEWER.split()))
OPTIMIZE = tuple(dict.fromkeys(f"{_FASTER} {_COLLECTIONS}".split()))

PREVIEW = ("PERF401", "PERF403")
"""Rules whose fixes ruff makes only as a preview. Of all its previews these are taken: what they do
is proved as everything else is."""

DENIED = (
    "E712",  # `x == True` is not `x`, nor `x is True`
    "FURB152",  # a number near pi is not pi
    "FURB192",  # the first of equal elements, and of none, is another
    "FURB163",  # the logarithms round differently
    "F632",  # `is` with a literal is a mistake, but what it does is another thing than `==`
    "PLC0208",  # the order of a set is not that of a list
    "UP020",  # who replaces `io.open` to test something would not meet `open`
    "RUF015",  # of none, another error is raised
)

# Asked for with `aggressive`: what is more of a matter of taste, or seldom provable.
AGGRESSIVE = (
    "B007",
    "RUF005",
    "PLW0108",
    "PLR1722",
    "SIM220",
    "SIM221",
    "SIM222",
    "SIM223",
)
