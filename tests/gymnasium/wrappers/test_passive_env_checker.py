"""`PassiveEnvChecker`: what it looks at, when, and that it stops looking."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers import PassiveEnvChecker


class Sound(Env):
    """Does what the interface demands."""

    metadata = {"render_modes": ["ansi"], "render_fps": 5}
    render_mode = "ansi"
    action_space = Discrete(2)
    observation_space = Discrete(3)

    def reset(self, *, seed=None, options=None):
        return 1, {}

    def step(self, action):
        return 2, 1.0, False, False, {}

    def render(self):
        return "picture"


def test_a_sound_environment_passes_in_silence():
    env = PassiveEnvChecker(Sound())
    assert env.reset(seed=1) == (1, {})
    for _ in range(3):
        assert env.step(0) == (2, 1.0, False, False, {})
        assert env.render() == "picture"
    env.close()
    env.close()
    assert (env.checked_reset, env.checked_step, env.checked_render, env.checked_data_reuse) == (True,) * 4


@pytest.mark.parametrize("name", ["action_space", "observation_space"])
def test_a_space_must_be_there(name):
    attributes = {"action_space": Discrete(2), "observation_space": Discrete(3)}
    del attributes[name]
    with pytest.raises(AttributeError, match=name):
        PassiveEnvChecker(type("Bare", (Env,), attributes)())


@pytest.mark.parametrize("name", ["action_space", "observation_space"])
def test_a_space_must_be_one(name):
    with pytest.raises(TypeError, match=name.split("_")[0]):
        PassiveEnvChecker(type("Odd", (Sound,), {name: "Discrete(2)"})())


def test_what_is_no_environment_is_refused():
    with pytest.raises(TypeError):
        PassiveEnvChecker("CartPole-v1")


def test_only_the_first_calls_are_checked():
    class Odd(Sound):
        def reset(self, *, seed=None, options=None):
            return 5, {}

        def step(self, action):
            return 2, "much", False, False, {}

        def render(self):
            return 3

    env = PassiveEnvChecker(Odd())
    with pytest.warns(UserWarning, match="reset"):
        env.reset()
    with pytest.warns(UserWarning, match="much"):
        env.step(0)
    with pytest.warns(UserWarning, match="string"):
        env.render()
    for _ in range(3):  # warnings are errors here
        env.reset()
        env.step(0)
        env.render()


class Unsound(Sound):
    """Returns no dicts as infos, and breaks off its pictures."""

    def reset(self, *, seed=None, options=None):
        return 1, None

    def step(self, action):
        return 2, 1.0, False, False, None

    def render(self):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("call", "arguments", "error"),
    [("reset", (), AssertionError), ("step", (0,), AssertionError), ("render", (), ZeroDivisionError)],
)
def test_a_first_call_that_raises_counts_as_checked(call, arguments, error):
    """Otherwise a program that goes on after a finding would get it again and again."""
    env = PassiveEnvChecker(Unsound())
    with pytest.raises(error):
        getattr(env, call)(*arguments)
    assert getattr(env, f"checked_{call}")
    if call != "render":
        assert getattr(env, call)(*arguments)[-1] is None


class Reusing(Sound):
    """Returns the same info from the calls named."""

    def __init__(self, *calls):
        self.info = {}
        self.calls = calls

    def of(self, call):
        return self.info if call in self.calls else {}

    def reset(self, *, seed=None, options=None):
        return 1, self.of("reset")

    def step(self, action):
        return 1, 1.0, False, False, self.of("step")


def test_reset_and_step_must_not_share():
    env = PassiveEnvChecker(Reusing("reset", "step"))
    env.reset()
    with pytest.warns(UserWarning, match=r"step\(\).*reset\(\)"):
        env.step(0)


def test_two_steps_must_not_share():
    env = PassiveEnvChecker(Reusing("step"))
    env.reset()
    env.step(0)
    assert not env.checked_data_reuse
    with pytest.warns(UserWarning, match=r"step\(\).*step\(\)"):
        env.step(0)
    env.step(0)  # warnings are errors here
    assert env.checked_data_reuse


def test_data_is_not_kept_after_the_checks():
    env = PassiveEnvChecker(Sound())
    env.reset()
    env.step(0)
    env.step(0)
    assert env._previous_data is None


def test_a_step_before_reset_has_nothing_to_compare_with():
    env = PassiveEnvChecker(Sound())
    assert env.step(0) == (2, 1.0, False, False, {})
    env.reset()
    env.step(0)
    env.step(0)
    assert env.checked_data_reuse


def test_four_values_pass_after_the_warning():
    class Old(Sound):
        def step(self, action):
            return 2, 1.0, False, {}

    env = PassiveEnvChecker(Old())
    env.reset()
    with pytest.warns(DeprecationWarning, match="4"):
        assert env.step(0) == (2, 1.0, False, {})
    assert env.step(0) == (2, 1.0, False, {})
    assert env.step(0) == (2, 1.0, False, {})


@pytest.mark.parametrize("result", [5, (1, {}, 3)])
def test_an_unusual_reset_result_passes_after_the_warning(result):
    class Odd(Sound):
        def reset(self, *, seed=None, options=None):
            return result

    env = PassiveEnvChecker(Odd())
    with pytest.warns(UserWarning, match="reset"):
        assert env.reset() == result
    env.step(0)


def test_a_second_close_that_raises_is_reported_and_raises():
    class Brittle(Sound):
        closed = False

        def close(self):
            if self.closed:
                raise RuntimeError("already closed")
            self.closed = True

    env = PassiveEnvChecker(Brittle())
    env.close()
    with pytest.warns(UserWarning, match="close"), pytest.raises(RuntimeError, match="already closed"):
        env.close()


def test_a_first_close_that_raises_just_raises():
    class Broken(Sound):
        def close(self):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        PassiveEnvChecker(Broken()).close()


def test_spec_has_a_field_for_it(counting):
    spec = PassiveEnvChecker(counting()).spec
    assert spec.disable_env_checker is False
    assert spec.additional_wrappers == ()


def test_it_can_be_pickled_at_any_time():
    env = PassiveEnvChecker(Sound())
    for call in (lambda: env.reset(), lambda: env.step(0), lambda: env.step(0)):
        call()
        again = pickle.loads(pickle.dumps(env))
        assert again.step(0) == (2, 1.0, False, False, {})


def test_arrays_that_share_memory_are_found(counting):
    class Viewing(counting):
        buffer = np.zeros(1, np.float32)

        def observation(self):
            self.buffer[0] = self.t
            return self.buffer[:]

    env = PassiveEnvChecker(Viewing())
    env.reset()
    with pytest.warns(UserWarning, match="observation"):
        env.step(0)


class _Unseeded(Env):
    """Forgets to pass the seed on, and starts anywhere."""

    observation_space = Box(0, 1, (1,), np.float64)
    action_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        return self.np_random.random(1), {}


class _Elsewhere(_Unseeded):
    """Seeds its generator, and draws from another."""

    numbers = np.random.default_rng(0)

    def reset(self, *, seed=None, options=None):
        Env.reset(self, seed=seed)
        return self.numbers.random(1), {}


@pytest.mark.parametrize(("kind", "rule"), [(_Unseeded, "G212"), (_Elsewhere, "G213")])
def test_the_same_seed_begins_the_same_episode(kind, rule) -> None:
    """It is said once, when the same seed comes again; resets between, and of other seeds, are left alone."""
    env = PassiveEnvChecker(kind())
    for seed in (None, 5, 6, None):
        env.reset(seed=seed)
    with pytest.warns(UserWarning, match=f"{rule}: .*seed=5"):
        env.reset(seed=5)
    env.reset(seed=5)
