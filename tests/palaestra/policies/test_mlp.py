"""`MLP`: what it computes, what it draws, and what it refuses."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest

from gymnasium.spaces import Box, Discrete, MultiDiscrete
from palaestra.policies._network import ACTIVATIONS, outputs_of
from palaestra.policies.mlp import MLP, Layer
from palaestra.runner.kernels.seeding import seeded_rows

TWO = Discrete(2)
PLANE = Box(-1.0, 1.0, (2,), np.float32)


def layers(sizes, seed=0, activation="tanh"):
    """Random layers, the last without an activation."""
    rng = np.random.default_rng(seed)
    made = [
        Layer(rng.normal(size=(given, taken)) / np.sqrt(taken), rng.normal(size=given) / 10, activation)
        for taken, given in pairwise(sizes)
    ]
    return [*made[:-1], made[-1]._replace(activation="none")]


def constant(outputs, inputs=1):
    """A layer with these outputs for any input."""
    return [Layer(np.zeros((len(outputs), inputs)), np.array(outputs))]


def some(n, inputs, seed=1):
    return np.random.default_rng(seed).normal(size=(n, inputs)).astype(np.float32)


# --- The arithmetic ---


def test_tanh_is_within_its_error():
    """3.2e-7 at most, beyond the limit too."""
    x = np.concatenate([np.linspace(-12, 12, 200_001), np.geomspace(1e-30, 1, 10_001), [1e30, -1e30]]).astype(
        np.float32
    )

    result = ACTIVATIONS["tanh"](x)

    assert np.abs(result - np.tanh(x.astype(np.float64))).max() <= 3.2e-7
    assert (result == -ACTIVATIONS["tanh"](-x)).all()
    assert np.isnan(ACTIVATIONS["tanh"](np.float32([np.nan]))).all()


def test_an_output_is_a_sum_in_the_order_of_the_inputs():
    """The bias first; each product and each sum is rounded to float32."""
    policy = MLP([Layer([[1e8, -1e8, 1.0]], [0.5]), Layer([[1.0], [0.0]])], action_space=TWO)

    assert outputs_of(policy.actor, np.ones((1, 3), np.float32)).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_it_computes_what_pytorch_does(activation):
    """Logits, values and log-probabilities, within rounding."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    nn = torch.nn
    function = nn.Tanh if activation == "tanh" else nn.ReLU
    actor = nn.Sequential(nn.Flatten(), nn.Sequential(nn.Linear(6, 33), function()), nn.Identity(), nn.Linear(33, 5))
    critic = nn.Sequential(nn.Linear(6, 64), function(), nn.Linear(64, 64, bias=False), function(), nn.Linear(64, 1))
    policy = MLP.from_torch(actor, critic, action_space=Discrete(5))
    observations = some(200, 6)

    actions, extras = policy.act_batch(observations, seeded_rows(range(200)))

    with torch.no_grad():
        tensor = torch.from_numpy(observations)
        logits, values = actor(tensor), critic(tensor)[:, 0]
        log_prob = torch.distributions.Categorical(logits=logits).log_prob(torch.from_numpy(actions))
    near = {"rtol": 1e-5, "atol": 1e-6}
    np.testing.assert_allclose(outputs_of(policy.actor, observations), logits.numpy(), **near)
    np.testing.assert_allclose(extras["value"], values.numpy(), **near)
    np.testing.assert_allclose(extras["log_prob"], log_prob.numpy(), **near)


