"""Making vector environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from enum import Enum
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, cast

from gymnasium._extensions import extension, has_extensions
from gymnasium.core import Env
from gymnasium.envs._registry import render_mode
from gymnasium.envs._registry.arguments import refusal, unexpected
from gymnasium.envs._registry.dynamics import batch_creator, check_batches, runs_dynamics
from gymnasium.envs._registry.finding import find_spec
from gymnasium.envs._registry.guarding import creator_of
from gymnasium.envs._registry.making import make
from gymnasium.envs._registry.suggestions import not_an_id
from gymnasium.envs._registry.vector_default import (
    check_taken,
    checked_wrappers,
    collects_frames,
    is_ours,
    own_vector_class,
    reason_for_sync,
    taken,
    with_one_limit,
)
from gymnasium.error import Error, NotAnId
from gymnasium.logger import info, shows_info, warn
from gymnasium.specs import EnvSpec, load_env_creator
from gymnasium.utils._counts import cores, positive

if TYPE_CHECKING:
    from gymnasium.vector.vector_env import VectorEnv

# Their steps are long, and the simulator has no batch of its own, so worker processes pay.
GLOBAL_RANDOM: Final = "global_random"
_SIMULATED: Final = "gymnasium.envs.box2d."


class VectorizeMode(Enum):
    """The way in which `make_vec` runs its environments."""

    ASYNC = "async"
    """In worker processes."""
    SYNC = "sync"
    """One after the other, in this process."""
    VECTOR_ENTRY_POINT = "vector_entry_point"
    """By the environment's own vector class."""
    COMPILED = "compiled"
    """Palaestra only. As one compiled function, of dynamics by their own vector class, of others from the source."""
    JAX = "jax"
    """Palaestra only. As one program of JAX; batches stay on the device. Never chosen by default."""
    RAY = "ray"
    """Palaestra only. In actors on a Ray cluster, in each as the batch that is best there. Never chosen by default."""


def make_vec(
    id: str | EnvSpec,
    num_envs: int = 1,
    vectorization_mode: VectorizeMode | str | None = None,
    vector_kwargs: dict[str, Any] | None = None,
    wrappers: Sequence[Callable[..., Any]] | None = None,
    params: Mapping[str, object] | None = None,
    **kwargs: object,
) -> VectorEnv:
    """Make a vector environment of `num_envs` copies of an environment.

    Its `spec` remakes the batch: it holds the arguments, which replace the saved ones.

    Args:
        id: `[namespace/]name[-vN]`, also behind `module:`, which is imported first; or a spec.
        num_envs: The number of environments.
        vectorization_mode: The way they run; by default the environment's own vector class if there is one (dynamics
            are compiled), worker processes for Box2D environments (two or more of them, on two or more cores), sync for
            others. Palaestra only: `"compiled"`, `"jax"` and `"ray"`.
        vector_kwargs: Arguments of `SyncVectorEnv` or `AsyncVectorEnv`, or `"autoreset_mode"` and the other arguments
            of the environment's own vector class; under JAX, `"autoreset_mode"`; on Ray, arguments of `RayVectorEnv`
            and `"inner"`, the mode on each actor: by default the environment's own vector class, else sync. Palaestra
            only: in sync and async, `"global_random": "own"` gives each environment generators of its own in the place
            of those of `random` and `np.random`, as compiled batches do.
        wrappers: Wrappers for each environment, in this order.
        params: Palaestra only. Params that differ between the environments: by name, an array or list with a value for
            each, or one for all; see `VectorEnv.set_params`. (An environment whose constructor takes `params` gets them
            instead.)
        **kwargs: Arguments of `make`, for each environment.

    Raises:
        ValueError: If `vectorization_mode` is none of `VectorizeMode`, or `num_envs` is not positive; or for `params`
            that the environments do not have or refuse.
        gymnasium.error.NotAnId: If `id` is neither an id nor a spec; it is a TypeError, too.
        gymnasium.error.Error: If the id is unknown, or the environment lacks the requirements of the mode, or the mode
            does not take an argument.
        TypeError: If JAX cannot trace the environment.
    """
    spec = deepcopy(_spec(id))
    saved, spec.kwargs = spec.kwargs, {}
    num_envs = positive("num_envs", saved.pop("num_envs", num_envs))
    vectorization_mode = saved.pop("vectorization_mode", vectorization_mode)
    vector_kwargs = saved.pop("vector_kwargs", vector_kwargs) or {}
    wrappers = checked_wrappers(saved.pop("wrappers", wrappers) or ())
    params = saved.pop("params", params)
    kwargs = {**saved, **kwargs}
    if params is not None and _takes_params(spec):
        params, kwargs = None, {**kwargs, "params": params}

    batched = spec if "max_episode_steps" in kwargs else with_one_limit(spec)
    if vectorization_mode is None:
        mode = _default(spec, batched, num_envs, vector_kwargs, wrappers, kwargs)
    else:
        mode = _mode(vectorization_mode)
    if mode is VectorizeMode.COMPILED:
        _refuse_engines(spec)
    if mode is VectorizeMode.COMPILED and not (is_ours(spec) and _has_vector_entry_point(spec)):
        env = _from_source(batched, num_envs, vector_kwargs, wrappers, kwargs)
    elif mode in (VectorizeMode.VECTOR_ENTRY_POINT, VectorizeMode.COMPILED):
        env = _from_vector_entry_point(batched, mode.value, num_envs, vector_kwargs, wrappers, kwargs)
        _give_spec(env.unwrapped, batched, kwargs)
    elif mode is VectorizeMode.JAX:
        env = _from_dynamics(batched, num_envs, vector_kwargs, wrappers, kwargs)
    elif mode is VectorizeMode.RAY:
        env = _on_ray(spec, num_envs, vector_kwargs, wrappers, kwargs)
    else:
        env = _from_single_ones(spec, mode, num_envs, vector_kwargs, wrappers, kwargs)

    _set_params(env, params)
    asked = {"vector_kwargs": vector_kwargs, "wrappers": wrappers, "params": params}
    again = {**kwargs, "vectorization_mode": mode.value, **({"num_envs": num_envs} if num_envs != 1 else {})}
    spec.kwargs = deepcopy({**again, **{name: value for name, value in asked.items() if value}})
    env.unwrapped.spec = _limited(spec, kwargs)
    _warn_about_autoreset(env)
    return env


