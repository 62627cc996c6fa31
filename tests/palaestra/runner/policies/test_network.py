"""`Network` gives the bits of `MLP.act_batch`, for any sizes, rows and weights."""

from __future__ import annotations

import copy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from gymnasium.spaces import Box, Discrete
from palaestra.policies.mlp import MLP, Layer
from palaestra.runner.kernels.seeding import seeded_rows
from palaestra.runner.policies import layout, tiles
from palaestra.runner.policies.kernel import Form, act_rows
from palaestra.runner.policies.network import Network

EXTREMES = np.float32([0.0, -0.0, 1e-45, -1e-38, 1e30, -1e30, 3e38, 9.02, -9.02, 0.1])
BOUNDS = Box(np.float32([-1.0, -np.inf, 0.0]), np.float32([1.0, np.inf, 0.5]))


def network(rng, taken, given, scale=1.0):
    """One to three hidden layers, up to 130 wide."""
    sizes = [taken, *rng.integers(1, 131, rng.integers(1, 4)), given]
    pairs = list(pairwise(sizes))
    made = [
        Layer(
            scale * rng.normal(size=(to, of)) / np.sqrt(of), scale * rng.normal(size=to), rng.choice(["tanh", "relu"])
        )
        for of, to in pairs
    ]
    return [*made[:-1], made[-1]._replace(activation="none")]


def policy(rng, space, taken, scale=1.0, **options):
    given = space.n if isinstance(space, Discrete) else space.shape[0]
    log_std = None if isinstance(space, Discrete) else rng.normal(size=given)
    critic = network(rng, taken, 1, scale) if rng.random() < 0.7 else None
    return MLP(network(rng, taken, given, scale), critic, action_space=space, log_std=log_std, **options)


def bits(array):
    """Bits, in which all NaN are one: what is the sign of NaN is up to the processor."""
    array = np.where(np.isnan(array), array.dtype.type(np.nan), array) if array.dtype.kind == "f" else array
    return array.tobytes()


def check(mlp, observations, parts=None):
    """The results and the streams are those of `act_batch`, for parts of the rows in any order."""
    n = len(observations)
    compiled = Network(mlp, n, seeded_rows(range(n)))
    compiled.bind(observations.ctypes.data, observations.dtype)
    streams = seeded_rows(range(n))

    for _ in range(2):  # the streams go on
        actions, extras = mlp.act_batch(observations, streams)
        for low, high in parts or [(0, n)]:
            compiled.decide(low, high)

        assert compiled.actions.dtype == actions.dtype
        assert bits(compiled.actions) == bits(actions)
        assert {name: bits(one) for name, one in compiled.extras.items()} == {
            name: bits(one) for name, one in extras.items()
        }
        assert (compiled.streams == streams).all()


SPACES = {
    "discrete": Discrete(7, start=-3),
    "two": Discrete(2),
    "one": Discrete(1),
    "box": BOUNDS,
    "double": Box(-1.0, 1.0, (2,), np.float64),
}


@pytest.mark.parametrize("n", [1, 7, 64, 1000])
@pytest.mark.parametrize("space", SPACES)
def test_random_networks_have_the_same_bits(space, n):
    """Of any sizes, of float32 and of float64 observations."""
    rng = np.random.default_rng([n, len(space)])
    for dtype in (np.float32, np.float64):
        taken = int(rng.integers(1, 20))
        check(policy(rng, SPACES[space], taken), 3 * rng.normal(size=(n, taken)).astype(dtype))


@pytest.mark.parametrize("seed", range(12))
def test_small_networks_have_the_same_bits(seed):
    """Of any form of actions, drawn or not, clipped or not."""
    rng = np.random.default_rng(seed)
    space = list(SPACES.values())[seed % len(SPACES)]
    options = {"deterministic": bool(seed % 2), "clip": bool(seed % 3)}
    check(policy(rng, space, 5, **options), rng.normal(size=(20, 5)).astype(np.float32))


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("scale", [1.0, 1e20])
def test_extremes_have_the_same_bits(space, scale):
    """Zeros, subnormal and huge numbers, and the infinities and NaN that come of them."""
    rng = np.random.default_rng(3)
    check(policy(rng, SPACES[space], 4, scale), rng.choice(EXTREMES, (100, 4)))


