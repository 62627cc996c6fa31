"""`array_conversion`, and the wrappers that are made of it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import OrderedDict, deque, namedtuple
from types import ModuleType

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import gymnasium
from gymnasium.core import Env
from gymnasium.error import DependencyNotInstalled
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import ArrayConversion, JaxToNumpy, JaxToTorch, NumpyToTorch, vector
from gymnasium.wrappers.array_conversion import array_conversion, module_name_to_namespace, module_namespace
from gymnasium.wrappers.jax_to_numpy import jax_to_numpy, numpy_to_jax
from gymnasium.wrappers.jax_to_torch import jax_to_torch, torch_to_jax
from gymnasium.wrappers.numpy_to_torch import numpy_to_torch, torch_to_numpy

LIBRARIES = {"numpy": np, "jax.numpy": jnp, "torch": torch}
Pair = namedtuple("Pair", "a b")


def is_of(value, library):
    kinds = {np: np.ndarray, jnp: jnp.ndarray, torch: torch.Tensor}
    return isinstance(value, kinds[library])


@pytest.fixture(params=LIBRARIES)
def source(request):
    """A library that arrays come from."""
    return LIBRARIES[request.param]


@pytest.fixture(params=LIBRARIES)
def target(request):
    """A library that they go to."""
    return LIBRARIES[request.param]


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "bool"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
def test_arrays_keep_values_shape_and_dtype(source, target, shape, dtype):
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    converted = array_conversion(source.asarray(values), xp=target)
    assert is_of(converted, target)
    assert dtype in str(converted.dtype)
    np.testing.assert_array_equal(np.asarray(converted), values)


@pytest.mark.parametrize("number", [True, 3, 2.5, np.float32(2.5), np.int64(3), np.bool_(True)])
def test_numbers_become_arrays(target, number):
    converted = array_conversion(number, xp=target)
    assert is_of(converted, target)
    assert converted.shape == ()
    assert converted.item() == number


@pytest.mark.parametrize("value", [None, "text", "", b"bytes"])
def test_what_is_no_number_stays(target, value):
    assert array_conversion(value, xp=target) is value


def test_containers_keep_their_types(target):
    value = {
        "tuple": (1, [2.0]),
        3: Pair(np.arange(2), None),
        "deque": deque([1]),
        "ordered": OrderedDict(b=1, a="x"),
    }
    converted = array_conversion(value, xp=target)
    assert [type(part) for part in converted.values()] == [tuple, Pair, deque, OrderedDict]
    assert list(converted) == ["tuple", 3, "deque", "ordered"]
    assert is_of(converted["tuple"][1][0], target)
    assert is_of(converted[3].a, target)
    assert converted["ordered"]["a"] == "x"


def test_memory_is_shared_where_it_can_be():
    values = np.zeros(3)
    tensor = numpy_to_torch(values)
    values[1] = 7
    assert tensor.tolist() == [0, 7, 0]
    back = torch_to_numpy(tensor)
    assert np.shares_memory(back, values)
    assert torch_to_jax(torch.ones(4)).unsafe_buffer_pointer() != 0
    array = jnp.arange(4.0)
    assert jax_to_torch(array).data_ptr() == array.unsafe_buffer_pointer()
    assert jax_to_numpy(array).ctypes.data == array.unsafe_buffer_pointer()


@pytest.mark.parametrize(
    "change", [lambda a: a[::-1], lambda a: a[:, ::2], lambda a: a.T, lambda a: a.astype(">f4"), lambda a: a * 1j]
)
def test_unusual_arrays_arrive_too(target, change):
    values = change(np.arange(12, dtype=np.float32).reshape(3, 4))
    np.testing.assert_array_equal(np.asarray(array_conversion(values, xp=target)), values)


def test_what_comes_of_a_read_only_array_can_be_written_to():
    values = np.zeros(3)
    values.flags.writeable = False
    tensor = numpy_to_torch(values)
    tensor[0] = 1
    assert values[0] == 0


def test_gradients_are_left_behind(target):
    converted = array_conversion(torch.ones(2, requires_grad=True), xp=target)
    assert np.asarray(converted).tolist() == [1, 1]


def test_arrays_of_objects_and_texts_stay_numpy(target):
    objects = np.array([np.arange(2), None, "x"], object)
    converted = array_conversion(objects, xp=target)
    assert isinstance(converted, np.ndarray)
    assert is_of(converted[0], target)
    assert converted[1:].tolist() == [None, "x"]
    texts = np.array(["a", "b"])
    assert array_conversion(texts, xp=target) is texts


def test_an_unknown_type_is_named(target):
    with pytest.raises(TypeError, match=r"object.*array_conversion\.register"):
        array_conversion(object(), xp=target)


def test_a_device_can_be_chosen():
    assert numpy_to_torch(np.ones(2), device="meta").device.type == "meta"
    assert numpy_to_torch(2.0, device="cpu").device.type == "cpu"
    assert jax_to_torch(jnp.ones(2), device=torch.device("cpu")).device.type == "cpu"


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_speaks_the_array_api(name):
    """Also where it has no functions of these names itself."""
    xp = module_namespace(LIBRARIES[name])
    assert xp.__name__.removeprefix("array_api_compat.") == name
    assert module_namespace(xp) is module_name_to_namespace(name) is xp
    ones = xp.astype(xp.concat([xp.asarray([True]), xp.asarray([True])]), xp.float32)
    assert xp.result_type(ones, xp.float32) == xp.float32
    assert is_of(array_conversion(np.float32(2), xp=xp), LIBRARIES[name])
    assert is_of(array_conversion([torch.ones(2)], xp)[0], LIBRARIES[name])


def test_a_library_is_taken_as_it_is_without_array_api_compat(monkeypatch):
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    assert module_namespace(torch) is torch
    assert module_name_to_namespace("jax.numpy") is jnp


def test_a_library_that_array_api_compat_does_not_know_is_taken_as_it_is():
    xp = ModuleType("homemade")
    xp.asarray = xp.from_dlpack = xp.empty = lambda value: object()
    assert module_namespace(xp) is xp


def test_a_library_has_the_functions_of_the_array_api():
    with pytest.raises(ValueError, match=r"from_dlpack.*pickle"):
        module_namespace(pickle)
    with pytest.raises(DependencyNotInstalled, match="no_such_library"):
        module_name_to_namespace("no_such_library")


@pytest.mark.parametrize("name", ["JaxToNumpy", "JaxToTorch", "NumpyToTorch"])
@pytest.mark.parametrize("module", ["gymnasium.wrappers", "gymnasium.wrappers.vector"])
def test_a_missing_library_is_named_when_the_wrapper_is_asked_for(module, name):
    code = (
        "import sys\n"
        "sys.modules['jax'] = sys.modules['torch'] = None\n"
        f"import importlib; module = importlib.import_module('{module}'); module.ArrayConversion\n"
        "from gymnasium.error import DependencyNotInstalled\n"
        f"try: module.{name}\n"
        "except DependencyNotInstalled as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "jax>=' in done.stdout or 'pip install "torch>=' in done.stdout


class Adding(Env):
    """Written for any library: adds the action to a state."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 5}
    render_mode = "rgb_array"
    observation_space = Box(-100, 100, (2,), np.float32)
    action_space = Box(-1, 1, (2,), np.float32)

    def __init__(self, library):
        self.name = library.__name__

    @property
    def library(self):
        return LIBRARIES[self.name]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.library.zeros(2) if options is None else options["start"]
        assert is_of(self.state, self.library)
        return self.state, {"where": {"x": self.state[0]}, "none": None}

    def step(self, action):
        assert is_of(action, self.library)
        self.state = self.state + action
        return self.state, self.state.sum(), self.state[0] > 2, False, {"name": "step"}

    def render(self):
        return self.library.zeros((2, 2, 3))


