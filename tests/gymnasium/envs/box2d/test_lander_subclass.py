"""A subclass of LunarLander whose step is its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.envs.box2d.lunar_lander import FPS, LunarLander


class Hovering(LunarLander):
    """Holds its height, with glowing bodies below."""

    def step(self, action: Any) -> Any:
        x, y = self.lander.position
        particle = self._create_particle(3.5, x, y - 1.0, 1.0)
        particle.ApplyLinearImpulse((0.0, -0.2), particle.position, True)
        self.world.Step(1.0 / FPS, 180, 60)
        return np.zeros(8, np.float32), 0.0, False, False, {}


def test_particles_glow_fade_and_leave() -> None:
    env: Any = Hovering(render_mode="rgb_array")
    env.reset(seed=1)
    dark = env.render()
    for _ in range(3):
        env.step(0)
    assert (dark != env.render()).any()
    bodies = len(env.world.bodies)
    for _ in range(7):
        env.render()
    assert len(env.particles) == 3
    env.step(0)
    assert [particle.ttl for particle in env.particles] == [1.0]
    assert len(env.world.bodies) == bodies - 2
    env._clean_particles(True)
    assert env.particles == []
    env.step(0)
    env.reset(seed=1)
    assert env.particles == []
    assert (env.render() == dark).all()
    env.close()