def test_a_copied_policy_has_the_same_bits():
    """Its layers lie in a memory of their own, in the same order."""
    rng = np.random.default_rng(8)
    mlp = policy(rng, BOUNDS, 4)
    check(copy.deepcopy(mlp), rng.normal(size=(10, 4)))


def test_rows_may_be_split_anywhere():
    """Also within a block, and in any order."""
    rng = np.random.default_rng(4)
    cuts = [0, 1, 2, 17, 32, 33, 63, 64, 80, 100]
    check(policy(rng, Discrete(3), 4), rng.normal(size=(100, 4)), [*pairwise(cuts)][::-1])


def test_other_rows_are_left():
    """Actions, extras and streams."""
    mlp = policy(np.random.default_rng(5), BOUNDS, 2)
    compiled = Network(mlp, 40, seeded_rows(range(40)))
    compiled.bind(np.ones((40, 2)).ctypes.data, np.float64)

    compiled.decide(10, 13)

    others = np.r_[0:10, 13:40]
    assert not any(array[others].any() for array in (compiled.actions, *compiled.extras.values()))
    assert (compiled.streams[others] == seeded_rows(range(40))[others]).all()


def test_threads_share_the_rows():
    """Each takes others."""
    rng = np.random.default_rng(6)
    mlp, observations = policy(rng, Discrete(4), 3), rng.normal(size=(500, 3))
    compiled = Network(mlp, 500, seeded_rows(range(500)))
    compiled.bind(observations.ctypes.data, np.float64)
    expected, _ = mlp.act_batch(observations, seeded_rows(range(500)))

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(compiled.decide, range(0, 500, 20), range(20, 501, 20)))

    assert results == [0] * 25
    assert (compiled.actions == expected).all()


def test_new_weights_need_no_new_code():
    """Nor do other sizes: networks share their code if their observations and actions are of one kind."""
    weight = np.array([[0.0], [0.0], [0.0]])
    mlp = MLP([Layer(weight)], action_space=Discrete(3), deterministic=True)
    compiled = Network(mlp, 1)
    observations = np.ones((1, 1), np.float32)
    compiled.bind(observations.ctypes.data, np.float32)
    found = []
    for best in (2, 1, 0):
        weight[:] = 0.0
        weight[best] = 1.0
        compiled.refresh()
        compiled.decide()
        found.append(int(compiled.actions[0]))

    assert found == [2, 1, 0]
    other = Network(policy(np.random.default_rng(7), Discrete(5), 9), 3)
    other.bind(0, np.float32)
    kernels = [one.context[layout.PLACES["kernel"]] for one in (compiled, other)]
    assert (compiled.act, kernels[0]) == (other.act, kernels[1])


def test_a_refresh_takes_the_standard_deviations_and_the_mode():
    """Both may change between rollouts."""
    log_std = np.zeros(3)
    mlp = MLP([Layer(np.zeros((3, 1)))], action_space=BOUNDS, log_std=log_std)
    compiled = Network(mlp, 1, seeded_rows([1]))
    compiled.bind(np.ones((1, 1), np.float32).ctypes.data, np.float32)
    log_std[:] = -20.0
    compiled.refresh()
    compiled.decide()
    small = compiled.extras["unclipped"].copy()
    mlp.deterministic = True
    compiled.refresh()
    compiled.decide()

    assert (np.abs(small) > 0).all()
    assert (np.abs(small) < 1e-7).all()
    assert (compiled.extras["unclipped"] == 0).all()


def test_what_is_not_finite_is_told():
    """NaN in an extra, or an infinite action."""
    huge = [Layer([[3e38, -3e38]], None), Layer([[1.0], [1.0]])]
    observations = np.float32([[1.0, 1.0], [3.0, 3.0]])
    space = Box(-np.inf, np.inf, (2,))
    for mlp in (
        MLP(huge, action_space=Discrete(2)),
        MLP([Layer(np.zeros((2, 2)))], [huge[0]], action_space=Discrete(2)),
        MLP([Layer([[3e38, 0.0], [0.0, 1.0]])], action_space=space, log_std=[0, 0]),
    ):
        compiled = Network(mlp, 2, seeded_rows(range(2)))
        compiled.bind(observations.ctypes.data, np.float32)

        assert [compiled.decide(0, 1), compiled.decide(1, 2), compiled.decide()] == [
            0,
            layout.NOT_FINITE,
            layout.NOT_FINITE,
        ]


