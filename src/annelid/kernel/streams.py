"""Random numbers by name: each user of random numbers has its own stream.

With one shared generator, a sensor added to one module would change the noise of all the others,
and no two runs could be compared.  Here a stream depends on the seed and its name alone, not on
who asked first or how many streams there are::

    streams = RandomStreams(seed=7)
    noise = streams["sensor/imu/3"]          # a numpy Generator, the same one every time
    streams.child("sensor")["imu/3"]         # is the same stream
    streams.block("sensor/imu/3", 12)        # numbers for the twelfth block of something

A stream remembers how far it was drawn; a *block* does not.  Noise that belongs to a moment is
taken from the block of that moment, so that looking more often does not change what is seen.

The name is hashed with BLAKE2b (Python's ``hash`` differs from process to process) and seeds a
PCG64.  NumPy promises the bits of PCG64 for good; the way a distribution uses them may change
with a new NumPy, so bit-for-bit repetition holds for one NumPy version.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from annelid.errors import InputError
from annelid.kernel.time import whole


class RandomStreams:
    """All the randomness of a run, from one seed."""

    def __init__(self, seed: int) -> None:
        self.seed = whole("seed", seed)
        if self.seed < 0:
            raise InputError(f"seed: expected 0 or more, got {seed}")
        self._prefix = ""
        self._generators: dict[str, np.random.Generator] = {}

    def __getitem__(self, name: str) -> np.random.Generator:
        """The stream of that name; it continues where its last user left it."""
        full = self._prefix + _checked(name)
        generator = self._generators.get(full)
        if generator is None:
            generator = self._generators[full] = _generator(f"{self.seed}/{full}")
        return generator

    def block(self, name: str, number: int) -> np.random.Generator:
        """A generator at the beginning of block ``number`` of that name, whatever was drawn."""
        # No name has an empty part, so no stream has the name of a block.
        return _generator(f"{self.seed}/{self._prefix}{_checked(name)}//{number}")

    def child(self, name: str) -> RandomStreams:
        """The streams below ``name``, for a part that need not know where it stands."""
        below = RandomStreams(self.seed)
        below._prefix = f"{self._prefix}{_checked(name)}/"
        below._generators = self._generators
        return below


def _generator(name: str) -> np.random.Generator:
    digest = blake2b(name.encode(), digest_size=32, person=b"annelid rng")
    words = np.frombuffer(digest.digest(), "<u4")
    if not words[-1]:  # a number's words end with its last that is not 0
        words = np.trim_zeros(words, "b")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


def _checked(name: str) -> str:
    if not name or "" in name.split("/"):
        raise InputError(
            f"stream: expected a name such as 'sensor/imu/3', without empty parts, got {name!r}"
        )
    return name
