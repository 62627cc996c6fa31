"""The builds of the engine whose objects are as `offsets` says: those of the package box2d 2.3.10 on PyPI.

A build by another compiler, or with other options, may have the same version and other objects. So the bindings'
library is known byte for byte, by its SHA-256, or not at all. The Linux builds have the same instructions in all
functions of the engine that machine code calls or replaces.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

# To add one: `sha256sum Box2D/_Box2D.*.so` of the wheel; then run tests/palaestra/box2d there, with that line here.
KNOWN: Final = {
    "d97f6d5c861407217a1c617a20830b6dc5d20230cd30e7ff0bd2686e8031d14c": "cp310-manylinux-x86_64",
    "d2826e2c66af64b6387e0fb5b7ca996d6e537b0619eece0c9c7af3789eadff71": "cp311-manylinux-x86_64",
    "b10c31f7d79f2da4c42e7ab864d13add08f9625669076f6faeb7963a9456a90d": "cp312-manylinux-x86_64",
    "dd1049654ec68e1438114a4c9d9874857864ce03e34f26bd5219830dcc565607": "cp313-manylinux-x86_64",
    "7aa887e8652ef15165b208ee3243ff404565ab1815c18c562fdf6e94786ce1fa": "cp310-macosx-arm64",
    "aa66f2a0a172271f3e277cdc81646cfa2df0bfc92c8f5ecd2fd4f1478e4397aa": "cp311-macosx-arm64",
    "df1e64856665a4eda940a0f418d5ce53b427169443c910ccd814691b24322cd2": "cp312-macosx-arm64",
    "ba441308c626f3a900592c1d4c11ff5d3d5d61ada324e78e8fc248fbdfa1931b": "cp313-macosx-arm64",
    "0026b44d4faa19ff3e5f81d25ef9bb9bc98a513e052b4994f77b21719c1fa251": "cp310-macosx-x86_64",
    "f164f4417da16316de2e9961d04c18aa4c11884dac40c9f439548c0396663bb2": "cp311-macosx-x86_64",
    "e50d5efc677ecd78201943389091170bc7a55b51b7e67ff32050976a46d9d2ec": "cp312-macosx-x86_64",
}
"""Maps the digest of a library to the wheel that it is in."""


def is_known_build(library: str | Path) -> bool:
    """Returns whether a library is one of `KNOWN`; raises OSError if it cannot be read."""
    return hashlib.sha256(Path(library).read_bytes()).hexdigest() in KNOWN
