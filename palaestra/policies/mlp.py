"""A feed-forward network that chooses actions, computed alike in NumPy and in machine code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from gymnasium.functional.stream_rows import WORDS
from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from palaestra.policies._heads import Normals, categorical, clipped, gaussian
from palaestra.policies._modules import Module, array_of, modules_of
from palaestra.policies._network import ACTIVATIONS, Dense, Floats, outputs_of


class Layer(NamedTuple):
    """A layer of a network: `activation(weight @ inputs + bias)`.

    Attributes:
        weight: Of shape (outputs, inputs), as in `torch.nn.Linear`.
        bias: Of shape (outputs,); None for zeros.
        activation: `"tanh"`, `"relu"`, or `"none"`.
    """

    weight: np.ndarray
    bias: np.ndarray | None = None
    activation: str = "none"

    def read(self) -> tuple[np.ndarray, np.ndarray | None]:
        """Returns the weights and the bias of now."""
        return np.asarray(self.weight), None if self.bias is None else np.asarray(self.bias)


AnyLayer: TypeAlias = "Layer | Module | tuple[Any, ...]"


class MLP:
    """A feed-forward network, the actor, that chooses actions, and perhaps a second one, the critic, that values.

        policy = MLP.from_torch(actor, critic, action_space=envs.single_action_space)
        rollout = palaestra.rollout(envs, policy, 128)

    In a `Discrete` space the actor's outputs are logits, one for each action, and an action is drawn with their
    probabilities. In a `Box` they are the means of normal distributions, whose standard deviations do not depend on the
    observation.

    All arithmetic is of float32 in a fixed order, so that NumPy and machine code give the same bits, whatever the
    number of environments and threads. Probabilities are computed in float64 and then rounded. `tanh` differs from the
    exact one by 3.2e-7 at most.

    Args:
        actor: The layers, first to last, as `Layer` or tuples of the same form.
        critic: Those of the critic, which has one output; None for no critic.
        action_space: The space of one action: `Discrete`, or `Box` of float32 or float64.
        log_std: For a `Box`: the logarithms of the standard deviations, as many as the action has parts.
        deterministic: Whether to take the first of the most probable actions, or the mean, and draw nothing.
        clip: For a `Box`: whether actions are clipped to the space. The extra `unclipped` then holds those that were
            drawn, whose densities `log_prob` is about. Without it, environments may refuse an action.
        seed: An integer from 0 on, below 2**64. Environment i has a random stream of its own, made of `seed` and i.

    Attributes:
        actor: The actor's layers, in one memory with those of the critic.
        critic: The critic's layers; empty if there is none.
        normals: The normal distributions of a `Box`; None for a `Discrete` space.
        deterministic: As given; may be assigned between rollouts.
        action_space: As given.
        clip: As given.
        seed: As given.

    Raises:
        TypeError: For another action space or another kind of layer.
        ValueError: For shapes that do not fit, numbers that are not finite, an unknown activation, another seed.
    """

    def __init__(
        self,
        actor: Sequence[AnyLayer],
        critic: Sequence[AnyLayer] | None = None,
        *,
        action_space: Space,
        log_std: object = None,
        deterministic: bool = False,
        clip: bool = True,
        seed: int = 0,
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
            raise ValueError(f"`seed` must be an integer from 0 on, below 2**64, but {seed!r} came")
        self.deterministic, self.clip, self.seed = deterministic, clip, int(seed)
        parts = _parts(action_space, log_std)
        self.action_space = action_space
        self._log_std = log_std
        first, second = ([_source(layer) for layer in layers] for layers in (actor, critic or ()))
        if not first or (critic is not None and not second):
            raise ValueError("Each network of an MLP needs a layer; critic=None makes one without a critic")
        self._sources = [*first, *second]
        shapes = [_shape(source) for source in self._sources]
        _check_shapes("actor", shapes[: len(first)], None, parts)
        if second:
            _check_shapes("critic", shapes[len(first) :], shapes[0][1], 1)
        self._shapes, self._count = shapes, len(first)
        self._memory = np.zeros(sum(outputs * (inputs + 1) for outputs, inputs in shapes), np.float32)
        self._lay_out()
        self.normals: Normals | None = None
        if isinstance(action_space, Box):
            low, high = (bound.astype(np.float64).ravel() for bound in (action_space.low, action_space.high))
            self.normals = Normals(np.ones(parts), np.zeros(parts), low, high)
        self.refresh()

    @classmethod
    def from_torch(
        cls,
        actor: Any,
        critic: Any = None,
        *,
        action_space: Space,
        log_std: Any = None,
        deterministic: bool = False,
        clip: bool = True,
        seed: int = 0,
    ) -> Self:
        """Returns the policy of modules of PyTorch, whose weights of now each rollout copies.

        Args:
            actor: A `torch.nn.Sequential` of Linear, Tanh, ReLU, Identity, Flatten, and of such Sequentials.
            critic: The same, with one output.
            action_space: See `MLP`, as for the other arguments.
            log_std: Also a tensor, such as a `torch.nn.Parameter`; it is read like the modules.
            deterministic: See `MLP`.
            clip: See `MLP`.
            seed: See `MLP`.

        Raises:
            TypeError: If a module consists of anything else, which is named; else as `MLP`.
            ValueError: As `MLP`.
        """
        return cls(
            modules_of("actor", actor),
            None if critic is None else modules_of("critic", critic),
            action_space=action_space,
            log_std=log_std,
            deterministic=deterministic,
            clip=clip,
            seed=seed,
        )

    def _lay_out(self) -> None:
        layers = self._layers_in(self._memory)
        self.actor, self.critic = tuple(layers[: self._count]), tuple(layers[self._count :])

    def __getstate__(self) -> dict[str, Any]:
        """Returns all but the layers, whose copies would not lie in the memory."""
        return {name: value for name, value in vars(self).items() if name not in ("actor", "critic")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lay_out()

    def refresh(self) -> None:
        """Copy the weights of now from the modules or arrays that the policy was made of.

        Raises:
            ValueError: If a shape has changed, or a number is not finite; nothing is copied then.
        """
        memory = np.zeros_like(self._memory)
        with np.errstate(over="ignore"):  # infinite, which is refused
            for layer, source in zip(self._layers_in(memory), self._sources, strict=True):
                weight, bias = source.read()
                if weight.shape != layer.weights.shape[::-1] or (bias is not None and bias.shape != layer.bias.shape):
                    raise ValueError(
                        f"A layer of an MLP has a weight of the shape {layer.weights.shape[::-1]} and a bias of "
                        f"{layer.bias.shape}, but {weight.shape} and {None if bias is None else bias.shape} came"
                    )
                layer.weights[:] = weight.T
                if bias is not None:
                    layer.bias[:] = bias
        if not np.isfinite(memory).all():
            raise ValueError("The weights of an MLP must be finite in float32, but there is an infinity or NaN")
        if self.normals is not None:
            log_std = _checked_log_std(self._log_std, len(self.normals.std))
            self.normals.log_std[:] = log_std
            self.normals.std[:] = np.exp(log_std)
        self._memory[:] = memory

    def act_batch(
        self, observations: np.ndarray, streams: NDArray[np.uint64]
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Returns the actions for a batch of observations, and the extras, computed by NumPy.

        Args:
            observations: Of shape (n, ...), flattened and rounded to float32.
            streams: The random streams, rows of `functional.stream_rows`, shape (n, 5); they advance.

        Returns:
            The actions, in the form of a batch of the action space; and the extras, of float32: `log_prob`, shape (n,);
            `value`, shape (n,), if there is a critic; `unclipped`, like the actions and of their dtype, if they are
            clipped.

        Raises:
            ValueError: For another shape.
        """
        rows = self._rows(observations, streams)
        drawn = None if self.deterministic else streams
        outputs = outputs_of(self.actor, rows)
        extras: dict[str, np.ndarray] = {}
        space: Any = self.action_space
        if self.normals is None:
            index, extras["log_prob"] = categorical(outputs, drawn)
            actions: np.ndarray = (index + int(space.start)).astype(space.dtype)
        else:
            parts, extras["log_prob"] = gaussian(outputs, self.normals, space.dtype, drawn)
            actions = parts.reshape(len(rows), *space.shape)
        if self.critic:
            extras["value"] = outputs_of(self.critic, rows)[:, 0].copy()
        if self.normals is not None and self.clip:
            extras["unclipped"] = actions
            actions = clipped(parts, self.normals).reshape(actions.shape)
        return actions, extras

    def _rows(self, observations: np.ndarray, streams: NDArray[np.uint64]) -> Floats:
        n, inputs = len(observations), self.actor[0].weights.shape[0]
        with np.errstate(over="ignore"):
            rows: Floats = np.asarray(observations).reshape(n, -1).astype(np.float32)
        if rows.shape[1] != inputs:
            raise ValueError(
                f"The MLP takes observations of {inputs} numbers, but of the shape {observations.shape[1:]} they came"
            )
        if streams.shape != (n, WORDS) or streams.dtype != np.uint64:
            raise ValueError(
                f"`streams` must be of uint64 and the shape {(n, WORDS)}, but {streams.dtype} and {streams.shape} came"
            )
        return rows

    def _layers_in(self, memory: Floats) -> list[Dense]:
        """Returns the layers one after the other in memory, each bias before its weights."""
        layers, first = [], 0
        for (outputs, inputs), source in zip(self._shapes, self._sources, strict=True):
            middle, end = first + outputs, first + outputs * (inputs + 1)
            layers.append(Dense(memory[middle:end].reshape(inputs, outputs), memory[first:middle], source.activation))
            first = end
        return layers