def test_densities_are_those_of_pytorch():
    """Of the actions before they are clipped; a parameter is read like the modules."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    actor = torch.nn.Sequential(torch.nn.Linear(3, 2))
    log_std = torch.nn.Parameter(torch.tensor([[-0.5, 0.25]]))
    policy = MLP.from_torch(actor, action_space=PLANE, log_std=log_std)
    with torch.no_grad():
        log_std += 0.125
    policy.refresh()
    observations = some(200, 3)

    actions, extras = policy.act_batch(observations, seeded_rows(range(200)))

    with torch.no_grad():
        normal = torch.distributions.Normal(actor(torch.from_numpy(observations)), log_std.exp())
        expected = normal.log_prob(torch.from_numpy(extras["unclipped"])).sum(1).numpy()
    np.testing.assert_allclose(extras["log_prob"], expected, rtol=1e-5, atol=1e-6)
    assert (actions == extras["unclipped"].clip(-1, 1)).all()
    assert not (actions == extras["unclipped"]).all()


# --- What is drawn ---


def test_actions_have_the_probabilities_of_the_softmax():
    """Chi-square of 20,000 draws, 4 degrees of freedom: above 23.5 with the probability 1e-4."""
    logits = [0.0, 1.0, -1.0, 2.0, -8.0]
    policy = MLP(constant(logits), action_space=Discrete(5))

    actions, extras = policy.act_batch(np.zeros((20_000, 1)), seeded_rows(range(20_000)))

    probabilities = np.exp(logits) / np.exp(logits).sum()
    expected = 20_000 * probabilities
    assert ((np.bincount(actions, minlength=5) - expected) ** 2 / expected).sum() < 23.5
    np.testing.assert_allclose(np.exp(extras["log_prob"]), probabilities[actions], rtol=1e-5)


def test_an_action_is_drawn_by_one_uniform_number_of_its_row():
    """The streams are those of NumPy's generators, and go on after it."""
    policy = MLP(constant([0.0, 0.0, 0.0, 0.0]), action_space=Discrete(4, start=10))
    generators = [np.random.default_rng(seed) for seed in range(50)]
    streams = seeded_rows(range(50))

    for _ in range(2):
        actions, _ = policy.act_batch(np.zeros((50, 1)), streams)
        assert actions.tolist() == [10 + int(4 * rng.random()) for rng in generators]


def test_parts_of_actions_are_normal():
    """Each by the next standard normal number of its row; unclipped in a policy that does not clip."""
    policy = MLP(constant([1.0, -2.0]), action_space=PLANE, log_std=np.log([0.5, 4.0]), clip=False)

    actions, extras = policy.act_batch(np.zeros((3, 1)), seeded_rows(range(3)))

    drawn = [np.random.default_rng(seed).standard_normal(2) for seed in range(3)]
    np.testing.assert_allclose(actions, np.array([1.0, -2.0]) + np.array([0.5, 4.0]) * drawn, rtol=1e-6)
    assert actions.dtype == np.float32
    assert list(extras) == ["log_prob"]


def test_a_deterministic_policy_draws_nothing():
    """It takes the first of the most probable actions, or the mean."""
    streams = seeded_rows(range(2))
    before = streams.copy()

    chosen, extras = MLP(constant([1.0, 3.0, 3.0]), action_space=Discrete(3), deterministic=True).act_batch(
        np.zeros((2, 1)), streams
    )
    mean, _ = MLP(constant([0.5, 7.0]), action_space=PLANE, log_std=[0, 0], deterministic=True).act_batch(
        np.zeros((2, 1)), streams
    )

    assert chosen.tolist() == [1, 1]
    np.testing.assert_allclose(extras["log_prob"], np.log(np.exp(3) / (np.exp(1) + 2 * np.exp(3))), rtol=1e-6)
    assert mean.tolist() == [[0.5, 1.0]] * 2
    assert (streams == before).all()


def test_a_row_does_not_depend_on_the_others():
    """A batch is its rows."""
    policy = MLP(layers([3, 20, 4]), layers([3, 5, 1], seed=2), action_space=Discrete(4))
    observations = some(9, 3)

    together, extras = policy.act_batch(observations, seeded_rows(range(9)))

    for i in range(9):
        alone, extra = policy.act_batch(observations[i : i + 1], seeded_rows([i]))
        assert alone[0] == together[i]
        assert {name: value[0] for name, value in extra.items()} == {name: value[i] for name, value in extras.items()}


