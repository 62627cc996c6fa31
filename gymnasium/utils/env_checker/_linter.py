"""All findings of all checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gymnasium.core import Env
from gymnasium.envs._registry.finding import find_spec
from gymnasium.envs._registry.making import make
from gymnasium.error import Error
from gymnasium.specs import EnvSpec
from gymnasium.utils.env_checker._check_env import as_numpy, check_is_env
from gymnasium.utils.env_checker._deep import deep_checks
from gymnasium.utils.env_checker._dynamics import dynamics_findings
from gymnasium.utils.env_checker._findings import Check, Finding, finding, findings_of, noting
from gymnasium.utils.env_checker._global_random import check_global_random
from gymnasium.utils.env_checker._render import check_close, check_render
from gymnasium.utils.env_checker._reset import (
    check_reset_options,
    check_reset_return_info_deprecation,
    check_reset_return_type,
    check_reset_seed_determinism,
    check_seed_deprecation,
)
from gymnasium.utils.env_checker._rules import RULES
from gymnasium.utils.env_checker._spaces import check_spaces_of
from gymnasium.utils.env_checker._step import check_returned_data_not_reused, check_step_determinism
from gymnasium.utils.passive_env_checker import env_reset_passive_checker, env_step_passive_checker

# The rules that make all later checks meaningless: no usable spaces; no reset; no step.
_NO_SPACES = tuple(rule for rule, (severity, _) in RULES.items() if rule.startswith("G1") and severity == "error")
_NO_RESET = (*_NO_SPACES, "G201", "G202", "G207", "G208", "G218", "G409")
_NO_STEP = (*_NO_RESET, "G301", "G302", "G303", "G304")
_NO_SEED = ("G212", "G213", "G214", "G216", "G219")  # an unseeded reset makes unequal steps
_UNEQUAL = (*_NO_SEED, "G309", "G310", "G311", "G312", "G314")


def find_problems(
    env: Env | EnvSpec | str,
    *,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    deep: bool = False,
) -> list[Finding]:
    """Check an environment, and return all findings, each once.

    Args:
        env: An id or spec, to be made without wrappers; or an environment, which is reset and stepped.
        select: Ids of rules, or prefixes of ids (`"G3"`); None for all.
        ignore: Ids or prefixes to leave out.
        deep: Whether to run the slow checks: other processes, copies, many random actions, every render mode.

    Returns:
        The findings in the order of the checks.

    Raises:
        ValueError: If no rule matches an id of `select` or `ignore`.
        gymnasium.error.Error: If the id is unknown, or a library that the environment needs is not installed.
    """
    wanted = _selected(select, ignore)
    if isinstance(env, str):
        env = find_spec(env)
    if not isinstance(env, EnvSpec):
        return [found for found in _all_findings(env, deep) if found.id in wanted]
    try:
        with noting("constructor", []):
            made = make(env, disable_env_checker=True)
    except (Error, ImportError):
        raise
    except Exception as error:
        failed = finding(
            "G003", "constructor", f"The environment must be made, but {type(error).__name__} came: {error}"
        )
        return [failed] if failed.id in wanted else []
    try:
        found = _all_findings(made.unwrapped, deep)
        if all(one.severity != "error" for one in found):
            found += dynamics_findings(made.unwrapped)
        return [one for one in found if one.id in wanted]
    finally:
        findings_of(Check("close", "G601", made.close))  # already reported, if it fails


def _selected(select: Iterable[str] | None, ignore: Iterable[str]) -> set[str]:
    """Returns the ids of the selected rules."""
    return (set(RULES) if select is None else _beginning(select)) - _beginning(ignore)


def _beginning(prefixes: Iterable[str]) -> set[str]:
    rules: set[str] = set()
    for prefix in prefixes:
        matching = {rule for rule in RULES if rule.startswith(prefix)} if prefix else set()
        if not matching:
            raise ValueError(f"The checker has no rule {prefix!r}; give an id such as 'G307', or its beginning, 'G3'")
        rules |= matching
    return rules


def _all_findings(env: object, deep: bool) -> list[Finding]:
    found: dict[tuple[str, str], Finding] = {}
    for check in _checks(env, deep):
        if not any(rule in check.unless for rule, _ in found):
            for problem in findings_of(check):
                place = "" if problem.id == "G403" else problem.place  # reset and step return the same sort of array
                found.setdefault((problem.id, place), problem)
    return list(found.values())


def _checks(env: object, deep: bool) -> Iterator[Check]:
    yield Check("environment", "G001", lambda: check_is_env(env))
    if not isinstance(env, Env):
        return
    env = as_numpy(env)
    yield Check("action space", "G100", lambda: check_spaces_of(env, "action"))
    yield Check("observation space", "G100", lambda: check_spaces_of(env, "observation"))
    yield from _reset_checks(env)
    yield Check("render", "G501", lambda: check_render(env), _NO_RESET)
    yield Check("close", "G601", lambda: check_close(env))
    yield from _step_checks(env)
    if deep:
        yield from deep_checks(env, _NO_STEP, _UNEQUAL)


def _reset_checks(env: Env) -> Iterator[Check]:
    yield Check("reset", "G201", lambda: check_seed_deprecation(env))
    yield Check("reset", "G201", lambda: check_reset_return_info_deprecation(env))
    yield Check("reset", "G201", lambda: env_reset_passive_checker(env), _NO_SPACES)
    yield Check("reset", "G201", lambda: check_reset_return_type(env), _NO_RESET)
    yield Check("reset", "G201", lambda: check_reset_options(env), (*_NO_RESET, "G204"))
    yield Check("reset", "G201", lambda: check_reset_seed_determinism(env), _NO_RESET)


def _step_checks(env: Env) -> Iterator[Check]:
    def first_step() -> None:
        env.reset(seed=123)
        env_step_passive_checker(env, env.action_space.sample())

    yield Check("step", "G301", first_step, _NO_RESET)
    yield Check("reset and step", "G301", lambda: check_global_random(env), _NO_STEP)
    yield Check("step", "G301", lambda: check_step_determinism(env), (*_NO_STEP, *_NO_SEED))
    yield Check("reset and step", "G301", lambda: check_returned_data_not_reused(env), _NO_STEP)
