"""A batch goes on from a moment of another runner: with the params of its environments, and its wrappers' memories."""

from __future__ import annotations

import os
import pickle
import signal
from copy import deepcopy
from itertools import product
from typing import Any

import numpy as np
import pytest

import palaestra
from gymnasium.envs.registration import make_vec
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector
from palaestra import fork, restore, snapshot
from palaestra.randomization import Scale, Uniform
from tests.contracts.params_law import same

pytestmark = pytest.mark.filterwarnings("ignore:.*resumes its work", "ignore:.*ERROR")
N, SEED, STEPS, LIMIT = 3, 5, 25, 7
RUNNERS = ("sync", "async", "compiled")
MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def batch(runner: str, how: str, mode: AutoresetMode) -> Any:
    """Returns a batch whose environments have params of their own, in one of several ways."""
    given = {"gravity": [7.0, 8.0, 9.0]} if how == "made" else None
    kwargs = {"autoreset_mode": mode}
    envs: Any = make_vec(
        "CartPole-v1", N, vectorization_mode=runner, vector_kwargs=kwargs, params=given, max_episode_steps=LIMIT
    )
    return (
        palaestra.randomization.vector.RandomizeParams(envs, gravity=Uniform(8, 12), length=Uniform(0.4, 0.6))
        if how == "drawn"
        else envs
    )


def begun(envs: Any, how: str, seed: int) -> Any:
    """Returns the batch in the middle of its episodes."""
    envs.reset(seed=seed)
    if how == "set":
        envs.set_params([1], {"length": 0.8})
    envs.action_space.seed(seed)
    for _ in range(4):
        envs.step(envs.action_space.sample())
    return envs


def numbers(value: Any) -> Any:
    """Returns results without the durations of episodes."""
    if isinstance(value, dict):
        return {name: numbers(part) for name, part in value.items() if name not in ("t", "_t")}
    if isinstance(value, (tuple, list)):
        return [numbers(part) for part in value]
    return [numbers(part) for part in value] if isinstance(value, np.ndarray) and value.dtype == object else value


