"""Fields of a robot's model that are drawn for each episode: in one environment, in sync, and in the engine's batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import palaestra

pytest.importorskip("mujoco")

import mujoco

from gymnasium.envs.registration import make, make_vec
from gymnasium.vector import AutoresetMode
from palaestra import restore, snapshot
from palaestra.randomization import RandomizeParams, Scale, Uniform

N, SEED, STEPS, LIMIT = 3, 5, 16, 6
ROBOTS = {
    "Hopper-v5": {
        "body_mass[torso]": Uniform(2, 4),
        "dof_damping[thigh_joint]": Uniform(0.5, 2),
        "gravity[2]": Uniform(-11, -9),
        "actuator_gear": Scale(Uniform(0.8, 1.2)),
        "geom_friction[floor]": Uniform([0.5, 0.004, 0.0001], [1.0, 0.006, 0.0001]),
    },
    "Ant-v5": {"body_mass": Scale(Uniform(0.8, 1.2)), "dof_armature": Scale(Uniform(0.5, 1)), "gravity[2]": -9.0},
    "Humanoid-v5": {"body_mass": Scale(Uniform(0.8, 1.2)), "body_mass[0]": 0.0},
    "InvertedPendulum-v5": {"body_mass[pole]": Uniform(4, 6)},
}


def values(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """Returns what was drawn for environment i."""
    return {name: infos["params"][name][i] for name in infos["params"] if not name.startswith("_")}


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("env_id", ROBOTS)
def test_a_batch_is_sync_is_a_single_one(env_id: str, mode: AutoresetMode) -> None:
    batches = [
        palaestra.randomization.vector.RandomizeParams(
            make_vec(
                env_id, N, vectorization_mode=kind, max_episode_steps=LIMIT, vector_kwargs={"autoreset_mode": mode}
            ),
            **ROBOTS[env_id],
        )
        for kind in ("vector_entry_point", "sync")
    ]
    alone = RandomizeParams(make(env_id, max_episode_steps=LIMIT), **ROBOTS[env_id])
    results = [envs.reset(seed=SEED) for envs in batches]
    assert str(results[0][1]["params"]) == str(results[1][1]["params"])
    assert np.array_equal(results[0][0], results[1][0])
    assert np.array_equal(alone.reset(seed=SEED)[0], results[0][0][0])
    batches[0].action_space.seed(SEED)
    finished = False
    for _ in range(STEPS):
        actions = batches[0].action_space.sample()
        steps = [envs.step(actions) for envs in batches]
        for one, other in zip(steps[0][:4], steps[1][:4], strict=True):
            assert np.array_equal(one, other)
        assert str(steps[0][4].get("params")) == str(steps[1][4].get("params"))
        if finished and mode is AutoresetMode.NEXT_STEP:
            observation, finished = alone.reset()[0], False
        else:
            observation, _, terminated, truncated, _ = alone.step(actions[0])
            finished = terminated or truncated
            if finished and mode is AutoresetMode.SAME_STEP:
                observation = alone.reset()[0]
        assert np.array_equal(observation, steps[0][0][0])
    for envs in batches:
        envs.close()


def test_an_episode_is_that_of_a_model_with_these_fields() -> None:
    env = RandomizeParams(make("Hopper-v5"), **ROBOTS["Hopper-v5"])
    observation, info = env.reset(seed=SEED)
    other = make("Hopper-v5")
    model, params = other.unwrapped.model, info["params"]
    model.body("torso").mass = params["body_mass[torso]"]
    model.dof_damping[model.joint("thigh_joint").dofadr] = params["dof_damping[thigh_joint]"]
    model.opt.gravity[2] = params["gravity[2]"]
    model.actuator_gear[:] = params["actuator_gear"]
    model.geom("floor").friction[:] = params["geom_friction[floor]"]
    mujoco.mj_setConst(model, mujoco.MjData(model))
    assert np.array_equal(observation, other.reset(seed=SEED)[0])
    for _ in range(STEPS):
        action = env.action_space.sample()
        assert np.array_equal(env.step(action)[0], other.step(action)[0])


@pytest.mark.parametrize("env_id", ["Hopper-v5", "Ant-v5"])
def test_a_moment_holds_the_model(env_id: str) -> None:
    envs = palaestra.randomization.vector.RandomizeParams(
        make_vec(env_id, N, max_episode_steps=LIMIT), **ROBOTS[env_id]
    )
    envs.reset(seed=SEED)
    actions = [envs.action_space.sample() for _ in range(STEPS)]
    for action in actions[:3]:
        envs.step(action)
    moment = snapshot(envs)
    first = [envs.step(action) for action in actions]
    envs.reset(seed=SEED + 50)
    restore(envs, moment)
    for action, before in zip(actions, first, strict=True):
        after = envs.step(action)
        assert np.array_equal(before[0], after[0])
        assert str(before[4]) == str(after[4])
    envs.close()


@pytest.mark.parametrize("kind", ["vector_entry_point", "sync"])
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"body_mass[tors]": 1.0}, "did you mean 'torso'"),
        ({"body_mass": 1.0}, "shape"),
        ({"body_mass[torso]": Uniform(-1, 1)}, "from 0 on"),
        ({"bodymass": 1.0}, "no param 'bodymass'"),
        ({"body_mass[77]": 1.0}, "no 'body_mass"),
        ({"gravity[2]": [1.0, 2.0]}, "3 environments"),
    ],
)
def test_what_a_model_lacks_is_refused(kind: str, params: dict[str, Any], message: str) -> None:
    envs = make_vec("Hopper-v5", N, vectorization_mode=kind)
    with pytest.raises((ValueError, TypeError), match=message):
        palaestra.randomization.vector.RandomizeParams(envs, **params)
    envs.close()


@pytest.mark.parametrize("kind", ["vector_entry_point", "sync"])
def test_some_get_a_field(kind: str) -> None:
    envs = make_vec("Hopper-v5", N, vectorization_mode=kind)
    envs.set_params([0, 2], {"body_mass[torso]": np.array([1.0, 2.0])})
    _, infos = envs.reset(seed=SEED)
    assert infos["params"]["body_mass[torso]"].tolist() == [1.0, 0.0, 2.0]
    assert [model.body("torso").mass.item() for model in envs.get_attr("model")][::2] == [1.0, 2.0]
    observations, *_ = envs.step(np.zeros(envs.action_space.shape, np.float32))
    assert len({row.tobytes() for row in observations}) == N
    envs.close()