def _default(
    spec: EnvSpec,
    batched: EnvSpec,
    num_envs: int,
    vector_kwargs: dict[str, Any],
    wrappers: tuple[Callable[..., Any], ...],
    kwargs: dict[str, Any],
) -> VectorizeMode:
    """Returns the default way to run the environments: sync where their own vector class cannot, with a warning."""
    mode = default_mode(spec, num_envs)
    if mode is VectorizeMode.VECTOR_ENTRY_POINT:
        reason = reason_for_sync(batched, vector_kwargs, wrappers, kwargs)
        if reason or collects_frames(spec, kwargs):
            mode = VectorizeMode.SYNC
            check_taken(_runner(mode), vector_kwargs, "SyncVectorEnv", own_vector_class(batched))
        if reason:
            warn(
                f'{spec.id!r} runs in sync, which vectorization_mode="sync" chooses without this warning: {reason}',
                stacklevel=2,
            )
    if mode is VectorizeMode.SYNC and num_envs > 1:
        _hint_at_compiling(spec)
    return mode


def _refuse_engines(spec: EnvSpec) -> None:
    """Raise `CannotCompile` for an environment whose steps are those of an engine."""
    if spec.entry_point is None or runs_dynamics(spec):
        return
    if _has_vector_entry_point(spec):
        instead = "leave vectorization_mode out, by which its own vector class steps the whole batch"
    else:
        default = ", the default" if _is_simulated(spec) else ""
        instead = f"use vectorization_mode='async'{default}"
    engine_refusal: Any = extension("engine_refusal")
    refusal: Exception | None = engine_refusal(creator_of(spec.entry_point), instead)
    if refusal is not None:
        raise refusal


def _is_simulated(spec: EnvSpec) -> bool:
    return isinstance(spec.entry_point, str) and spec.entry_point.startswith(_SIMULATED)


def _limited(spec: EnvSpec, kwargs: dict[str, Any]) -> EnvSpec:
    """Returns the spec, with the time limit that the arguments of `make` choose, if any."""
    limit = kwargs.get("max_episode_steps")
    if limit is not None:
        spec.max_episode_steps = None if limit == -1 else limit
    return spec


def _takes_params(spec: EnvSpec) -> bool:
    """Returns whether the constructor of an environment has an argument `params` of its own."""
    if runs_dynamics(spec) or spec.entry_point is None:
        return False
    try:
        return "params" in signature(creator_of(spec.entry_point)).parameters
    except (TypeError, ValueError):  # it does not tell
        return False


