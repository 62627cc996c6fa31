"""`Env`: its defaults, its random numbers, its attributes from outside."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.error import Error
from gymnasium.specs import EnvSpec


class Silent(Env):
    """Implements nothing."""


class Seeded(Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}


def test_defaults():
    env = Silent()
    assert env.metadata == {"render_modes": []}
    assert env.render_mode is None
    assert env.spec is None
    assert env._np_random is None
    assert env._np_random_seed is None
    assert env.reward_range == (-float("inf"), float("inf"))


def test_spaces_have_no_default():
    assert not hasattr(Silent(), "action_space")
    assert not hasattr(Silent(), "observation_space")


def test_step_and_render_are_for_the_subclass():
    with pytest.raises(NotImplementedError, match=r"Silent must define step\(self, action\)"):
        Silent().step(0)
    with pytest.raises(NotImplementedError, match=r"Silent must define render\(self\)"):
        Silent().render()


def test_close_does_nothing_and_may_be_repeated():
    env = Silent()
    assert env.close() is None
    assert env.close() is None


def test_reset_seeds_only_if_asked():
    env = Seeded()
    assert Silent().reset() is None
    env.reset(seed=3)
    generator = env.np_random
    drawn = generator.random()
    env.reset()
    assert env.np_random is generator
    assert env.np_random_seed == 3
    env.reset(seed=3)
    assert env.np_random.random() == drawn


@pytest.mark.parametrize("seed", [-1, 1.0, "1"])
def test_a_bad_seed_changes_nothing(seed):
    env = Seeded()
    env.reset(seed=3)
    generator = env.np_random
    with pytest.raises(Error):
        env.reset(seed=seed)
    assert env.np_random is generator
    assert env.np_random_seed == 3


def test_generator_and_seed_come_into_being_when_read():
    env = Silent()
    assert isinstance(env.np_random, np.random.Generator)
    seed = env.np_random_seed
    assert isinstance(seed, int)
    assert env.np_random_seed == seed

    env = Silent()
    seed = env.np_random_seed
    assert env.np_random.random() == np.random.default_rng(seed).random()


def test_an_assigned_generator_has_an_unknown_seed():
    env = Silent()
    generator = np.random.default_rng(1)
    env.np_random = generator
    assert env.np_random is generator
    assert env._np_random is generator
    assert env.np_random_seed == -1


def test_the_seed_cannot_be_assigned():
    with pytest.raises(AttributeError):
        Silent().np_random_seed = 1


def test_wrapper_attributes_of_a_bare_environment():
    env = Silent()
    assert not env.has_wrapper_attr("x")
    with pytest.raises(AttributeError):
        env.get_wrapper_attr("x")
    assert env.set_wrapper_attr("x", 1, force=False) is False
    assert not hasattr(env, "x")
    assert env.set_wrapper_attr("x", 1) is True
    assert env.set_wrapper_attr("x", 2, force=False) is True
    assert env.get_wrapper_attr("x") == 2
    assert env.has_wrapper_attr("x")


def test_str_names_the_class_and_the_id():
    env = Silent()
    assert str(env) == "<Silent instance>"
    env.spec = EnvSpec("Silent-v0", entry_point="nowhere:Silent")
    assert str(env) == "<Silent<Silent-v0>>"
    assert repr(env) == object.__repr__(env)


def test_unwrapped_is_itself():
    env = Silent()
    assert env.unwrapped is env


def test_a_with_block_closes_and_lets_exceptions_pass():
    class Closing(Silent):
        closed = False

        def close(self):
            self.closed = True

    with pytest.raises(ZeroDivisionError), Closing() as env:
        assert isinstance(env, Closing)
        raise ZeroDivisionError
    assert env.closed


def test_a_generic_environment_can_be_subscripted():
    class Typed(Env[np.ndarray, int]):
        pass

    assert issubclass(Typed, Env)