def test_shapes_and_dtypes_are_those_of_the_space():
    """Observations of any shape are flattened."""
    space = Box(-1.0, 1.0, (2, 3), np.float64)
    policy = MLP(layers([8, 6]), action_space=space, log_std=np.zeros((2, 3)))

    actions, extras = policy.act_batch(np.ones((5, 2, 4)), seeded_rows(range(5)))

    assert actions.dtype == extras["unclipped"].dtype == np.float64
    assert actions.shape == extras["unclipped"].shape == (5, 2, 3)
    small, _ = MLP(layers([8, 6]), action_space=Discrete(6, dtype=np.int8)).act_batch(
        np.ones((5, 8)), seeded_rows(range(5))
    )
    assert small.dtype == np.int8


# --- New weights ---


def test_refresh_takes_new_weights():
    """From arrays that changed, or modules that were trained; nothing changes before."""
    torch = pytest.importorskip("torch")
    weight = np.array([[0.0], [0.0]], np.float32)
    linear = torch.nn.Linear(1, 2)
    of_arrays = MLP([Layer(weight)], action_space=TWO)
    of_modules = MLP.from_torch(torch.nn.Sequential(linear), action_space=TWO)
    first = [outputs_of(one.actor, np.ones((1, 1), np.float32)).tolist() for one in (of_arrays, of_modules)]

    weight[:] = [[1.0], [2.0]]
    with torch.no_grad():
        linear.weight[:] = torch.tensor([[3.0], [4.0]])
        linear.bias[:] = 0.0
    after = []
    for one, before in zip((of_arrays, of_modules), first, strict=True):
        assert outputs_of(one.actor, np.ones((1, 1), np.float32)).tolist() == before
        one.refresh()
        after.append(outputs_of(one.actor, np.ones((1, 1), np.float32)).tolist())

    assert after == [[[1.0, 2.0]], [[3.0, 4.0]]]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e39])
def test_refused_weights_change_nothing(wrong):
    """Neither NaN nor what is infinite in float32."""
    weights = [np.ones((2, 1)), np.ones((2, 2))]
    policy = MLP([Layer(weights[0]), Layer(weights[1])], action_space=TWO)
    weights[0][:], weights[1][0, 0] = 5.0, wrong

    with pytest.raises(ValueError, match="must be finite"):
        policy.refresh()

    assert (policy.actor[0].weights == 1.0).all()


def test_a_module_may_not_change_its_shape():
    """The memory is that of the first."""
    torch = pytest.importorskip("torch")
    linear = torch.nn.Linear(1, 2)
    policy = MLP.from_torch(torch.nn.Sequential(linear), action_space=TWO)
    linear.weight = torch.nn.Parameter(torch.zeros(2, 3))

    with pytest.raises(ValueError, match=r"\(2, 1\).*but \(2, 3\)"):
        policy.refresh()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda policy: pickle.loads(pickle.dumps(policy))])
def test_a_copy_is_whole(copied):
    """It draws the same, and takes new weights of its own."""
    policy = MLP(layers([3, 20, 4]), layers([3, 1]), action_space=Discrete(4), seed=5)
    other = copied(policy)
    observations = some(9, 3)

    results = [one.act_batch(observations, seeded_rows(range(9))) for one in (policy, other)]
    other._sources[0].weight[:] = 0.0
    other.refresh()

    assert (results[0][0] == results[1][0]).all()
    assert other.seed == 5
    assert not other.actor[0].weights.any()
    assert policy.actor[0].weights.all()


# --- Refusals ---


