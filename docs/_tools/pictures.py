"""Pictures of environments, made by the environments."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

import gymnasium
from docs._tools.cameras import camera
from docs._tools.page import Page

STRIP = ("CartPole-v1", "FrozenLake-v1", "LunarLander-v3", "Ant-v5", "Taxi-v4", "CarRacing-v3")
_SIDE, _GAP = 240, 12  # pixels, of and between the pictures of the strip


def frame(page: Page) -> NDArray[np.uint8]:
    """Returns a frame after `page.steps` random actions, or after the reset if those ended the episode."""
    env: Any = gymnasium.make(page.id, render_mode="rgb_array", **camera(page.id))
    env.reset(seed=page.seed)
    env.action_space.seed(page.seed)
    for _ in range(page.steps):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()
            break
    picture: NDArray[np.uint8] = env.render()
    env.close()
    return picture


@cache
def _last_change() -> float:
    """When a file that pictures depend on was last changed."""
    package = Path(gymnasium.__file__).parent
    folders = (package / "envs", package / "rendering", Path(__file__).parent)
    return max(file.stat().st_mtime for folder in folders for file in folder.rglob("*.py"))


def picture_of(page: Page, folder: Path) -> Path:
    """Returns the file of an environment's picture, which is made if it is missing or older than its sources."""
    file = folder / f"{page.file}.webp"
    if not file.exists() or file.stat().st_mtime < _last_change():
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(frame(page)).save(file, quality=88)
    return file


def strip(files: list[Path], out: Path) -> None:
    """Put the middles of pictures side by side, as squares, with gaps that show the page between them."""
    if out.exists() and out.stat().st_mtime >= max(file.stat().st_mtime for file in files):
        return
    whole = Image.new("RGBA", (len(files) * (_SIDE + _GAP) - _GAP, _SIDE))
    for k, file in enumerate(files):
        square = ImageOps.fit(Image.open(file).convert("RGBA"), (_SIDE, _SIDE), Image.Resampling.LANCZOS)
        whole.paste(square, (k * (_SIDE + _GAP), 0))
    whole.save(out, quality=88)
