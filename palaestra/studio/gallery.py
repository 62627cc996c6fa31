"""The registered environments by family, with a picture and a line about each, made when they come into sight."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import closing
from threading import Lock
from typing import Any, Final, NamedTuple

from gymnasium.core import Env
from gymnasium.envs._registry.finding import check_version_exists, find_highest_version
from gymnasium.envs._registry.suggestions import TO_REGISTER
from gymnasium.error import Error
from gymnasium.specs import EnvSpec, get_env_id, parse_env_id, registry
from palaestra.studio.forms import summary
from palaestra.studio.making import Registered
from palaestra.studio.pictures import thumbnail

_STEPS: Final = 20  # before the picture is taken, so that something has moved
_KEPT: Final = 512  # pictures
_MAKE_LINE: Final = re.compile(r'`?gymnasium\.make\("(.*?)"\)`?')
_TITLES: Final = {
    "classic_control": "Classic control",
    "toy_text": "Toy text",
    "box2d": "Box2D",
    "mujoco": "MuJoCo",
    "phys2d": "Classic control in JAX (phys2d)",
    "tabular": "Toy text in JAX (tabular)",
    "ALE": "Atari (ALE)",
    "ale_py": "Atari, under older names (ale_py)",
}


class Look(NamedTuple):
    """The card of an environment.

    Attributes:
        picture: Its picture as WebP; None if it draws none, or cannot be made.
        text: A sentence about it, or "".
        actions: The kind of its actions, or "".
    """

    picture: bytes | None = None
    text: str = ""
    actions: str = ""


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
        order = ["", *_TITLES]  # one's own come first, and last those whose libraries take long to start
        self._families = sorted(families, key=lambda one: order.index(one.name if one.name in _TITLES else ""))
        self._specs: Mapping[str, EnvSpec] = {spec.id: spec for family in families for spec in family.specs}
        self._looks: OrderedDict[str, Look] = OrderedDict()
        self._lock = Lock()

    def find(self, env_id: str) -> EnvSpec | None:
        """Returns the spec of an id of the catalogue, or None."""
        return self._specs.get(env_id)

    def registered(self, env_id: str) -> EnvSpec:
        """Returns the spec that `make` uses for an id, which may be an older version; imports nothing.

        Raises:
            KeyError: If there is none; it names a similar one.
        """
        if ":" in env_id:
            raise KeyError(f"Start the studio with this id to import its module: palaestra studio {env_id}")
        try:
            ns, name, version = parse_env_id(env_id)
            latest = find_highest_version(ns, name) if version is None else version
            if get_env_id(ns, name, latest) not in registry:
                check_version_exists(ns, name, version)
        except Error as error:
            raise KeyError(_for_a_page(str(error))) from error
        return registry[get_env_id(ns, name, latest)]

    def listed(self) -> list[dict[str, Any]]:
        """Returns the catalogue as JSON."""
        return [
            {
                "name": family.name,
                "title": _TITLES.get(family.name, family.name),
                "condition": family.condition,
                "ready": family.ready,
                "ids": [spec.id for spec in family.specs],
            }
            for family in self._families
        ]

    def look(self, env_id: str) -> Look:
        """Returns the card of an environment. One is made at a time."""
        known = self._looks.get(env_id)
        if known is not None:
            return known
        with self._lock:
            if env_id not in self._looks:
                self._looks[env_id] = _look(self._specs[env_id])
                if len(self._looks) > _KEPT:
                    self._looks.popitem(last=False)
            return self._looks[env_id]


def _for_a_page(text: str) -> str:
    """Returns a message of `make` with what one can do here in the place of lines of Python."""
    text = _MAKE_LINE.sub(r"\1", text).replace("see gymnasium.pprint_registry(), or ", "")
    return text.replace(TO_REGISTER, "to import the module that registers it, start palaestra studio module:ID")


def _play(env: Env) -> None:
    """Take some random steps, the same ones each time."""
    env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(_STEPS):
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()


def _look(spec: EnvSpec) -> Look:
    look = Look()
    try:
        with closing(Registered(spec).made({})) as env:
            look = Look(None, *summary(env))
            if env.render_mode == "rgb_array":
                _play(env)
                look = look._replace(picture=thumbnail(env.render()))  # type: ignore[arg-type]  # it checks what comes
    except Exception:  # an environment may raise anything; the page shows what is known
        return look
    return look
