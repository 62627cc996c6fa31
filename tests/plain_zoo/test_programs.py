"""Generated plain environments, compiled and in sync: the same bits, a refusal or the same exception."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.contracts.compiled_law import assert_same
from tests.plain_zoo.programs import loaded, program

EXAMPLES = 60 if os.environ.get("THOROUGH") else 1
NAMES = count()


def outcome(step: Any, *arguments: Any) -> Any:
    """What a call returns, or the exception that it raises."""
    try:
        return step(*arguments)
    except Exception as error:
        return type(error).__name__


@pytest.mark.filterwarnings("ignore")  # NumPy's, of numbers that overflow
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(rng=st.randoms(use_true_random=False))
def test_a_generated_program_is_the_same_compiled(rng: Random, tmp_path: Path) -> None:
    text = program(rng)
    note(text)
    made = loaded(text, tmp_path, f"plain_program_{next(NAMES)}")
    sync = SyncVectorEnv([made] * 4)
    try:
        ours = PlainVectorEnv(made, 4, trial="off")
        result = ours.reset(seed=3)
    except CannotCompile:
        return
    assert_same(result, sync.reset(seed=3), "reset")
    actions = np.random.default_rng(0).integers(3, size=(60, 4))
    for t in range(60):
        expected = outcome(sync.step, actions[t])
        assert_same(outcome(ours.step, actions[t]), expected, f"step {t}")
        if isinstance(expected, str):
            return