def test_it_is_a_policy_of_batches():
    """Of observations of any dtype and order, with the weights of the last refresh."""
    weight = np.array([[0.0, 1.0], [1.0, 0.0]])
    mlp = MLP([Layer(weight)], action_space=Discrete(2), deterministic=True)
    compiled = Network(mlp, 3)
    observations = np.asfortranarray([[0, 5], [5, 0], [1, 2]], np.uint8)

    first = compiled(observations)[0].tolist()
    weight *= -1.0
    second = compiled(observations.astype(np.float64))[0].tolist()
    compiled.refresh()
    actions, extras = compiled(observations.astype(np.float32))

    assert (first, second, actions.tolist()) == ([0, 1, 0], [0, 1, 0], [1, 0, 1])
    assert list(extras) == ["log_prob"]


def test_other_arrays_are_refused():
    """Before the kernel reads beyond their ends."""
    mlp = MLP([Layer(np.zeros((2, 4)))], action_space=Discrete(2))
    compiled = Network(mlp, 3)

    for wrong in (np.zeros((2, 4)), np.zeros((3, 5))):
        with pytest.raises(ValueError, match="takes 3 observations of 4 numbers"):
            compiled(wrong)
    with pytest.raises(ValueError, match="C-contiguous"):
        compiled.prepare(np.zeros((3, 8))[:, ::2])
    with pytest.raises(ValueError, match=r"uint64 and the shape \(3, 5\)"):
        Network(mlp, 3, seeded_rows(range(4)))


def test_what_the_kernel_does_not_support_is_refused():
    """By its name."""
    with pytest.raises(TypeError, match="int64, but Discrete"):
        Network(MLP([Layer(np.zeros((2, 1)))], action_space=Discrete(2, dtype=np.int8)), 1)
    with pytest.raises(ValueError, match="at most 4096 numbers, but 4097"):
        Network(MLP([Layer(np.zeros((2, 4097)))], action_space=Discrete(2)), 1)
    with pytest.raises(TypeError, match="but uint8 came"):
        Network(MLP([Layer(np.zeros((2, 1)))], action_space=Discrete(2)), 1).bind(0, np.uint8)


def test_the_widest_layers_fit_the_stack():
    """In another thread, too."""
    mlp = MLP([Layer(np.ones((4096, 1))), Layer(np.ones((1, 4096)))], action_space=Discrete(1))
    compiled = Network(mlp, 1, seeded_rows([0]))
    compiled.bind(np.ones((1, 1), np.float32).ctypes.data, np.float32)

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(compiled.decide).result() == 0
    assert compiled.extras["log_prob"].tolist() == [0.0]


def test_the_kernel_runs_in_python():
    """With the bits of the compiled one."""
    rng = np.random.default_rng(10)
    for space in SPACES.values():
        mlp, observations = policy(rng, space, 3), rng.normal(size=(20, 3))
        one, other = (Network(mlp, 20, seeded_rows(range(20))) for _ in range(2))
        for network in (one, other):
            network.bind(observations.ctypes.data, np.float64)
        form = Form(np.float64, one.actions.dtype.type, "unclipped" in one.extras, tiles.widest_tile())
        room = np.zeros(int(one.context[layout.PLACES["room"]]) + 64, np.uint8)

        result = act_rows(form, one.context.ctypes.data, 2, 20, room.ctypes.data + -room.ctypes.data % 64)

        assert result == other.decide(2, 20)
        assert bits(one.actions) == bits(other.actions)
        assert {name: bits(array) for name, array in one.extras.items()} == {
            name: bits(array) for name, array in other.extras.items()
        }
        assert (one.streams == other.streams).all()


def test_no_kernel_needs_torch():
    """In a process of its own."""
    program = """
import sys
import numpy as np
from palaestra.runner.policies.network import Network
from palaestra.policies.mlp import MLP, Layer
from gymnasium.spaces import Discrete

compiled = Network(MLP([Layer([[0.0], [1.0]])], action_space=Discrete(2), deterministic=True), 1)
observations = np.ones((1, 1))
compiled.bind(observations.ctypes.data, np.float64)
compiled.decide()
print(*compiled.actions, "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout + done.stderr == "1 False\n"