@pytest.mark.parametrize(
    ("wrap", "inner", "outer"),
    [
        (JaxToNumpy, jnp, np),
        (JaxToTorch, jnp, torch),
        (NumpyToTorch, np, torch),
        (lambda env: ArrayConversion(env, torch, np), torch, np),
        (lambda env: ArrayConversion(env, "torch", "jax.numpy"), torch, jnp),
    ],
)
def test_an_environment_is_used_with_another_library(wrap, inner, outer):
    assert_used(wrap(Adding(inner)), outer)


def test_an_environment_of_any_library_is_used_with_any(source, target):
    assert_used(ArrayConversion(Adding(source), source, target), target)
    assert_used(pickle.loads(pickle.dumps(ArrayConversion(Adding(source), source, target))), target)


def assert_used(env, outer):
    observation, info = env.reset(seed=1, options={"start": outer.ones(2)})
    assert is_of(observation, outer)
    assert is_of(info["where"]["x"], outer)
    assert (info["where"]["x"].shape, info["none"]) == ((), None)
    observation, reward, terminated, truncated, info = env.step(outer.ones(2))
    assert is_of(observation, outer)
    assert (reward, terminated, truncated, info) == (4.0, False, False, {"name": "step"})
    assert [type(value) for value in (reward, terminated, truncated)] == [float, bool, bool]
    assert env.step(outer.ones(2))[2] is True
    assert is_of(env.render(), outer)
    assert env.reset()[0].tolist() == [0, 0]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_batch_is_used_with_another_library(mode):
    inner = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2, autoreset_mode=mode)
    alone = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2, autoreset_mode=mode)
    env = vector.NumpyToTorch(inner)
    observations, _ = env.reset(seed=3)
    alone.reset(seed=3)
    finals = 0
    for t in range(60):
        action = t // 5 % 2
        observations, rewards, terminations, truncations, infos = env.step(torch.full((2,), action))
        wanted = alone.step(np.full(2, action))
        for value, other in zip((observations, rewards, terminations, truncations), wanted, strict=False):
            assert isinstance(value, torch.Tensor)
            np.testing.assert_array_equal(value.numpy(), other)
        if "final_obs" in infos:
            (i,) = np.flatnonzero(wanted[-1]["_final_obs"])
            assert isinstance(infos["final_obs"][i], torch.Tensor)
            np.testing.assert_array_equal(infos["final_obs"][i].numpy(), wanted[-1]["final_obs"][i])
            finals += 1
        if mode is AutoresetMode.DISABLED and (terminations | truncations).any():
            env.reset(options={"reset_mask": terminations | truncations})
            alone.reset(options={"reset_mask": wanted[2] | wanted[3]})
    assert (finals > 0) == (mode is AutoresetMode.SAME_STEP)


