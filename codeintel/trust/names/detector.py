"""Compare a name with famous ones, and detect names that are options of an installer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeintel.trust.names.candidates import famous_candidates
from codeintel.trust.names.ecosystems import bare_name, canonical_ecosystem, owned_name
from codeintel.trust.names.misspelt import word_candidates
from codeintel.trust.names.protected import HOMES, ProtectedNames, host_candidates, owner_candidates
from codeintel.trust.names.shapes import (
    CERTAIN,
    Candidate,
    Edit,
    EditKind,
    Likeness,
    ProtectedSuspicion,
    Suspicion,
)
from codeintel.trust.names.spelling import scope_of
from codeintel.trust.names.tables import famous_names, famous_owners
from codeintel.trust.names.weighing import Model, features, model

_OPTION = re.compile(r"-{1,2}[A-Za-z0-9][\w-]*\Z")
_INSTALLERS = {
    "cargo": "cargo",
    "composer": "composer",
    "docker": "docker",
    "gem": "gem",
    "go": "go",
    "npm": "npm",
    "nuget": "nuget",
    "pypi": "pip",
}


def option(ecosystem: str, name: str) -> Suspicion | None:
    """Return a suspicion about a name that is written like an option, as in `install - -save x`.

    Its target is the installer.
    """
    if ecosystem not in _INSTALLERS or not _OPTION.match(name):
        return None
    installer = _INSTALLERS[ecosystem]
    edit = Edit(EditKind.OPTION, f"`{name}` is an option of `{installer}`, not a name")
    return Suspicion(
        name=name,
        target=installer,
        edit=edit,
        probability=CERTAIN,
        suspicious=True,
        is_famous=True,
    )


# npm's limit for a name, the longest of all registries. Longer names cannot be published.
MAX_NAME_CHARACTERS = 214
_MOST_OTHERS = 3
_LEAST_PROBABILITY = 0.05


def suspicion(
    ecosystem: str, name: str, protected: ProtectedNames | None = None
) -> Suspicion | None:
    """Return which famous or protected name a name seems to imitate.

    :param ecosystem: such as `npm`, or an alias; an unknown one has no famous names.
    :param name: as its author writes it. A name that is longer than any registry allows is not
        compared.
    :param protected: names of the same ecosystem that are legitimate regardless of what they
        resemble. Names that resemble them are suspicious from a lower threshold, because few names
        do by chance. The threshold is lower the fewer names are protected.
    :returns: None if it resembles none, is a famous one itself for the registry, or belongs to the
        owner of one.
    """
    return compared(canonical_ecosystem(ecosystem), name.strip(), protected, model())


def compared(
    ecosystem: str, name: str, protected: ProtectedNames | None, weights: Model
) -> Suspicion | None:
    """Return the suspicion by different weights.

    :param ecosystem: as the tables call it.
    :raises ValueError: if the protected names are of another ecosystem.
    """
    if protected is not None and protected.ecosystem != ecosystem:
        raise ValueError(f"names of {protected.ecosystem} are protected, and {ecosystem} is asked")
    if not name or len(name) > MAX_NAME_CHARACTERS:
        return None
    if (mistaken := option(ecosystem, name)) is not None:
        return mistaken
    if protected is not None and protected.has(name):
        return None
    return judge(ecosystem, name, candidates(ecosystem, name, protected), weights, protected)


def candidates(
    ecosystem: str, name: str, protected: ProtectedNames | None = None
) -> Iterator[Candidate]:
    """Yield the names that a name may imitate, in no order.

    :param ecosystem: as the tables call it.
    """
    name = bare_name(ecosystem, name)
    parts = owned_name(ecosystem, name)
    if parts is not None:
        owners = famous_owners(ecosystem)
        yield from host_candidates(parts)
        yield from owner_candidates(parts, owners)
        if owners.has(parts.owner) and parts.host.lower() in HOMES:
            return
    else:
        famous = famous_names(ecosystem)
        if famous.has(name) or (ecosystem == "npm" and scope_of(name) in famous.scopes):
            return
        if famous.all:
            yield from famous_candidates(famous, name)
            yield from word_candidates(name)
    if protected is not None:
        yield from protected.candidates(name)


def judge(
    ecosystem: str,
    name: str,
    found: Iterator[Candidate],
    weights: Model,
    protected: ProtectedNames | None = None,
) -> Suspicion | None:
    """Return the most probable of the candidates, with the runners-up."""
    best: dict[str, tuple[float, Candidate]] = {}
    for each in found:
        shift = 0.0
        if protected is not None and each.is_protected:
            shift = weights.shift(ecosystem, protected.count(owners=each.owns))
        probability = each.probability or weights.probability(
            ecosystem, features(ecosystem, name, each), shift
        )
        if each.target not in best or best[each.target][0] < probability:
            best[each.target] = probability, each
    # A tie goes to the more famous name, then by the alphabet.
    order = sorted(best.values(), key=lambda one: (-one[0], one[1].rank or 5000, one[1].target))
    if not order or order[0][0] < _LEAST_PROBABILITY:
        return None
    (probability, first), *rest = order
    others = [
        Likeness(each.target, each.edit, round(chance, 4))
        for chance, each in rest[:_MOST_OTHERS]
        if chance >= _LEAST_PROBABILITY
    ]
    is_protected = first.is_protected or (protected is not None and protected.has(first.target))
    kind = ProtectedSuspicion if is_protected else Suspicion
    return kind(
        name=name,
        target=first.target,
        edit=first.edit,
        probability=round(probability, 4),
        suspicious=probability >= weights.threshold,
        # Corrected words may form a famous name.
        is_famous=not is_protected
        and (first.rank > 0 or famous_names(ecosystem).has(first.target)),
        others=tuple(others),
    )