def _source(layer: AnyLayer) -> Layer | Module:
    return layer if isinstance(layer, Layer | Module) else Layer(*layer)


def _parts(space: Space, log_std: object) -> int:
    """Returns the number of outputs that an actor has for a space."""
    if isinstance(space, Discrete):
        if log_std is not None:
            raise ValueError(f"`log_std` is for a Box, but the action space is {space}")
        return int(space.n)
    if isinstance(space, Box) and space.dtype in (np.float32, np.float64):
        parts = int(np.prod(space.shape))
        _checked_log_std(log_std, parts)
        return parts
    raise TypeError(f"An MLP acts in a Discrete space, or a Box of float32 or float64, but {space} came")


def _checked_log_std(log_std: object, parts: int) -> NDArray[np.float64]:
    if log_std is None:
        raise ValueError(f"An MLP for a Box needs `log_std`, such as np.zeros({parts})")
    numbers: NDArray[np.float64] = array_of(log_std).astype(np.float64).ravel()
    if len(numbers) != parts or not np.isfinite(numbers).all():
        raise ValueError(
            f"`log_std` must be {parts} finite numbers, one for each part of an action, but {numbers} came"
        )
    return numbers


def _shape(source: Layer | Module) -> tuple[int, int]:
    if source.activation not in ACTIVATIONS:
        raise ValueError(f"The activation of a layer must be one of {[*ACTIVATIONS]}, but {source.activation!r} came")
    shape = source.read()[0].shape
    if len(shape) != 2 or 0 in shape:
        raise ValueError(f"The weight of a layer must have the shape (outputs, inputs), but {shape} came")
    return shape


def _check_shapes(name: str, shapes: list[tuple[int, int]], inputs: int | None, outputs: int) -> None:
    """Check that layers fit: the first takes `inputs`, each other the output before it, the last gives `outputs`."""
    given = inputs
    for k, (wide, taken) in enumerate(shapes):
        if given is not None and taken != given:
            raise ValueError(f"Layer {k} of the {name} must take {given} inputs, but takes {taken}")
        given = wide
    if given != outputs:
        raise ValueError(f"The {name} must have {outputs} outputs, but has {given}")
