"""Certificates for registries on this machine, made as they are needed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Authority:
    """A trusted certificate authority.

    :param bundle: the file with its certificate.
    """

    def __init__(self, bundle: Path) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("authority")
        made = _builder(self._name, self._key).issuer_name(self._name)
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        certificate = made.sign(self._key, hashes.SHA256())
        bundle.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def certificate(
        self, path: Path, host: str = "localhost", *, is_ours: bool = True, is_expired: bool = False
    ) -> Path:
        """Return a key and a certificate for a host, signed by this authority or by itself."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = _builder(_name(host), key, DAY if is_expired else -DAY)
        made = made.issuer_name(self._name if is_ours else _name(host)).add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False
        )
        certificate = made.sign(self._key if is_ours else key, hashes.SHA256())
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        return path


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    name: x509.Name, key: ec.EllipticCurvePrivateKey, ended: timedelta = -DAY
) -> x509.CertificateBuilder:
    """Build a certificate that expired the given time ago."""
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 3 * DAY)
        .not_valid_after(now - ended)
    )
