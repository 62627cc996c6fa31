"""Environments full of objects: in lists that grow, of several classes, that refer to each other and are replaced."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete

INFINITE = np.inf


class Bullet:
    """It flies up until it is gone."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y
        self.alive = True

    def move(self) -> None:
        self.y -= 1.5
        if self.y < 0:
            self.alive = False


class Enemy:
    """It comes down, and stands one hit or two."""

    def __init__(self, x: float, y: float, strength: int = 2) -> None:
        self.x, self.y, self.strength = x, y, strength

    def is_hit_by(self, bullet: Bullet) -> bool:
        return abs(self.x - bullet.x) < 1.0 and abs(self.y - bullet.y) < 1.0


class ShooterEnv(Env[Any, Any]):
    """Lists of objects that grow and shrink while a loop runs over a copy."""

    def __init__(self) -> None:
        self.action_space = Discrete(3)
        self.observation_space = Box(-INFINITE, INFINITE, (6,), np.float32)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.x = 5.0
        self.bullets: list[Bullet] = []
        self.enemies = [Enemy(float(self.np_random.integers(10)), float(k)) for k in range(4)]
        self.score = 0
        return self._seen(), {}

    def _seen(self) -> Any:
        nearest = min(self.enemies, key=lambda one: abs(one.x - self.x)) if self.enemies else None
        seen = [self.x, len(self.bullets), len(self.enemies), self.score]
        seen += [nearest.x if nearest is not None else -1.0, nearest.strength if nearest else 0]
        return np.array(seen, np.float32)

    def step(self, action: Any) -> Any:
        reward = 0.0
        if action == 0:
            self.x -= 1
        elif action == 1:
            self.x += 1
        else:
            self.bullets.append(Bullet(self.x, 18.0))
        for bullet in self.bullets[:]:
            bullet.move()
            if not bullet.alive:
                self.bullets.remove(bullet)
                continue
            for enemy in self.enemies[:]:
                if enemy.is_hit_by(bullet):
                    enemy.strength -= 1
                    bullet.alive = False
                    reward += 1.0
                    if enemy.strength <= 0:
                        self.enemies.remove(enemy)
                        self.score += 10
                    break
        self.bullets = [one for one in self.bullets if one.alive]
        if self.np_random.random() < 0.3:
            self.enemies.append(Enemy(float(self.np_random.uniform(0, 10)), 0.0, 1))
        for enemy in self.enemies:
            enemy.y += 0.25
        return self._seen(), reward, any(one.y > 18 for one in self.enemies), False, {"score": self.score}


class Shape:
    """What lies in a cell."""

    def __init__(self, place: int) -> None:
        self.place, self.touched = place, 0

    def area(self) -> float:
        return 0.0

    def touch(self, env: ShelfEnv) -> bool:
        self.touched += 1
        return False

    @property
    def weight(self) -> float:
        return self.area() * 2


class Square(Shape):
    """It has a side."""

    def __init__(self, place: int, side: float) -> None:
        super().__init__(place)
        self.side = side

    def area(self) -> float:
        return self.side**2


class Circle(Shape):
    """It may have another shape in it."""

    def __init__(self, place: int, radius: float, inner: Shape | None = None) -> None:
        super().__init__(place)
        self.radius, self.inner = radius, inner

    def area(self) -> float:
        return math.pi * self.radius**2

    def touch(self, env: ShelfEnv) -> bool:
        super().touch(env)
        env.cells[self.place] = self.inner
        return True


class Key(Shape):
    """It is carried."""

    def __init__(self, place: int, color: str = "red") -> None:
        super().__init__(place)
        self.color = color


class ShelfEnv(Env[Any, Any]):
    """A list of None and objects of several classes, which is indexed by a number, and an object that is carried."""

    def __init__(self, size: int = 9) -> None:
        self.size = size
        self.cells: list[Shape | None] = [None] * size
        self.carried: Key | None = None
        self.action_space = Discrete(3)
        self.observation_space = Box(-INFINITE, INFINITE, (size + 3,), np.float64)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.cells = [None] * self.size
        self.cells[1] = Square(1, 2.0)
        self.cells[3] = Circle(3, 1.5, inner=Key(3, "blue"))
        k = int(self.np_random.integers(4, self.size))
        self.cells[k] = Key(k)
        self.at = 0
        self.carried = None
        return self._seen(), {}

    def _seen(self) -> Any:
        seen = []
        for cell in self.cells:
            if cell is None:
                seen.append(0.0)
            elif isinstance(cell, Key):
                seen.append(1.0 if cell.color == "red" else 2.0)
            else:
                seen.append(cell.weight)
        touched = sum(cell.touched for cell in self.cells if cell is not None)
        place = -1.0 if self.carried is None else float(self.carried.place)
        return np.array([*seen, float(self.at), float(touched), place])

    def step(self, action: Any) -> Any:
        reward = 0.0
        if action == 0:
            self.at = max(self.at - 1, 0)
        elif action == 1:
            self.at = min(self.at + 1, self.size - 1)
        else:
            cell = self.cells[self.at]
            if cell:
                if cell.touch(self):
                    reward = 1.0
                elif isinstance(cell, Key) and self.carried is None:
                    self.carried = cell
                    self.cells[self.at] = None
                    reward = cell.weight + 0.5
            elif self.carried is not None:
                self.carried.place = self.at
                self.cells[self.at] = self.carried
                self.carried = None
        return self._seen(), reward, False, False, {}


