"""Numbers drawn for the rows of a frame, the same on every engine."""

from numbers import Integral

import numpy as np

from costspace.arrays import FloatArray
from costspace.errors import ConditionError, brief

# Products of two numbers below it fit into 64 bits, and x -> x^5 is one-to-one modulo it.
PRIME = 2**31 - 1
_ROUNDS = 6


def round_keys(seed: int) -> list[int]:
    """What is added in each round, or `ConditionError` unless the seed is a whole number from 0."""
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise ConditionError(f"a seed must be a whole number from 0 up, got {brief(seed)}.")
    state = np.random.SeedSequence(int(seed)).generate_state(_ROUNDS)
    return [int(key) % PRIME for key in state]


def drawn(seed: int, rows: int) -> FloatArray:
    """A number from [0, 1) for each of some rows.

    Engines do the same in 64-bit integers, on the number of the row: so draws depend on the seed
    and on the place of the row alone.

    Notes
    -----
    The rounds are those of a cipher, MiMC: Albrecht, Grassi, Rechberger, Roy, Tiessen (2016),
    ASIACRYPT, which adds a key and takes a power modulo a prime.
    """
    x = np.arange(rows, dtype=np.int64) % PRIME
    for key in round_keys(seed):
        x = (x + key) % PRIME
        square = x * x % PRIME
        x = square * square % PRIME * x % PRIME
    return x / PRIME