def _set_params(env: VectorEnv, params: Mapping[str, object] | None) -> None:
    """Set the params of all environments, which are closed if they refuse them."""
    try:
        if params is not None:
            env.set_params(range(env.num_envs), params)
    except BaseException:
        env.close()
        raise


_HINTED: set[str] = set()


def _hint_at_compiling(spec: EnvSpec) -> None:
    """Tell once, at info level, what compiling a class of the user's own would bring; nothing of it runs for that."""
    if not shows_info() or spec.id in _HINTED:
        return
    _HINTED.add(spec.id)
    try:
        hint_of: Any = extension("compile_hint")
        hint = hint_of(creator_of(spec.entry_point), spec.id) if spec.entry_point is not None else ""
        if hint:
            info(hint)
    except Exception:  # a hint must not break anything
        return


def _spec(id: str | EnvSpec) -> EnvSpec:
    if isinstance(id, str):
        return find_spec(id)
    if isinstance(id, EnvSpec):
        return id
    raise NotAnId(not_an_id("make_vec", id))


def default_mode(spec: EnvSpec, num_envs: int) -> VectorizeMode:
    """Returns the default way of `make_vec` to run so many environments here."""
    if _has_vector_entry_point(spec):
        return VectorizeMode.VECTOR_ENTRY_POINT
    if not _is_simulated(spec) or num_envs == 1 or cores() == 1:
        return VectorizeMode.SYNC
    from gymnasium.vector._workers.arena import can_share_memory

    return VectorizeMode.ASYNC if can_share_memory() else VectorizeMode.SYNC


def _mode(requested: VectorizeMode | str) -> VectorizeMode:
    try:
        return VectorizeMode(requested)
    except ValueError:
        valid = [mode.value for mode in VectorizeMode]
        from difflib import get_close_matches  # late, as it is rarely needed

        near = get_close_matches(str(requested).lower(), valid, n=1)
        advice = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"make_vec expects a vectorization_mode of {valid}, but got {requested!r}{advice}") from None


def _has_vector_entry_point(spec: EnvSpec) -> bool:
    """Returns whether the spec's own vector environment can be made.

    Those of this package are registered before they are implemented; until then their environments run in sync.
    """
    if runs_dynamics(spec) or not is_ours(spec):
        return spec.vector_entry_point is not None
    try:
        load_env_creator(spec.vector_entry_point)  # type: ignore[arg-type]  # a str, being our own
    except Error:
        return False
    return True


def _from_single_ones(
    spec: EnvSpec,
    mode: VectorizeMode,
    num_envs: int,
    vector_kwargs: dict[str, Any],
    wrappers: tuple[Callable[..., Any], ...],
    kwargs: dict[str, Any],
) -> VectorEnv:
    """Make the vector environment from `num_envs` environments of `make`."""
    if spec.entry_point is None:
        raise Error(f"{spec.id!r} has no entry_point, which vectorization_mode={mode.value!r} needs")
    # A copy, because the caller's gets its arguments later; workers get the whole spec and need not know the id.
    env_fn = partial(_make_one, deepcopy(spec), wrappers, kwargs)
    vector_kwargs = dict(vector_kwargs)
    random = vector_kwargs.pop(GLOBAL_RANDOM, "shared")
    if random not in ("shared", "own"):
        raise ValueError(f'{GLOBAL_RANDOM} must be "shared" or "own", got {random!r}')
    if random == "own":
        env_fn = partial(extension("own_generators"), env_fn)
    creator = _runner(mode)
    check_taken(creator, vector_kwargs, creator.__name__)
    env: VectorEnv = creator([env_fn] * num_envs, **vector_kwargs)
    return env


def _runner(mode: VectorizeMode) -> Callable[..., Any]:
    """Returns the class that runs environments one after the other, or in worker processes."""
    # Named as strings, and so loaded on first access.
    name = "sync_vector_env:SyncVectorEnv" if mode is VectorizeMode.SYNC else "async_vector_env:AsyncVectorEnv"
    return load_env_creator(f"gymnasium.vector.{name}")


def _on_ray(
    spec: EnvSpec,
    num_envs: int,
    vector_kwargs: dict[str, Any],
    wrappers: tuple[Callable[..., Any], ...],
    kwargs: dict[str, Any],
) -> VectorEnv:
    """Make the vector environment of actors on a Ray cluster."""
    creator: Any = extension("ray")
    given = dict(vector_kwargs)
    inner = _inner_mode(spec, given.pop("inner", None), wrappers, kwargs)
    check_taken(creator, given, creator.__name__)
    mode = given.pop("autoreset_mode", None)
    own = {} if mode is None else {"autoreset_mode": mode}
    cpus = (given.get("resources") or {}).get("num_cpus", 1)
    threads = max(1, int(cpus)) if isinstance(cpus, (int, float)) else 1
    # A copy, because the caller's gets its arguments later; actors get the whole spec and need not know the id.
    env: VectorEnv = creator(partial(_share, deepcopy(spec), inner, own, threads, wrappers, kwargs), num_envs, **given)
    return env


