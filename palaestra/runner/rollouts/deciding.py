"""A `FuncPolicy` as dynamics, so that the kernels of dynamics compute it.

Its action is the environment's observation, its state what it decided: the parts of the environment's action, and the
extras. Its observation is the environment's action, in the form in which the environment's kernels read it.
"""

from __future__ import annotations

import linecache
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional.boundary import action_reader
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.stream import Stream
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.multi_discrete import MultiDiscrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from palaestra.policies.base import FuncPolicy, params_of
from palaestra.runner.batch.trial import tried_once
from palaestra.runner.kernels.layout import NEXT_STEP
from palaestra.runner.kernels.plan import Endless, sample_of
from palaestra.runner.kernels.runner import Runner
from palaestra.runner.rollouts.packing import packed_form


class Decision(NamedTuple):
    """The result of a policy for one environment.

    Attributes:
        action: A number, a tuple of numbers, or an array.
        extras: A `NamedTuple` of numbers; None if there are none.
    """

    action: Any
    extras: Any


def decision_of(result: object) -> Decision:
    """Returns the parts of a policy's result: an action, or `(action, extras)`, the extras a `NamedTuple`."""
    if type(result) is tuple and len(result) == 2 and hasattr(result[1], "_fields"):
        return Decision(*result)
    return Decision(result, None)


class Decider:
    """The kernels of a policy for the environments of a batch.

    Args:
        policy: The policy.
        observation_space: The space of one observation; of a Tuple, the columns hold what `packing` makes of it.
        action_space: The space of one action.
        n: The number of environments.

    Attributes:
        streams: The random streams, shape (n, 5).

    The others are those of `collecting.Acting`.

    Raises:
        TypeError, ValueError: If the policy cannot be compiled, or returns something else than a policy does.
    """

    steps_of_a_thread = 1 << 15  # about a millisecond; waking a thread takes 50 us

    def __init__(
        self,
        policy: FuncPolicy,
        observation_space: Space,
        action_space: Space,
        n: int,
    ) -> None:
        self._policy, self._tried = policy, False
        text = "observation"
        if isinstance(observation_space, Tuple):
            form = packed_form(observation_space)
            observation_space, text = form.space, form.text
            observation = form.read(action_reader(form.space)(sample_of(form.space)))
        else:
            observation = action_reader(observation_space)(sample_of(observation_space))
        params = params_of(policy, n)[:1]
        try:
            decision = decision_of(policy.act(params[0], observation, Stream(np.random.PCG64(0))))
        except Exception as error:
            raised = f"raised {type(error).__name__} for {observation}, a sample of the space: {error}"
            raise TypeError(f"{type(policy).__name__}.act {raised}") from error
        if isinstance(action_space, Discrete | MultiDiscrete) and np.asarray(decision.action).dtype == np.bool_:
            raise TypeError(f"{type(policy).__name__}.act returns a bool, but actions of {action_space} are integers")
        dynamics = _dynamics(policy, decision, observation_space, action_space, text)
        self._runner = Runner(dynamics, params, n, NEXT_STEP, None, num_threads=1)
        self._see(getattr(decision.extras, "_fields", ()))

    def _see(self, names: tuple[str, ...]) -> None:
        memory = self._runner.memory
        self.context, self.streams = memory.context, memory.streams
        self.actions: np.ndarray = memory.columns["observation0"]
        first = len(memory.plan.state) - len(names)
        self.extras = {name: memory.columns[f"state{first + k}"] for k, name in enumerate(names)}

    @property
    def failed(self) -> int:
        """The environment for which the policy raised last."""
        return self._runner.memory.failed

    def prepare(self, observations: np.ndarray) -> None:
        """Take the present params of the policy, compile missing kernels, and read observations from a column.

        Raises:
            TypeError: If the policy cannot be compiled, or a short trial gives other bits than Python.
        """
        runner = self._runner
        params = params_of(self._policy, runner.memory.n)
        runner.set_params(params, running=True)
        self._see(tuple(self.extras))
        if not self._tried:
            self._tried = True
            tried_once(FunctionalEnv(self._runner.func_env), params[0], runner)
        self.act, self.act_left = runner.prepare_rows()
        runner.memory.read_actions_at(observations)


def _dynamics(
    policy: FuncPolicy, decision: Decision, observation_space: Space, action_space: Space, text: str
) -> Endless:
    """Returns the dynamics whose transition is the policy; `text` is the expression of what the policy observes."""
    parts = decision.action if type(decision.action) is tuple else (decision.action,)
    names = [f"action{k}" for k in range(len(parts))]
    extras = getattr(decision.extras, "_fields", ())
    kept: Any = namedtuple("Kept", [*names, *(f"extra_{name}" for name in extras)])  # type: ignore[misc]
    each = [f"action[{k}]" for k in range(len(parts))] if type(decision.action) is tuple else ["action"]
    given = "action, extras" if extras else "action"
    arguments = ", ".join([*each, *(f"extras.{name}" for name in extras)])
    shown = (
        f"({', '.join(f'state.{name}' for name in names)},)" if len(each) > 1 or each != ["action"] else "state.action0"
    )
    source = f"""\
def initial(rng, params):
    return START


def transition(state, observation, rng, params):
    {given} = act(params, {text}, rng)
    return Kept({arguments})


def observation(state, rng, params):
    return {shown}


def reward(state, action, next_state, rng, params):
    return 0.0


def terminal(state, rng, params):
    return False
"""
    start = kept(*map(_zero, (*parts, *(decision.extras or ()))))
    name = type(policy).__name__
    file = f"<{name} as dynamics>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names_in_text: dict[str, Any] = {"__name__": __name__, "act": policy.act, "Kept": kept, "START": start}
    exec(compile(source, file, "exec"), names_in_text)
    members: dict[str, Any] = {
        function: staticmethod(names_in_text[function])
        for function in ("initial", "transition", "observation", "reward", "terminal")
    }
    members |= {"observation_space": action_space, "action_space": observation_space}
    made: Endless = type(name, (Endless,), members)()
    return made


def _zero(value: Any) -> Any:
    return np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)(0)
