"""What people write wrong every day: the exception keeps its type, and its message ends with what to write instead."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gymnasium as gym
from gymnasium.error import (
    ActionOutsideSpace,
    DeprecatedEnv,
    DeprecatedWrapper,
    InvalidAction,
    NameNotFound,
    NotAnId,
    ResetNeeded,
)
from gymnasium.spaces import Box, Discrete
from gymnasium.spaces.outside import action_outside
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from palaestra.error import CannotCompile


class Still(gym.Env[np.ndarray, int]):
    """Nothing happens."""

    observation_space = Box(-1, 1, (2,))
    action_space = Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        super().reset(seed=seed)
        return np.zeros(2, np.float32), {}

    def step(self, action: int) -> tuple[np.ndarray, Any, bool, bool, dict[str, Any]]:
        return np.zeros(2, np.float32), 0.0, False, False, {}


def cart() -> Any:
    env = gym.make("CartPole-v1")
    env.reset(seed=1)
    return env


def pendulum() -> Any:
    env = gym.make("Pendulum-v1")
    env.reset(seed=1)
    return env


def carts(n: int = 3, **kwargs: Any) -> Any:
    envs = gym.make_vec("CartPole-v1", n, **kwargs)
    envs.reset(seed=1)
    return envs


def imported(name: str, package: str = "gymnasium.wrappers") -> None:
    exec(f"from {package} import {name}", {})


def unfinished_wrapper() -> Any:
    class Unfinished(gym.Wrapper):
        def __init__(self, env: gym.Env) -> None:
            self.name = "unfinished"

    return Unfinished(cart())


MISTAKES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "a float": (lambda: cart().step(1.0), ActionOutsideSpace, "`int(action)`"),
    "an array of one": (lambda: cart().step(np.array([1])), ActionOutsideSpace, "`int(action[0])`"),
    "a list of one": (lambda: cart().step([1]), ActionOutsideSpace, "`int(action[0])`"),
    "a result of predict": (lambda: cart().step((np.array(1), None)), ActionOutsideSpace, "`action[0]`"),
    "scores": (lambda: cart().step(np.array([0.3, 0.7])), ActionOutsideSpace, "np.argmax(action)"),
    "nothing": (lambda: cart().step(None), ActionOutsideSpace, "let it return an action"),
    "too large": (lambda: cart().step(2), ActionOutsideSpace, "an integer from 0 to 1"),
    "no row": (lambda: pendulum().step(0.5), ActionOutsideSpace, "np.reshape(action, (1,))"),
    "a batch": (lambda: pendulum().step([[0.5]]), ActionOutsideSpace, "`action[0]`"),
    "a diverged policy": (lambda: pendulum().step([np.nan]), ActionOutsideSpace, "NaN in its loss"),
    "one for all": (lambda: carts().step(1), TypeError, "one action for each environment"),
    "floats": (lambda: carts().step([0.0, 1.0, 0.0]), ActionOutsideSpace, "astype(int)"),
    "columns": (lambda: carts().step([[0], [1], [0]]), ValueError, "np.reshape(actions, (3,))"),
    "predict of a batch": (lambda: carts().step((np.array([0, 1, 0]), None)), ValueError, "pass `actions[0]`"),
    "a class": (lambda: gym.make(Still), NotAnId, "Still is a class: call Still()"),  # type: ignore[arg-type]  # the mistake
    "a class of a batch": (lambda: gym.make_vec(Still, 4), NotAnId, "SyncVectorEnv([Still] * n)"),  # type: ignore[arg-type]  # the mistake
    "an environment": (lambda: gym.make(Still()), NotAnId, "use it as it is"),  # type: ignore[arg-type]  # the mistake
    "the spec of a class": (lambda: gym.spec(Still), NotAnId, "but Still is a class: register it"),  # type: ignore[arg-type]  # the mistake
    "the spec of an environment": (lambda: gym.spec(Still()), NotAnId, "its spec is its attribute `spec`"),  # type: ignore[arg-type]  # the mistake
    "the spec of a spec": (lambda: gym.spec(gym.spec("CartPole-v1")), NotAnId, "use it as it is"),  # type: ignore[arg-type]  # the mistake
    "a class without an id": (lambda: gym.register(Still), NotAnId, "an environment id is a str"),  # type: ignore[arg-type]  # the mistake
    "environments in sync": (lambda: SyncVectorEnv([cart(), cart()]), TypeError, "put `lambda:` before"),
    "environments in async": (lambda: AsyncVectorEnv([cart(), cart()]), TypeError, "put `lambda:` before"),
    "a function for many": (lambda: SyncVectorEnv(cart), TypeError, "[lambda: gymnasium.make(...)] * n"),  # type: ignore[arg-type]  # the mistake
    "an id for many": (lambda: SyncVectorEnv("CartPole-v1"), TypeError, "make_vec('CartPole-v1', n)"),  # type: ignore[arg-type]  # the mistake
    "no return": (lambda: SyncVectorEnv([lambda: None]), TypeError, "let it return the environment"),  # type: ignore[list-item,return-value]  # the mistake
    "seed": (lambda: cart().seed(1), AttributeError, "env.reset(seed=...)"),
    "seeds": (lambda: carts().seed(1), AttributeError, "envs.reset(seed=...)"),
    "mode of render": (lambda: cart().render(mode="human"), TypeError, 'render_mode="human"'),
    "a constant": (lambda: cart().gravity, AttributeError, "`env.unwrapped.gravity`"),
    "a wrapper's attribute": (lambda: cart().checked_reset, AttributeError, "get_wrapper_attr('checked_reset')"),
    "constants of a batch": (lambda: carts(vectorization_mode="sync").gravity, AttributeError, "get_attr('gravity')"),
    "environments of a batch": (lambda: carts().envs, AttributeError, 'vectorization_mode="sync"'),
    "super of a wrapper": (lambda: unfinished_wrapper().reset(), AttributeError, "super().__init__(env)"),
    "a wrapper of a class": (lambda: gym.wrappers.TimeLimit(Still, 3), TypeError, "Still(...)"),  # type: ignore[arg-type]  # the mistake
    "a limit of a batch": (
        lambda: gym.wrappers.TimeLimit(carts(), 3),
        TypeError,
        "make_vec(..., max_episode_steps=...)",
    ),  # type: ignore[type-var,arg-type]  # the mistake
    "a wrapper of a batch": (
        lambda: gym.wrappers.NormalizeReward(carts()),  # type: ignore[type-var,arg-type]  # the mistake
        TypeError,
        "a CartPoleVectorEnv, a batch, came; use gymnasium.wrappers.vector.NormalizeReward",
    ),
    "a wrapper of each": (
        lambda: gym.wrappers.AddWhiteNoise(carts(), 0.5),  # type: ignore[attr-defined]  # the mistake
        TypeError,
        "wrappers=[lambda env: AddWhiteNoise(env, ...)]",
    ),
    "a misspelt mode": (
        lambda: gym.make_vec("CartPole-v1", 2, vectorization_mode="asnc"),
        ValueError,
        "got 'asnc'; did you mean 'async'?",
    ),
    "an old version": (
        lambda: gym.make("Pendulum-v0"),
        DeprecatedEnv,
        'There is no version v0 of Pendulum: v1 has replaced it; use `gymnasium.make("Pendulum-v1")`',
    ),
    "vector.make": (lambda: gym.vector.make("CartPole-v1"), AttributeError, "gymnasium.make_vec"),
    "from vector import make": (lambda: imported("make", "gymnasium.vector"), ImportError, "gymnasium.make_vec"),
    "wrappers.Monitor": (lambda: gym.wrappers.Monitor, AttributeError, "`wrappers.RecordVideo`"),
    "import Monitor": (lambda: imported("Monitor"), DeprecatedWrapper, "`wrappers.RecordVideo`"),
    "AutoResetWrapper": (lambda: imported("AutoResetWrapper"), DeprecatedWrapper, "`wrappers.Autoreset`"),
    "a name with its version": (lambda: imported("ClipActionV0"), DeprecatedWrapper, "ClipAction`"),
    "a constant as argument": (
        lambda: gym.make("CartPole-v1", gravity=3),
        TypeError,
        "`env.unwrapped.gravity = 3`, or in a batch with `make_vec('CartPole-v1', n, params={'gravity': 3})`",
    ),
    "a constant of many": (lambda: gym.make_vec("CartPole-v1", 2, gravity=3), TypeError, "params={'gravity': 3}"),
    "a misspelt argument": (
        lambda: gym.make("FrozenLake-v1", is_sliperry=False),
        TypeError,
        "did you mean 'is_slippery'?",
    ),
    "a misspelt limit": (lambda: gym.make_vec("Taxi-v4", 2, max_steps=3), TypeError, "'max_episode_steps'?"),
    "a misspelt vector_kwarg": (
        lambda: gym.make_vec("CartPole-v1", 2, vector_kwargs={"copyy": True}),
        TypeError,
        "SyncVectorEnv got an unexpected keyword argument 'copyy' in vector_kwargs; did you mean 'copy'?",
    ),
    "an unknown id": (lambda: gym.make("Nope-v0"), NameNotFound, "import the package that registers it"),
    "a misspelt id": (
        lambda: gym.make("LunarLader-v3"),
        NameNotFound,
        'did you mean `gymnasium.make("LunarLander-v3")`',
    ),
    "no reset": (lambda: gym.make_vec("CartPole-v1", 2).step([0, 0]), ResetNeeded, "call reset() first"),
    "options": (lambda: cart().reset(options=5), TypeError, "reset(options={name: ...})"),
    "clipping": (lambda: gym.wrappers.ClipAction(cart()), TypeError, "leave ClipAction out"),
    "Box2D compiled": (
        lambda: gym.make_vec("LunarLander-v3", 2, vectorization_mode="compiled"),
        CannotCompile,
        "its engine, Box2D, is not Python; use vectorization_mode='async', the default",
    ),
    "MuJoCo compiled": (
        lambda: gym.make_vec("Ant-v5", 2, vectorization_mode="compiled"),
        CannotCompile,
        "its engine, MuJoCo, is not Python; leave vectorization_mode out",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.filterwarnings("ignore:.*runs in sync")
def test_the_message_says_what_to_write(mistake: str) -> None:
    call, kind, remedy = MISTAKES[mistake]
    with pytest.raises(kind) as raised:
        call()
    assert remedy in str(raised.value)
    assert type(raised.value).__module__ == kind.__module__


NO_ACTIONS: list[tuple[Any, str]] = [
    (None, "None of type NoneType"),
    ("x", "'x' of type str"),
    ({}, "{} of type dict"),
    ([None], "[None] of type list"),
    (["a"], "['a'] of type list"),
    ((np.zeros(6), None), "pass `action[0]`"),
]


NEWEST = sorted({(spec.namespace, spec.name): id for id, spec in gym.registry.items()}.values())


@pytest.mark.parametrize("env_id", [env_id for env_id in NEWEST if not env_id.startswith("GymV")])
def test_an_action_of_another_kind_is_named(env_id: str) -> None:
    """By each environment, before anything moves."""
    env = gym.make(env_id)
    env.reset(seed=1)
    for action, named in NO_ACTIONS:
        with pytest.raises(InvalidAction) as raised:
            env.step(action)
        assert named in str(raised.value)
    env.close()


@pytest.mark.parametrize("name", ["Bandit", "Trading", "Nope", "Maze", "Snake", "Test", "GridWorld"])
def test_an_id_of_ones_own_resembles_none(name: str) -> None:
    """No other environment is suggested for a name that only shares some letters with it."""
    with pytest.raises(NameNotFound) as raised:
        gym.make(f"{name}-v0")
    assert "did you mean" not in str(raised.value)


def test_a_tensor_of_one_number() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(ActionOutsideSpace, match=r"pass `int\(action\)`"):
        cart().step(torch.tensor(1))


@pytest.mark.parametrize("action", ["left", object(), {"a": 1}, np.array("x"), [1, [2]], float("nan"), -1])
@pytest.mark.parametrize("space", [Discrete(3, start=1), Box(-1, 1, (2, 2))])
def test_any_object_can_be_described(action: object, space: Any) -> None:
    assert str(space) in str(action_outside(action, space))


def test_an_old_name_is_no_attribute() -> None:
    """Programs that try whether a name exists go on as before."""
    assert not hasattr(gym.wrappers, "FrameStack")
    assert not hasattr(gym.vector, "make")
    assert not hasattr(cart(), "seed")


def test_the_attribute_error_of_a_property_is_the_one_that_is_raised() -> None:
    class Named(gym.Wrapper):
        @property
        def name(self) -> str:
            return self.title  # type: ignore[no-any-return]  # nowhere

    with pytest.raises(AttributeError, match="'title'"):
        Named(cart()).name  # noqa: B018


def test_what_another_class_of_a_wrapper_finds_is_found() -> None:
    class Finder:
        def __getattr__(self, name: str) -> str:
            return f"found {name}"

    class Finding(gym.Wrapper, Finder):
        pass

    assert Finding(cart()).anything == "found anything"


def test_wrappers_copy_and_pickle() -> None:
    """Copies ask for special methods before there is anything inside."""
    env = cart()
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    observation = env.step(0)[0]
    assert all((other.step(0)[0] == observation).all() for other in others)
    assert copy.copy(env).env is env.env


def test_one_environment_for_several_places_is_warned_of() -> None:
    env = Still()
    with pytest.warns(UserWarning, match="returned the same environment"):
        SyncVectorEnv([lambda: env] * 2)


class Wrong(Still):
    """A step that returns too little, or no number."""

    def __init__(self, reward: Any = None) -> None:
        self.reward = reward

    def step(self, action: int) -> Any:
        observation = np.zeros(2, np.float32)
        return (observation, 0.0, False, {}) if self.reward is None else (observation, self.reward, False, False, {})


@pytest.mark.parametrize("batch", [SyncVectorEnv, AsyncVectorEnv])
@pytest.mark.filterwarnings("ignore:.*ERROR")
def test_a_wrong_result_in_a_batch_is_named(batch: Any) -> None:
    envs = batch([Wrong] * 2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=r"step\(\) must return \(observation, .* returned 4 values"):
        envs.step([0, 0])
    envs.close()


@pytest.mark.parametrize("batch", [SyncVectorEnv, AsyncVectorEnv])
def test_rewards_in_arrays_of_one(batch: Any) -> None:
    """A single environment takes them too."""
    envs = batch([lambda: Wrong(np.ones(1))] * 2)
    envs.reset(seed=1)
    assert envs.step([0, 0])[1].tolist() == [1.0, 1.0]
    envs.close()
    envs = SyncVectorEnv([lambda: Wrong(np.ones(2))] * 2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="must be one number"):
        envs.step([0, 0])


def test_a_draw_of_the_old_gym() -> None:
    class Old(Still):
        def step(self, action: int) -> Any:
            return self.np_random.randint(2)  # type: ignore[attr-defined]  # the mistake

    gym.register("Old-v0", entry_point=Old)
    env = gym.make("Old-v0")
    env.reset(seed=1)
    with pytest.raises(AttributeError, match=r"write np_random.integers\(...\)"):
        env.step(0)
    del gym.registry["Old-v0"]


class Pushed(Still):
    """It computes with its action, as most classes of users do."""

    def step(self, action: Any) -> tuple[np.ndarray, Any, bool, bool, dict[str, Any]]:
        return np.zeros(2, np.float32), float(action - 0.5), False, False, {}


@pytest.mark.parametrize("space", [Discrete(2), Box(-1, 1, (2,))], ids=str)
def test_the_pair_of_predict_is_named_for_any_class(space: Any) -> None:
    """By the checker of `make`, before the class raises something of its own."""
    env: Any = gym.wrappers.PassiveEnvChecker(Pushed())
    env.unwrapped.action_space = space
    env.reset(seed=1)
    with pytest.warns(UserWarning, match=r"pass `action\[0\]`") as caught, pytest.raises(TypeError):
        env.step((space.sample(), None))
    assert len(caught) == 1
