"""The trial of machine code: a car, whose wheels turn on hinges."""

from __future__ import annotations

from math import sin
from typing import Any, Final

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._stepping.program import MachineCode
from gymnasium.envs.box2d.car_dynamics import Car

_STEPS: Final = 60


def play(code: MachineCode | None) -> list[Any]:
    """Let a car drive zigzags on grass; returns where its bodies are."""
    world = engine.new_world((0, 0), engine.ContactListener())
    car = Car(world, 0.3, 1.0, 2.0)
    if code is not None:
        code.take_over(world)
    rows: list[Any] = []
    for t in range(_STEPS):
        car.steer(sin(0.2 * t))
        car.gas(0.5)
        car.brake(0.3 if t % 7 == 0 else 0.0)
        car.step(1.0 / engine.FPS)
        engine.advance(world)
        rows += [engine.motion(body.this) for body in (car.hull, *(wheel.body for wheel in car.wheels))]
    return rows
