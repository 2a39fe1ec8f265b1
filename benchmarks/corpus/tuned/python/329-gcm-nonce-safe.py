import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Envelope:
    def __init__(self, key: bytes):
        self.box = AESGCM(key)

    def seal(self, data: bytes) -> bytes:
        nonce = os.urandom(12)
        return nonce + self.box.encrypt(nonce, data, None)

    def open(self, blob: bytes) -> bytes:
        return self.box.decrypt(blob[:12], blob[12:], None)
