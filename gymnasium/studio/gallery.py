"""The registered environments by family, with a picture of each that is drawn when somebody looks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import closing
from threading import Lock
from typing import Any, Final, NamedTuple

from gymnasium.core import Env
from gymnasium.specs import EnvSpec
from gymnasium.studio.making import Registered
from gymnasium.studio.pictures import thumbnail

_STEPS: Final = 20  # before the picture is taken, so that something has moved
_KEPT: Final = 512  # pictures


class Family(NamedTuple):
    """Environments that belong together.

    Attributes:
        name: Their family.
        condition: Whether they can be used here, or the missing library.
        ready: Whether they can be made.
        specs: The latest version of each.
    """

    name: str
    condition: str
    ready: bool
    specs: Sequence[EnvSpec]


class Gallery:
    """A catalogue, and its pictures.

    Args:
        families: The families.
    """

    def __init__(self, families: Sequence[Family]) -> None:
        self._families = families
        self._specs: Mapping[str, EnvSpec] = {spec.id: spec for family in families for spec in family.specs}
        self._pictures: OrderedDict[str, bytes | None] = OrderedDict()
        self._lock = Lock()

    def find(self, env_id: str) -> EnvSpec | None:
        """Returns the spec of an id of the catalogue, or None."""
        return self._specs.get(env_id)

    def listed(self) -> list[dict[str, Any]]:
        """Returns the catalogue as JSON."""
        return [
            {
                "name": family.name,
                "condition": family.condition,
                "ready": family.ready,
                "ids": [spec.id for spec in family.specs],
            }
            for family in self._families
        ]

    def picture(self, env_id: str) -> bytes | None:
        """Returns the picture of an environment as WebP; None if it has none, or cannot be made. One at a time."""
        with self._lock:
            if env_id not in self._pictures:
                self._pictures[env_id] = _picture(self._specs[env_id])
                if len(self._pictures) > _KEPT:
                    self._pictures.popitem(last=False)
            return self._pictures[env_id]


def _play(env: Env) -> None:
    """Take some random steps, the same ones each time."""
    env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(_STEPS):
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()


def _picture(spec: EnvSpec) -> bytes | None:
    try:
        with closing(Registered(spec).made({})) as env:
            if env.render_mode != "rgb_array":
                return None
            _play(env)
            return thumbnail(env.render())  # type: ignore[arg-type]  # it checks what comes
    except Exception:  # an environment may raise anything; the page shows its name alone
        return None
