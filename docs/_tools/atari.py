"""The table of docs/gymnasium/atari.md: every game of ale-py, with a frame, its actions, modes and difficulties."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

import gymnasium
from docs._tools.tables import table
from docs._tools.writing import write

STEPS = 60  # random ones before the frame, of four frames of the console each: past most title screens
ALL_ACTIONS = 18


class Game(NamedTuple):
    """A row of the table."""

    id: str
    actions: list[str]
    modes: list[int]
    difficulties: list[int]

    @property
    def name(self) -> str:
        """The game's name: `Pong`."""
        return self.id.removeprefix("ALE/").removesuffix("-v5")


def write_atari(docs: Path) -> Path:
    """Write the table, and the frames that it shows; returns its file."""
    folder = docs / "_generated" / "atari"
    found = games(folder)
    head = f"ale-py {version('ale-py')} ships {len(found)} games. Each frame is that after {STEPS} random actions."
    return write(folder / "games.md", f"{head}\n\n:::{{container}} games\n{game_table(found)}\n:::\n")


def games(folder: Path) -> list[Game]:
    """Returns all games, each with its frame in `folder`; played again only where another ale-py has come."""
    stamp = folder / f"{version('ale-py')}.json"
    if not stamp.exists():
        folder.mkdir(parents=True, exist_ok=True)
        stamp.write_text(json.dumps([played(id, folder) for id in ids()]))
    return [Game(*row) for row in json.loads(stamp.read_text())]


def ids() -> list[str]:
    """Returns the id of each game."""
    register()
    return sorted(id for id in gymnasium.registry if id.startswith("ALE/") and id.endswith("-v5"))


def register() -> None:
    """Register the games; not when this module is imported, whose importer may not want them."""
    import ale_py

    if "ALE/Pong-v5" not in gymnasium.registry:  # the first import in a process registers them, and no later one
        ale_py.registration.register_v5_envs()


def played(id: str, folder: Path) -> Game:
    """Play a little, and save a frame as NAME.webp in `folder`; returns the game."""
    with closing(gymnasium.make(id, disable_env_checker=True)) as made:
        env: Any = made.unwrapped
        game = Game(id, env.get_action_meanings(), env.ale.getAvailableModes(), env.ale.getAvailableDifficulties())
        env.action_space.seed(1)
        observation, _ = env.reset(seed=1)
        for _ in range(STEPS):
            observation, _, terminated, _, _ = env.step(env.action_space.sample())
            if terminated:
                break
    Image.fromarray(observation).save(folder / f"{game.name}.webp", quality=70)
    return game


def game_table(found: list[Game]) -> str:
    """Returns the table of games."""
    rows = [
        (f"![](/_generated/atari/{game.name}.webp)", f"`{game.id}`", _actions(game), *map(_ranges, game[2:]))
        for game in found
    ]
    return table(("", "id", "actions", "modes", "difficulties"), rows)


def _actions(game: Game) -> str:
    number = len(game.actions)
    return "all 18" if number == ALL_ACTIONS else f"{number}: {', '.join(game.actions).lower()}"


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers, where more than two follow on each other as the first and the last: `0-3, 8`."""
    runs: list[list[int]] = []
    for k in sorted(numbers):
        if runs and k == runs[-1][-1] + 1:
            runs[-1].append(k)
        else:
            runs.append([k])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
