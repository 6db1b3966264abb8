"""Names that nobody guesses, and secrets of which only a hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

SECRET = re.compile(r"[A-Za-z0-9_-]{22,64}")  # 128 bits and more


def new_name() -> str:
    """Of a table: it stands in addresses, so it is no secret, but nobody finds a table by trying."""
    return secrets.token_urlsafe(16)


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def sealed(secret: str) -> bytes:
    """What is kept of a secret. It has 192 bits of chance, so that no slow hash is needed."""
    return hashlib.sha256(secret.encode()).digest()


def fits(secret: str, kept: bytes) -> bool:
    """Takes as long whatever is wrong with it."""
    return hmac.compare_digest(sealed(secret), kept)
