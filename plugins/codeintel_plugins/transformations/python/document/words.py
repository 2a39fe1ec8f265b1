"""Words from names, as in `parseHTTPHeader`."""

from __future__ import annotations

import re


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[^\W\dA-Z_]+\d*|\d+|[^\W_]+")
INITIALS = _listed("""api arn ascii aws cli cpu csrf css csv db dns dom fifo ftp gpu gui hmac html
    http https id ids io ip ipv4 ipv6 iso jpeg json jwt lru md5 ml nlp os pdf png ram rgb rpc
    rsa sha1 sha256 smtp sql ssh ssl svg tcp tls toml tsv tty ttl udp ui uri url urls utc utf8
    uuid xml xpath yaml yml""")
_SPELLED = {"ids": "IDs", "urls": "URLs", "utf8": "UTF-8", "sha256": "SHA-256", "sha1": "SHA-1"}
_SHORT = {
    "acc": "accumulator",
    "addr": "address",
    "arr": "array",
    "arg": "argument",
    "args": "arguments",
    "attr": "attribute",
    "attrs": "attributes",
    "btn": "button",
    "cfg": "configuration",
    "config": "configuration",
    "coords": "coordinates",
    "desc": "description",
    "dest": "destination",
    "dir": "directory",
    "dirs": "directories",
    "env": "environment",
    "fn": "function",
    "func": "function",
    "idx": "index",
    "img": "image",
    "kwargs": "keyword arguments",
    "lang": "language",
    "msg": "message",
    "num": "number",
    "params": "parameters",
    "pos": "position",
    "repo": "repository",
    "prev": "previous",
    "ptr": "pointer",
    "req": "request",
    "resp": "response",
    "sep": "separator",
    "spec": "specification",
    "src": "source",
    "str": "string",
    "temp": "temporary",
    "tmp": "temporary",
    "val": "value",
    "vals": "values",
}
VERBS = _listed("""abort accept access acquire activate adapt add adjust advance aggregate align
    allocate allow analyse analyze annotate append apply archive arrange ask assemble assert
    assign attach authenticate authorize await backup balance begin bind bisect block boot
    bootstrap broadcast browse build bump cache calc calculate call cancel capitalize capture
    cast change charge check choose clamp classify clean cleanup clear click clone close
    collapse collect combine commit compare compile complete compress compute concat concatenate
    configure confirm connect construct consume contain continue convert copy correct count
    crawl create crop cut cycle debug decide declare decode decompress decorate decrease
    decrement decrypt deduplicate define delete deliver depart deposit derive describe deserialize
    destroy detach detect determine dial disable discard disconnect discover dispatch display
    divide do download downgrade draw drop dump duplicate echo edit emit enable encode encrypt
    end enqueue ensure enter enumerate escape estimate evaluate evict examine exchange exclude
    execute exit expand expect explain export expose extend extract fail fetch fill filter
    finalize find finish fire fit fix flatten flip flush fold follow force forget fork format
    forward freeze gather generate get give grab grant group grow guess halt handle hide
    highlight hydrate identify ignore import include increase increment indent index infer
    inform inherit init initialise initialize inject insert inspect install instantiate
    interpolate interpret invalidate invert invoke issue iterate join keep kill launch lay learn
    leave limit link list listen load locate lock log login logout look lookup lower make manage
    map mark mask match measure merge migrate mock modify monitor mount move multiply mutate
    navigate negate normalise normalize notify observe obtain offset open optimise optimize
    order organize pack pad paint parse partition paste patch pause perform permute persist pick
    ping place plan play plot poll pop populate post predict prepare prepend preprocess present
    press prettify prevent print probe process produce promote prompt propagate provide prune
    publish pull purge push put query queue quit quote raise randomize read rebuild receive
    recommend record recover redirect reduce refine refresh refund register reject release
    reload relocate remember remove rename render reorder repair repeat replace replicate reply
    report request require reset reshape resize resolve respond restart restore restrict resume
    retrieve retry return reverse revert revoke rewrite roll rollback rotate round route run
    sample sanitize save say scale scan schedule score scrape scroll search seed seek select
    send separate serialise serialize serve set setup shift show shrink shuffle shutdown
    simplify simulate skip sleep slice solve sort spawn split squash stack start stop store
    stream strip submit subscribe substitute subtract suggest sum summarise summarize supply
    suspend swap switch sync synchronize take teardown tell terminate test throttle throw toggle
    tokenize touch trace track train transfer transform translate traverse trigger trim truncate
    try tune turn unescape uninstall unlock unpack unregister unset unsubscribe unwrap update
    upgrade upload upsert use validate verify visit wait walk warn watch withdraw wrap write
    yield zip""")
SPELLED_OUT = {"calc": "calculate", "init": "initialize", "concat": "concatenate"}
JOINING = _listed("add combine compare concatenate join merge multiply swap")
"""Verbs whose objects are all that they are given."""
STATES = _listed("""is are was were has have had can could should must will would needs need
    supports contains exists allows accepts requires matches equals starts ends includes""")
ACTIONS = _listed("sort search test check update merge split swap walk scan sum hash")


def words(name: str) -> list[str]:
    """The words of a name in lower case, but for initials; at least one."""
    parts = [part.lower() if _is_word(part) else part for part in _PARTS.findall(name)]
    return [_spelled(part) for part in parts] or [name]


def text(parts: list[str]) -> str:
    """Words with abbreviations written out."""
    return " ".join(_SHORT.get(part, part) for part in parts)


def capital(sentence: str) -> str:
    """With a capital letter, unless it begins with a name in quotes."""
    return sentence[:1].upper() + sentence[1:]


def _is_word(part: str) -> bool:
    return not part.isupper() or len(part) > 5 or part.lower() in INITIALS or len(part) == 1


def _spelled(part: str) -> str:
    return _SPELLED.get(part, part.upper()) if part in INITIALS else part
