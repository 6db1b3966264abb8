"""Chance: an own counter-based generator, the same on every machine and in every version, and its stand-ins."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import unpack

MOST_WORDS = 1_000_000  # of one game: as often chance can be asked


class Words:
    """The random words of one key, made in order as they are needed. The counter lives in the state."""

    __slots__ = ("in_c", "key", "told", "words")

    def __init__(self, key: bytes, told: Sequence[int] = ()):
        self.key = key
        self.in_c: object = None  # what makes them in machine code, once it has been asked
        self.told = len(told)  # so many stand before those that the key makes
        self.words = list(told)

    def more(self, upto: int) -> int:
        """The word of that number. Raises `RuleFault` where a game asks for more than there are."""
        if upto >= MOST_WORDS:
            raise too_much_chance()
        while len(self.words) <= upto:
            there = len(self.words)
            digest = blake2b((there // 16).to_bytes(8, "little"), key=self.key, digest_size=64).digest()
            self.words[there : there + 16] = unpack("<16I", digest)  # of two who make them at once, both make the same
        return self.words[upto]


def too_much_chance() -> Exception:
    from ichiba.interpreter.runtime.runtime import RuleFault

    return RuleFault(f"chance is asked more than {MOST_WORDS:,} times in one game")


def key_of(seed: int | str | bytes) -> bytes:
    """A key from any seed."""
    raw = seed if isinstance(seed, bytes) else str(seed).encode()
    return blake2b(raw, digest_size=32).digest()


TOLD = "told "
UNTOLD = -1  # in place of a zone: what has come is told later, when it is known who may hear of it


def words_of(seed: int | str) -> Words:
    """The words of a seed. `told 0a1b2c3d… rest` says the first ones itself; the rest is the key of all others."""
    if isinstance(seed, str) and seed.startswith(TOLD):
        digits, _, rest = seed.removeprefix(TOLD).partition(" ")
        return Words(key_of(rest), [int(digits[at : at + 8], 16) for at in range(0, len(digits), 8)])
    return Words(key_of(seed))


def told_seed(words: Sequence[int], rest: int | str) -> str:
    """The seed of a game in which these are the first words of chance."""
    return f"{TOLD}{''.join(f'{word:08x}' for word in words)} {rest}"


class Told(Exception):
    """A script of chance events that does not fit what happened; `event` says which one, from 1."""

    def __init__(self, message: str, event: int = 0):
        super().__init__(message)
        self.event = event


class NeedChance(Exception):
    """Raised while enumerating: a chance event whose outcome is not chosen yet."""

    def __init__(self, values: Sequence[int], weights: Sequence[int], what: str, kind: object):
        super().__init__(what)
        self.values, self.weights, self.what, self.kind = list(values), list(weights), what, kind


__all__ = ["UNTOLD", "NeedChance", "Told", "Words", "key_of", "told_seed", "words_of"]