class AddingBatch(VectorEnv):
    """Two of the above."""

    def __init__(self, library=jnp):
        self.library = library

    num_envs = 2
    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
    observation_space = single_observation_space = Box(-100, 100, (2,), np.float32)
    action_space = single_action_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        return self.library.zeros(2), {}

    def step(self, actions):
        assert is_of(actions, self.library)
        return actions + 1.0, actions * 2.0, actions > 0, actions > 5, {"a": actions, "_a": actions > 0}


@pytest.mark.parametrize(
    ("wrap", "outer"),
    [
        (vector.JaxToNumpy, np),
        (vector.JaxToTorch, torch),
        (lambda env: vector.ArrayConversion(env, jnp, torch), torch),
    ],
)
def test_a_batch_in_jax_is_used_with_another_library(wrap, outer):
    assert_batch_used(wrap(AddingBatch()), outer)


def test_a_batch_of_any_library_is_used_with_any(source, target):
    assert_batch_used(vector.ArrayConversion(AddingBatch(source), source, target), target)


def assert_batch_used(env, outer):
    assert is_of(env.reset(seed=1)[0], outer)
    observations, rewards, terminations, truncations, infos = env.step(outer.asarray([0.0, 1.0]))
    assert all(is_of(value, outer) for value in (observations, rewards, terminations, truncations, infos["a"]))
    assert observations.tolist() == [1, 2]
    assert rewards.tolist() == [0, 2]
    assert terminations.tolist() == [False, True]


@pytest.mark.parametrize(
    "wrap", [NumpyToTorch, lambda env: ArrayConversion(env, np, torch), lambda env: ArrayConversion(env, np, jnp)]
)
def test_spec_and_pickle_make_it_again(wrap):
    env = wrap(gymnasium.make("CartPole-v1"))
    wanted = env.reset(seed=3)[0].tolist()
    again = gymnasium.make(env.spec)
    assert type(again) is type(env)
    assert again.reset(seed=3)[0].tolist() == wanted
    restored = pickle.loads(pickle.dumps(env))
    assert restored.reset(seed=3)[0].tolist() == wanted
    assert gymnasium.specs.EnvSpec.from_json(env.spec.to_json(), trusted=True) == env.spec


def test_what_is_no_library_is_refused():
    with pytest.raises(ValueError, match="asarray"):
        ArrayConversion(Adding(np), pickle, np)
    assert numpy_to_jax(1.0).shape == ()