def equal(one: Any, other: Any) -> bool:
    """Whether results are the same, to the bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(same(one, other))


def go_on_alike(one: Any, other: Any) -> None:
    """Check that two batches go on alike, with autoresets and a reset of their own."""
    one.action_space.seed(SEED)
    for t in range(STEPS):
        actions = one.action_space.sample()
        results = [numbers(envs.reset() if t == 15 else envs.step(actions)) for envs in (one, other)]
        assert equal(*results), t


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", ["made", "drawn", "set"])
@pytest.mark.parametrize(("runner", "of"), list(product(RUNNERS, RUNNERS)))
def test_a_moment_with_params_goes_on_in_each_runner(runner: str, of: str, how: str, mode: AutoresetMode) -> None:
    first, second = begun(batch(of, how, mode), how, SEED), begun(batch(runner, how, mode), how, SEED + 20)
    moment = snapshot(first)
    restore(second, moment)
    go_on_alike(first, second)
    restore(first, moment[1], at=2)
    restore(second, moment[1], at=2)
    go_on_alike(first, second)
    first.close()
    second.close()


@pytest.mark.parametrize(("runner", "of"), [("sync", "compiled"), ("compiled", "sync"), ("async", "compiled")])
def test_a_moment_goes_on_in_each_runner_with_the_memories_of_wrappers(runner: str, of: str) -> None:
    def wrapped(name: str) -> Any:
        return vector.NormalizeObservation(vector.RecordEpisodeStatistics(batch(name, "drawn", MODES[0])))

    first, second, new = begun(wrapped(of), "drawn", SEED), begun(wrapped(runner), "drawn", SEED + 20), wrapped(runner)
    moment = snapshot(first)
    for envs in (second, new):
        restore(envs, moment)
        go_on_alike(first, envs)
        restore(first, moment)
        envs.close()
    first.close()


def test_a_moment_of_other_dynamics_changes_nothing() -> None:
    first = vector.NormalizeReward(batch("compiled", "made", MODES[0]))
    other = vector.NormalizeReward(make_vec("Acrobot-v1", N, vectorization_mode="sync"))
    first.reset(seed=SEED)
    other.reset(seed=SEED)
    before = snapshot(other)
    with pytest.raises(ValueError, match="Acrobot"):
        restore(other, snapshot(first))
    assert snapshot(other) == before


@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize("of", RUNNERS)
def test_a_moment_of_params_that_are_drawn_is_refused_where_others_are(runner: str, of: str) -> None:
    drawing, plain = begun(batch(of, "drawn", MODES[0]), "drawn", SEED), batch(runner, "made", MODES[0])
    plain.reset(seed=SEED)
    before = snapshot(plain)
    with pytest.raises(ValueError, match="draw"):
        restore(plain, snapshot(drawing))
    assert snapshot(plain) == before
    drawing.close()
    plain.close()


@pytest.mark.parametrize("runner", RUNNERS)
def test_params_that_nobody_had_set_are_not_reported(runner: str) -> None:
    """Nor those that were set after the moment."""
    envs = batch(runner, "set", MODES[0])
    envs.reset(seed=SEED)
    moment = snapshot(envs)
    envs.set_params([0], {"gravity": 7.0})
    envs.set_params([1], {"length": 0.7})
    assert "params" in envs.reset()[1]
    restore(envs, moment)
    assert "params" not in envs.reset()[1]
    envs.set_params([2], {"length": 0.6})
    assert envs.reset()[1]["params"]["_length"].tolist() == [False, False, True]
    envs.close()


@pytest.mark.parametrize("kwargs", [{}, {"on_failure": "restart"}, {"on_failure": "resume", "snapshot_every": 3}])
def test_params_that_are_set_leave_those_of_a_fork(kwargs: dict[str, Any]) -> None:
    """Processes do not set again what was set before, also where a worker resumes the work of another."""
    one = make_vec("CartPole-v1", N, vectorization_mode="sync")
    other = make_vec("CartPole-v1", N, vectorization_mode="async", vector_kwargs={"num_workers": 2, **kwargs})
    for envs in (one, other):
        envs.set_params(range(N), {"gravity": [3.0, 4.0, 5.0]})
        envs.reset(seed=SEED)
        fork(envs, 1)
        envs.set_params([0], {"length": 1.0})
        envs.set_attr("force_mag", [9.0, 10.0, 11.0])
        envs.set_params([0, 2], {"masspole": 0.2})
        assert [params.gravity for params in envs.get_attr("params")] == [4.0, 4.0, 4.0]
    go_on_alike(one, other)
    if kwargs.get("on_failure") == "resume" and hasattr(signal, "SIGKILL"):
        os.kill(other.unwrapped.processes[0].pid, signal.SIGKILL)
        actions = one.action_space.sample()
        assert equal(numbers(one.step(actions)[:4]), numbers(other.step(actions)[:4]))
        assert one.get_attr("params") == other.get_attr("params")
    other.close()


@pytest.mark.parametrize("runner", RUNNERS)
def test_options_that_wait_go_on_in_each_runner_or_are_refused(runner: str) -> None:
    first, second = batch("sync", "set", MODES[0]), batch(runner, "set", MODES[0])
    first.reset(seed=SEED)
    second.reset(seed=SEED + 20)
    second.set_reset_options([0], {"low": 0.1, "high": 0.2})
    none = snapshot(first)
    first.set_reset_options([1], {"low": -0.04, "high": -0.03})
    some = snapshot(first)
    for moment in (none, some):
        restore(first, moment)
        restore(second, moment)
        assert equal(numbers(first.reset()), numbers(second.reset()))
    if runner == "compiled":
        second.set_reset_options([1], {"low": -0.04, "high": -0.03})
        moment = snapshot(second)
        before = snapshot(first)
        with pytest.raises(ValueError, match="Options wait"):
            restore(first, moment)
        assert snapshot(first) == before
        restore(second, moment)
    second.close()


@pytest.mark.parametrize("runner", RUNNERS)
def test_each_environment_scales_the_param_that_it_has(runner: str) -> None:
    """Also in a copy, whose environments have others by then."""
    one = palaestra.randomization.vector.RandomizeParams(
        batch("sync", "made", MODES[0]), gravity=Scale(Uniform(0.9, 1.1))
    )
    other = palaestra.randomization.vector.RandomizeParams(
        batch(runner, "made", MODES[0]), gravity=Scale(Uniform(0.9, 1.1))
    )
    assert equal(numbers(one.reset(seed=SEED)), numbers(other.reset(seed=SEED)))
    if runner == "compiled":
        copies = [deepcopy(other), pickle.loads(pickle.dumps(other))]
        expected = numbers(one.reset(seed=1))
        for envs in copies:
            assert equal(expected, numbers(envs.reset(seed=1)))
    other.close()