@pytest.mark.parametrize(
    ("made", "error", "message"),
    [
        (lambda: MLP(layers([1, 3]), action_space=MultiDiscrete([2, 2])), TypeError, r"but MultiDiscrete\(\[2 2\]\)"),
        (lambda: MLP(layers([1, 3]), action_space=Box(0, 9, (3,), np.int64)), TypeError, "Box of float32 or float64"),
        (lambda: MLP(layers([1, 3]), action_space=TWO), ValueError, "actor must have 2 outputs, but has 3"),
        (lambda: MLP(layers([1, 2]), layers([1, 2]), action_space=TWO), ValueError, "critic must have 1 outputs"),
        (
            lambda: MLP(layers([1, 2]), layers([2, 1]), action_space=TWO),
            ValueError,
            "Layer 0 of the critic must take 1",
        ),
        (lambda: MLP([*layers([1, 4]), *layers([5, 2])], action_space=TWO), ValueError, "Layer 1 of the actor"),
        (lambda: MLP([], action_space=TWO), ValueError, "needs a layer"),
        (lambda: MLP(layers([1, 2]), [], action_space=TWO), ValueError, "critic=None"),
        (lambda: MLP([Layer(np.zeros(2))], action_space=TWO), ValueError, r"but \(2,\) came"),
        (lambda: MLP([Layer(np.zeros((2, 1)), np.zeros(3))], action_space=TWO), ValueError, r"\(3,\) came"),
        (lambda: MLP([Layer(np.zeros((2, 1)), None, "gelu")], action_space=TWO), ValueError, "'gelu' came"),
        (lambda: MLP(layers([1, 2]), action_space=TWO, log_std=[0, 0]), ValueError, "`log_std` is for a Box"),
        (lambda: MLP(layers([1, 2]), action_space=PLANE), ValueError, r"needs `log_std`, such as np.zeros\(2\)"),
        (lambda: MLP(layers([1, 2]), action_space=PLANE, log_std=[0]), ValueError, "must be 2 finite numbers"),
        (lambda: MLP(layers([1, 2]), action_space=PLANE, log_std=[0, np.nan]), ValueError, "2 finite numbers"),
        (lambda: MLP(layers([1, 2]), action_space=TWO, seed=-1), ValueError, "but -1 came"),
    ],
)
def test_a_wrong_argument_is_refused(made, error, message):
    """With the expected and the given value."""
    with pytest.raises(error, match=message):
        made()


def test_other_modules_are_refused_by_name():
    """With their place, and also if they look like one of those that are accepted."""
    torch = pytest.importorskip("torch")
    nn = torch.nn

    class Doubled(nn.Linear):
        def forward(self, x):
            return 2 * super().forward(x)

    for module, error, message in (
        (nn.Sequential(nn.Linear(1, 2), nn.Sequential(nn.GELU())), TypeError, r"actor\.1\.0 is GELU"),
        (nn.Sequential(Doubled(1, 2)), TypeError, r"actor\.0 is Doubled"),
        (nn.Linear, TypeError, "must be a torch.nn.Sequential"),
        (nn.Sequential(nn.Tanh(), nn.Linear(1, 2)), ValueError, r"actor\.0 is Tanh"),
        (nn.Sequential(nn.Linear(1, 2), nn.Tanh(), nn.ReLU()), ValueError, r"actor\.2 is ReLU"),
        (nn.Sequential(nn.Identity()), ValueError, "at least one Linear"),
    ):
        with pytest.raises(error, match=message):
            MLP.from_torch(module, action_space=TWO)


def test_batches_of_other_shapes_are_refused():
    """Before anything is drawn."""
    policy = MLP(layers([3, 2]), action_space=TWO)

    with pytest.raises(ValueError, match=r"observations of 3 numbers, but of the shape \(4,\)"):
        policy.act_batch(np.zeros((5, 4)), seeded_rows(range(5)))
    with pytest.raises(ValueError, match=r"shape \(5, 5\), but uint64 and \(4, 5\)"):
        policy.act_batch(np.zeros((5, 3)), seeded_rows(range(4)))
