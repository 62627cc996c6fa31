"""`send` and `recv` of `SyncVectorEnv`: batches of those that are done first."""

from __future__ import annotations

import multiprocessing
from typing import Any

import numpy as np
import pytest

from gymnasium.error import AlreadyPendingCallError, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from tests.gymnasium.vector.counting import Boom, counting, moves
from tests.spaces_zoo import agree


def started(*lengths: int, **kwargs: Any) -> Any:
    envs: Any = SyncVectorEnv(counting(*lengths), **kwargs)
    envs.reset()
    return envs


def test_rows_come_in_the_order_of_completion() -> None:
    envs = started(5, 5, 5)
    envs.send([0, 1], [2, 0])
    envs.send([2], [1])

    observations, rewards, terminations, truncations, infos = envs.recv(2)
    assert agree(infos["env_id"], np.array([2, 0]))
    assert agree(observations, np.array([[1, 1], [1, 1]]))
    assert agree(rewards, np.array([11.0, 11.0]))
    assert terminations.shape == truncations.shape == infos["stepped"].shape == (2,)
    assert [env.actions for env in envs.envs] == [[1], [], [0]]
    assert envs.recv()[4]["env_id"].tolist() == [1]


def test_all_are_sent_without_ids() -> None:
    envs = started(5, 5)
    envs.send([0, 0])

    assert envs.recv(2)[4]["env_id"].tolist() == [0, 1]


def test_environments_get_ahead_of_each_other_and_reset_by_themselves() -> None:
    envs = started(2, 2)
    for expected in ([1, 1], [1, 2], [2, 0], [2, 1]):
        envs.send([0], [1])
        assert envs.recv()[0].tolist() == [expected]

    assert moves(envs)[0] == (1, 0, 0)
    assert envs.reset(options={"reset_mask": np.array([True, False])})[0].tolist() == [[2, 0], [2, 1]]


def test_actions_are_kept_as_they_were_sent() -> None:
    envs = started(5, 5)
    actions = np.array([1, 2])
    envs.send(actions)
    actions[:] = 0
    envs.recv(2)

    assert [env.actions for env in envs.envs] == [[1], [2]]


def test_while_something_is_in_flight_the_rest_waits() -> None:
    envs = started(5, 5)
    envs.send([0], [0])

    for call in (
        lambda: envs.step([0, 0]),
        envs.reset,
        envs.render,
        lambda: envs.call("length"),
        lambda: envs.set_attr("length", 1),
        lambda: envs.send([0, 0]),
    ):
        with pytest.raises(AlreadyPendingCallError, match=r"\[0\]") as caught:
            call()
        assert caught.value.name == "step"
    envs.send([0], [1])
    envs.recv(2)
    assert envs.step([0, 0])[0].tolist() == [[1, 2], [1, 2]]


@pytest.mark.parametrize(("actions", "ids"), [([0, 0], [0]), ([4], [0]), ([0], [2]), ([0, 0], [1, 1]), ([0.5], [0])])
def test_a_wrong_send_sends_nothing(actions: Any, ids: Any) -> None:
    envs = started(5, 5)
    with pytest.raises((ValueError, AssertionError)):
        envs.send(actions, ids)
    with pytest.raises(ValueError, match="0 are in flight"):
        envs.recv()


def test_more_than_are_in_flight_cannot_be_received() -> None:
    envs = started(5, 5)
    envs.send([0], [1])
    with pytest.raises(ValueError, match="2 environments, but 1"):
        envs.recv(2)
    assert envs.recv(1)[4]["env_id"].tolist() == [1]


def test_what_is_done_when_the_time_is_over_comes_with_the_next_call() -> None:
    envs = started(5, 5, 5)
    envs.send([0, 0, 0])
    for done in (1, 2):
        with pytest.raises(multiprocessing.TimeoutError, match=f"3 environments, of which {done}"):
            envs.recv(3, timeout=-1.0)

    with pytest.raises(AlreadyPendingCallError):
        envs.step([0, 0, 0])
    assert envs.recv(1)[4]["env_id"].tolist() == [0, 1]
    assert envs.recv(1, timeout=60)[4]["env_id"].tolist() == [2]


def test_disabled_refuses_a_finished_environment() -> None:
    envs = started(1, 5, autoreset_mode=AutoresetMode.DISABLED)
    envs.step([0, 0])
    with pytest.raises(AssertionError, match=r"\[ True False\]"):
        envs.send([0], [0])
    envs.send([0], [1])
    assert envs.recv()[0].tolist() == [[1, 2]]


def test_an_exception_loses_what_was_in_flight_and_needs_a_reset() -> None:
    envs = started(5, 5, 5)
    envs.send([0, 3, 0])
    with pytest.raises(Boom, match="env 1"):
        envs.recv(3)

    with pytest.raises(ResetNeeded):
        envs.send([0, 0, 0])
    with pytest.raises(ValueError, match="0 are in flight"):
        envs.recv()
    envs.reset()
    assert envs.step([0, 0, 0])[0].tolist() == [[2, 1]] * 3


def test_before_the_first_reset_nothing_is_sent() -> None:
    with pytest.raises(ResetNeeded):
        SyncVectorEnv(counting(5)).send([0])  # type: ignore[arg-type]


def test_a_vector_environment_without_them_says_so() -> None:
    class Bare(VectorEnv[Any, Any, Any]):
        num_envs = 2

    with pytest.raises(NotImplementedError, match=r"Bare\(num_envs=2\).*`send`"):
        Bare().send([0])
    with pytest.raises(NotImplementedError, match="`recv`"):
        Bare().recv()


def test_sending_all_and_receiving_all_is_a_step() -> None:
    sent, stepped = started(2, 3, 4, autoreset_mode="SameStep"), started(2, 3, 4, autoreset_mode="SameStep")
    for _ in range(9):
        sent.send([0, 1, 2])
        *results, infos = sent.recv(3)
        *expected, infos_of_step = stepped.step([0, 1, 2])
        assert infos.pop("env_id").tolist() == [0, 1, 2]
        assert agree(results, expected)
        assert infos.keys() == infos_of_step.keys()
