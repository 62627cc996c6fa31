"""A rollout on several threads that the user interrupts."""

from __future__ import annotations

import signal
import threading
import time

import pytest

import gymnasium
import palaestra
from gymnasium.spaces import Discrete
from palaestra.policies import Random
from palaestra.runner.rollouts import collecting


def test_an_interrupt_lets_every_thread_end(monkeypatch):
    """A thread that goes on would write into memory that is used for something else."""
    main, ended = threading.main_thread(), []

    def run(kernel, task, memory):
        if threading.current_thread() is main:
            return
        for _ in range(2):
            time.sleep(0.1)  # so that the main thread waits
            signal.pthread_kill(main.ident, signal.SIGINT)
        time.sleep(0.1)
        ended.append(True)

    monkeypatch.setattr(collecting, "_run", run)
    monkeypatch.setattr("palaestra.runner.rollouts.deciding.Decider.steps_of_a_thread", 1)
    envs = gymnasium.make_vec("CartPole-v1", 24, vector_kwargs={"num_threads": 3})
    with pytest.raises(KeyboardInterrupt):
        palaestra.rollout(envs, Random(Discrete(2)), 5)
    assert len(ended) == 2
