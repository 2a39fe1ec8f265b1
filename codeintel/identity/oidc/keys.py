"""The public keys of an issuer, and which of them a token may be verified with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry
from joserfc.registry import Header

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
"""All of them are asymmetric: what is published can only verify."""
MIN_RSA_BITS = 2_048
MAX_KEYS = 100
PublicKey = RSAKey | ECKey | OKPKey
_TYPES: dict[str, type[RSAKey] | type[ECKey] | type[OKPKey]] = {
    "RSA": RSAKey,
    "EC": ECKey,
    "OKP": OKPKey,
}
_PARTS = {"RSA": ("n", "e"), "EC": ("crv", "x", "y"), "OKP": ("crv", "x")}
"""What a public key consists of: a private part that is published by mistake is not even read."""


class Registry(JWSRegistry):
    """The algorithms above and no other, whatever a token or a library's default says."""

    def __init__(self) -> None:
        super().__init__(algorithms=ALGORITHMS, strict_check_header=False)

    def get_alg(self, name: str) -> Any:
        # joserfc's own warns of the name EdDSA, which providers still use for Ed25519.
        return self.algorithms[name] if name in ALGORITHMS else super().get_alg(name)


REGISTRY = Registry()


class IssuerKeys:
    """The keys of one issuer.

    :param document: a JWK set (RFC 7517, 5). What in it cannot verify signatures is passed over.
    """

    def __init__(self, document: Any) -> None:
        given = document.get("keys") if isinstance(document, dict) else None
        if not isinstance(given, list):
            raise ValueError("is no set of keys")
        imported = (_imported(each) for each in given[:MAX_KEYS])
        self.keys: Sequence[tuple[str | None, PublicKey]] = [each for each in imported if each]
        """Each with its `kid`."""

    def fitting(self, header: Header) -> PublicKey | None:
        """The key that a token's header means, by its `kid`; without one, the only key that fits
        its algorithm. None if there is none, or several."""
        kid, algorithm = header.get("kid"), str(header.get("alg"))
        found = [
            key
            for its_kid, key in self.keys
            if (kid is None or its_kid == kid) and _fits(key, algorithm)
        ]
        return found[0] if len(found) == 1 else None


def _imported(given: Any) -> tuple[str | None, PublicKey] | None:
    """A public key for signatures with its `kid`; None for anything else."""
    if not isinstance(given, dict) or given.get("use", "sig") != "sig":
        return None
    type_ = _TYPES.get(str(given.get("kty")))
    kid, algorithm = given.get("kid"), given.get("alg")
    if type_ is None or not isinstance(kid, str | None) or not isinstance(algorithm, str | None):
        return None
    parts: dict[str, Any] = {name: given.get(name) for name in ("kty", *_PARTS[given["kty"]])}
    if algorithm is not None:
        parts["alg"] = algorithm
    if type_ is RSAKey and len(str(parts["n"])) * 6 < MIN_RSA_BITS:
        return None  # of which joserfc would only warn
    try:
        key: Any = type_.import_key(parts)
    except (JoseError, ValueError, TypeError, KeyError):
        return None
    is_strong = type_ is not RSAKey or key.public_key.key_size >= MIN_RSA_BITS
    return (kid, key) if is_strong else None


def _fits(key: PublicKey, algorithm: str) -> bool:
    """Whether an algorithm is one of a key's kind, and of its own if it names one."""
    if algorithm not in ALGORITHMS:
        return False
    if algorithm == "EdDSA":  # which leaves the curve open; Ed448 is of no use to anybody
        return isinstance(key, OKPKey) and key.curve_name == "Ed25519" and key.alg != "Ed25519"
    try:
        REGISTRY.get_alg(algorithm).check_key(key)
    except JoseError:
        return False
    return True