def _inner_mode(
    spec: EnvSpec, asked: VectorizeMode | str | None, wrappers: tuple[Callable[..., Any], ...], kwargs: dict[str, Any]
) -> VectorizeMode:
    """Returns the way in which an actor runs its environments."""
    if asked is not None:
        mode = _mode(asked)
        if mode in (VectorizeMode.RAY, VectorizeMode.JAX):
            raise ValueError(f"`inner` is the mode on each actor, which cannot be {mode.value!r}")
        return mode
    batched = spec if "max_episode_steps" in kwargs else with_one_limit(spec)
    if not _has_vector_entry_point(spec) or wrappers or collects_frames(spec, kwargs):
        return VectorizeMode.SYNC
    return VectorizeMode.SYNC if reason_for_sync(batched, {}, wrappers, kwargs) else VectorizeMode.VECTOR_ENTRY_POINT


def _share(
    spec: EnvSpec,
    mode: VectorizeMode,
    vector_kwargs: dict[str, Any],
    threads: int,
    wrappers: tuple[Callable[..., Any], ...],
    kwargs: dict[str, Any],
    num_envs: int,
) -> VectorEnv:
    """Make the environments of one actor."""
    if mode is VectorizeMode.VECTOR_ENTRY_POINT:
        found: Any = batch_creator(spec) if runs_dynamics(spec) else load_env_creator(spec.vector_entry_point)  # type: ignore[arg-type]
        vector_kwargs = {**vector_kwargs, **taken(found, {"num_threads": threads})}
    return make_vec(deepcopy(spec), num_envs, mode, vector_kwargs, wrappers, **kwargs)


def _give_spec(envs: VectorEnv, spec: EnvSpec, kwargs: dict[str, Any]) -> None:
    """Give the environment that a batch copies the spec that each would get from `make`."""
    single = getattr(envs, "single_env", None)
    if single is not None:
        single.spec = _limited(deepcopy(spec), kwargs)
        single.spec.kwargs = deepcopy({name: value for name, value in kwargs.items() if name != "max_episode_steps"})


def _make_one(spec: EnvSpec, wrappers: tuple[Callable[..., Any], ...], kwargs: dict[str, Any]) -> Env:
    """Make one environment, in any process."""
    env = make(spec, **kwargs)
    for wrapper in wrappers:
        env = wrapper(env)
    return env


def _from_vector_entry_point(
    spec: EnvSpec, mode: str, num_envs: int, vector_kwargs: dict[str, Any], wrappers: object, kwargs: dict[str, Any]
) -> VectorEnv:
    """Make the vector environment with the spec's own class."""
    entry_point = spec.vector_entry_point
    if entry_point is None:
        raise Error(f"{spec.id!r} has no vector_entry_point, which vectorization_mode={mode!r} needs")
    _refuse(spec, mode, {"wrappers": wrappers})
    creator: Any = batch_creator(spec) if runs_dynamics(spec) else creator_of(entry_point)
    known = taken(creator, vector_kwargs)
    unknown = {name: vector_kwargs[name] for name in vector_kwargs if name not in known}
    if unknown:
        takes = ", ".join(getattr(creator, "vector_kwargs", ())) or "none"
        raise Error(
            f"{spec.id!r}: vectorization_mode={mode!r} allows no vector_kwargs, but got {unknown!r}, which "
            f"{getattr(creator, '__name__', creator)} does not take; it takes {takes}"
        )
    check_batches(spec, creator)
    render_mode.check_listed(creator, kwargs.get("render_mode"), spec.id)
    limit = {} if spec.max_episode_steps is None else {"max_episode_steps": spec.max_episode_steps}
    # An argument of `make`, but the package's own classes have no checker around them.
    asked = {name: value for name, value in kwargs.items() if name != "disable_env_checker" or not is_ours(spec)}
    try:
        env: VectorEnv = creator(num_envs=num_envs, **{**limit, **asked, **known})
    except TypeError as error:
        if unexpected(error) not in kwargs or spec.entry_point is None:
            raise
        raise type(error)(refusal(error, creator_of(spec.entry_point), spec.id, kwargs)) from error
    return env


