"""How long `import gymnasium` takes in a fresh process, and which optional libraries it loads."""

from __future__ import annotations

import json
from statistics import median
from typing import Any

from benchmarks.peers import Peer

OPTIONAL = ("pygame", "numba", "jax", "torch", "mujoco", "Box2D", "av", "matplotlib", "rich", "cv2", "moviepy")

CODE = f"""
import json, sys, time
start = time.perf_counter()
import numpy
middle = time.perf_counter()
import gymnasium
end = time.perf_counter()
loaded = [name for name in {OPTIONAL} if name in sys.modules]
print(json.dumps(dict(whole=end - start, own=end - middle, modules=len(sys.modules), loaded=loaded)))
"""


def table(peers: tuple[Peer, ...], rounds: int) -> str:
    """Measure, and lay the durations out as a plain-text table."""
    found: dict[str, list[dict[str, Any]]] = {peer.name: [] for peer in peers}
    for number in range(rounds + 1):
        for peer in peers:
            result = json.loads(peer.output(CODE))
            # The first round writes the bytecode caches.
            if number:
                found[peer.name].append(result)
    body = "\n".join(_row(name, results) for name, results in found.items())
    return f"""import gymnasium in a fresh process, median of {rounds} rounds, peers taking turns

{"":<16}{"whole":>10}{"after numpy":>14}{"modules":>10}   optional libraries loaded
{body}"""


def _row(name: str, results: list[dict[str, Any]]) -> str:
    whole, own = (1e3 * median(result[part] for result in results) for part in ("whole", "own"))
    loaded = ", ".join(results[-1]["loaded"]) or "none"
    return f"{name:<16}{whole:>7.0f} ms{own:>11.1f} ms{results[-1]['modules']:>10}   {loaded}"