class Vector(NamedTuple):
    """A place, or a speed."""

    x: float
    y: float

    def plus(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)


class Hunter:
    """It follows another one, if it has a target."""

    __slots__ = ("place", "speed", "target")

    def __init__(self, place: Vector) -> None:
        self.place, self.speed = place, Vector(0.0, 0.0)
        self.target: Hunter | None = None


class ChaseEnv(Env[Any, Any]):
    """Objects with slots that refer to each other; one has two names."""

    def __init__(self) -> None:
        self.action_space = Discrete(4)
        self.observation_space = Box(-INFINITE, INFINITE, (7,), np.float64)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.hunters = [Hunter(Vector(float(self.np_random.uniform(-1, 1)), float(k))) for k in range(3)]
        self.hunters[0].target = self.hunters[1]
        self.hunters[1].target = self.hunters[2]
        self.leader = self.hunters[0]
        self.t = 0
        return self._seen(), {}

    def _seen(self) -> Any:
        seen = [number for one in self.hunters for number in one.place]
        return np.array([*seen, 0.0 if self.leader.target is None else self.leader.target.place.x])

    def step(self, action: Any) -> Any:
        speed = self.leader.speed
        self.leader.speed = speed._replace(x=speed.x + 0.1 * (int(action) - 1))
        for one in self.hunters:
            one.place = one.place.plus(one.speed)
            if one.target is not None:
                one.speed = Vector(0.1 * (one.target.place.x - one.place.x), one.speed.y)
        if self.t % 7 == 6:
            self.leader = self.leader.target if self.leader.target is not None else self.hunters[0]
        if action == 3:
            self.hunters[2].target = None if self.hunters[2].target else self.hunters[0]
        self.t += 1
        return self._seen(), float(self.leader.place.x), False, False, {"second": self.leader is self.hunters[1]}


class Phase(Enum):
    """What a lamp shows."""

    GREEN = 0
    YELLOW = 1
    RED = 2

    def next(self) -> Phase:
        return Phase((self.value + 1) % 3)

    @property
    def is_stop(self) -> bool:
        return self in (Phase.RED, Phase.YELLOW)


@dataclass(eq=False)
class Job:
    """Work, and who does it."""

    due: int
    size: float
    worker: Worker | None = None


@dataclass(eq=False)
class Worker:
    """It works on one job."""

    speed: float
    job: Job | None = None
    finished: int = 0


class WorkshopEnv(Env[Any, Any]):
    """Dataclasses that refer to each other, a queue of objects, replaced objects, and an Enum with methods."""

    def __init__(self, workers: int = 3) -> None:
        self.count = workers
        self.queue: list[Job] = []
        self.workers: list[Worker] = []
        self.action_space = Discrete(workers + 1)
        self.observation_space = Box(-INFINITE, INFINITE, (2 * workers + 3,), np.float32)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.workers = [Worker(float(self.np_random.uniform(0.5, 1.5))) for _ in range(self.count)]
        self.queue = []
        self.phase = Phase.GREEN
        self.t = 0
        return self._seen(), {}

    def _seen(self) -> Any:
        seen = []
        for one in self.workers:
            seen.append(float(one.finished))
            seen.append(0.0 if one.job is None else one.job.size)
        seen += [float(len(self.queue)), float(sum(one.size for one in self.queue)), float(self.phase.value)]
        return np.array(seen, np.float32)

    def step(self, action: Any) -> Any:
        reward = 0.0
        if self.np_random.random() < 0.5:
            due = self.t + int(self.np_random.integers(2, 8))
            self.queue.append(Job(due, float(self.np_random.uniform(0.5, 3))))
        if action < self.count and self.queue and self.workers[action].job is None:
            job = self.queue.pop(0)
            job.worker = self.workers[action]
            self.workers[action].job = job
        for worker in self.workers:
            if worker.job is None or self.phase.is_stop:
                continue
            worker.job.size -= worker.speed
            if worker.job.size <= 0 and worker.job.worker is not None:
                worker.job.worker.finished += 1
                reward += 1.0 if self.t <= worker.job.due else -0.5
                worker.job = None
        late = [one for one in self.queue if one.due < self.t]
        for job in late:
            self.queue.remove(job)
            reward -= 1.0
        if self.t % 11 == 10:
            best = max(self.workers, key=lambda one: one.finished)
            k = int(self.np_random.integers(self.count))
            self.workers[k] = replace(best, finished=0, job=self.workers[k].job)
        self.phase = self.phase.next() if self.t % 5 == 4 else self.phase
        self.t += 1
        return self._seen(), reward, False, False, {"late": len(late)}