def _from_source(
    spec: EnvSpec, num_envs: int, vector_kwargs: dict[str, Any], wrappers: object, kwargs: dict[str, Any]
) -> VectorEnv:
    """Make the vector environment from the translated source of a class."""
    mode = VectorizeMode.COMPILED.value
    if spec.entry_point is None:
        raise Error(f"{spec.id!r} has no entry_point, which vectorization_mode={mode!r} needs")
    _refuse(spec, mode, {"wrappers": wrappers})
    creator: Any = extension("classes")
    check_taken(creator, vector_kwargs, creator.__name__)
    own = {name: value for name, value in kwargs.items() if name != "disable_env_checker"}
    limit = own.pop("max_episode_steps", spec.max_episode_steps)
    env: VectorEnv = creator(
        partial(_make_bare, deepcopy(spec)), num_envs, max_episode_steps=limit, **vector_kwargs, **own
    )
    return env


def _make_bare(spec: EnvSpec, **kwargs: object) -> Env:
    """Make one environment without the wrappers of `make`."""
    from gymnasium.wrappers.common import OrderEnforcing

    env = make(deepcopy(spec), max_episode_steps=-1, disable_env_checker=True, **kwargs)
    return env.env if isinstance(env, OrderEnforcing) else env


def _from_dynamics(
    spec: EnvSpec, num_envs: int, vector_kwargs: dict[str, Any], wrappers: object, kwargs: dict[str, Any]
) -> VectorEnv:
    """Make the vector environment under JAX: from the dynamics of a single one, or the source of its class."""
    _refuse(spec, VectorizeMode.JAX.value, {"wrappers": wrappers})
    from gymnasium.envs.functional_jax_env import vectorized  # needs JAX

    kwargs = {"max_episode_steps": spec.max_episode_steps, **kwargs}
    limit = kwargs.pop("max_episode_steps")
    check_taken(vectorized, vector_kwargs, "FunctionalJaxVectorEnv")
    env = make(spec, **{**kwargs, "max_episode_steps": -1, "disable_env_checker": True})
    try:
        read = partial(_read_under_jax, spec, num_envs, limit, vector_kwargs, kwargs)
        if not has_extensions() or _is_own(env):
            return cast("VectorEnv", vectorized(env, num_envs, limit, **vector_kwargs))
        if not hasattr(env.unwrapped, "func_env"):
            return read()
        try:
            return cast("VectorEnv", vectorized(env, num_envs, limit, **vector_kwargs))
        except TypeError as error:
            try:
                return read()  # what JAX cannot trace, a branch on the state say, the language may take
            except TypeError:
                raise error from None
    finally:
        env.close()


def _read_under_jax(
    spec: EnvSpec, num_envs: int, limit: int | None, vector_kwargs: dict[str, Any], kwargs: dict[str, Any]
) -> VectorEnv:
    """Make the vector environment under JAX from the source of a class, or of dynamics."""
    own = {name: value for name, value in kwargs.items() if name != "disable_env_checker"}
    creator: Any = extension("classes_under_jax")
    made = partial(_make_bare, deepcopy(spec))
    return cast("VectorEnv", creator(made, num_envs, max_episode_steps=limit, **vector_kwargs, **own))


def _is_own(env: Env) -> bool:
    return type(env.unwrapped).__module__.startswith("gymnasium.envs.")


def _refuse(spec: EnvSpec, mode: str, arguments: dict[str, object]) -> None:
    for name, value in {**arguments, "additional_wrappers in the spec": spec.additional_wrappers}.items():
        if value:
            advice = "; put those of gymnasium.wrappers.vector around the batch" if name == "wrappers" else ""
            raise Error(f"{spec.id!r}: vectorization_mode={mode!r} allows no {name}, but got {value!r}{advice}")


def _warn_about_autoreset(env: VectorEnv) -> None:
    from gymnasium.vector.vector_env import AutoresetMode

    if "autoreset_mode" not in env.metadata:
        warn(
            f"{env} does not say when it resets finished environments: set metadata['autoreset_mode'] to an "
            f"AutoresetMode, beside {env.metadata}"
        )
    elif not isinstance(env.metadata["autoreset_mode"], AutoresetMode):
        kind = type(env.metadata["autoreset_mode"])
        warn(f"{env}: metadata['autoreset_mode'] is a {kind}, but has to be an AutoresetMode")
