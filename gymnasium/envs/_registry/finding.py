"""Finding the spec of an id, and explaining why there is none."""

from __future__ import annotations

import importlib

from gymnasium.envs._registry import suggestions
from gymnasium.error import DeprecatedEnv, Error, NameNotFound, NamespaceNotFound, NotAnId, VersionNotFound
from gymnasium.logger import deprecation, warn
from gymnasium.specs import EnvSpec, get_env_id, parse_env_id, registered, registry


def find_highest_version(ns: str | None, name: str) -> int | None:
    """Returns the highest version registered of an environment, or None."""
    versions = (spec.version for spec in _specs(ns, name))
    return max((version for version in versions if version is not None), default=None)


def spec(env_id: str) -> EnvSpec:
    """Returns the spec registered under exactly this id: the registry's own object, not a copy.

    `"module:id"` imports the module first, as `make` does.

    Raises:
        ModuleNotFoundError: If the module cannot be imported.
        gymnasium.error.NotAnId: If `env_id` is not a str; it is a TypeError, too.
        gymnasium.error.Error: If there is none; its class shows which part of the id is unknown.
    """
    if not isinstance(env_id, str):
        raise NotAnId(suggestions.not_an_id("spec", env_id))
    if ":" in env_id and env_id not in registry:
        env_id = _import_before_colon(env_id)
    found = registry.get(env_id)
    if found is None:
        check_version_exists(*parse_env_id(env_id))
        raise Error(_no_such_id(env_id))
    return found


def find_spec(env_id: str) -> EnvSpec:
    """Returns the spec that `make` uses for an id.

    `"module:id"` imports the module first, which is expected to register the id. An id without a version stands for
    the highest one, with a warning; an outdated version is warned about.

    Raises:
        ModuleNotFoundError: If the module cannot be imported.
        gymnasium.error.Error: If the id is malformed or unknown.
    """
    if ":" in env_id and env_id not in registry:
        env_id = _import_before_colon(env_id)
    ns, name, version = parse_env_id(env_id)
    versions = {spec.version: spec for spec in _specs(ns, name) if spec.version is not None}
    latest = max(versions, default=None)
    found = registry.get(env_id)
    if latest is not None and version is None:
        found = versions[latest]
        warn(
            f"Using the latest version {found.id!r} of {env_id!r}; write the version, so that a new one does not "
            "change the behaviour of your program"
        )
    elif found is not None and latest is not None and version is not None and version < latest:
        deprecation(f"{env_id!r} is out of date: use the newer version v{latest}, {get_env_id(ns, name, latest)!r}")
    if found is None:
        check_version_exists(ns, name, version)
        raise Error(_no_such_id(env_id))
    return found


def _import_before_colon(env_id: str) -> str:
    """Import the module of `"module:id"` and return the id."""
    module, _, rest = env_id.partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise Error(f'Malformed environment id {env_id!r}: expected "module:[namespace/]name[-vN]"')
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{error}: importing {module!r}, which the id {env_id!r} asks for before its environment, failed; "
            f"install the package that provides {error.name!r} or check the name",
            name=error.name,
            path=error.path,
        ) from error
    return rest


def check_namespace_exists(ns: str | None, name: str) -> None:
    """Raises `NamespaceNotFound` unless something is registered in the namespace; None always exists."""
    namespaces = {spec.namespace for spec in registered() if spec.namespace is not None}
    if ns is None or ns in namespaces:
        return
    close = suggestions.closest(ns, namespaces)
    if close is None:
        raise NamespaceNotFound(
            f"Nothing is registered in the namespace {ns!r}; its package may not be installed or imported: "
            f"{suggestions.how_to_register(ns, name)}"
        )
    meant = suggestions.make_line(close, name) or repr(close)
    raise NamespaceNotFound(f"Nothing is registered in the namespace {ns!r}; did you mean {meant}?")


def check_name_exists(ns: str | None, name: str) -> None:
    """Raises `NameNotFound`, or `NamespaceNotFound`, unless some version of the environment is registered."""
    check_namespace_exists(ns, name)
    names = {spec.name for spec in registered() if spec.namespace == ns}
    if name in names:
        return
    where = f" in the namespace {ns!r}" if ns else ""
    close = suggestions.closest(name, names)
    elsewhere = suggestions.elsewhere(name)
    if elsewhere is not None:
        advice = f"did you mean {elsewhere}?"
    elif close is not None:
        advice = f"did you mean {suggestions.make_line(ns, close)}?"
    else:
        advice = f"see gymnasium.pprint_registry(), or {suggestions.how_to_register(ns, name)}"
    raise NameNotFound(f"No environment {name!r} is registered{where}; {advice}")


def check_version_exists(ns: str | None, name: str, version: int | None) -> None:
    """Raises unless the version is registered, or None is asked for and some version is.

    Raises:
        NamespaceNotFound, NameNotFound: If that part of the id is unknown.
        VersionNotFound: If the version lies above the latest.
        DeprecatedEnv: If it lies below the latest, or only the environment without a version is registered.
    """
    if get_env_id(ns, name, version) in registry:
        return
    check_name_exists(ns, name)
    if version is None:
        return
    missing = f"There is no version v{version} of {get_env_id(ns, name, None)}"
    known = _specs(ns, name)
    versions = sorted(spec.version for spec in known if spec.version is not None)
    outdated = bool(versions) and version < versions[-1]
    elsewhere = None if outdated else suggestions.elsewhere(name, version)
    if elsewhere is not None:
        raise (VersionNotFound if versions else DeprecatedEnv)(f"{missing}; did you mean {elsewhere}?")
    if len(versions) < len(known):
        missing += f", but there is {get_env_id(ns, name, None)!r} without a version"
    if not versions:
        raise DeprecatedEnv(f"{missing}; use {suggestions.make_line(ns, name)}")
    if version > versions[-1]:
        listed = ", ".join(f"v{v}" for v in versions)
        raise VersionNotFound(f"{missing}; available: {listed}; use {suggestions.make_line(ns, name)}")
    raise DeprecatedEnv(f"{missing}: v{versions[-1]} has replaced it; use {suggestions.make_line(ns, name)}")


def _specs(ns: str | None, name: str) -> list[EnvSpec]:
    return [spec for spec in registered() if spec.namespace == ns and spec.name == name]


def _no_such_id(env_id: str) -> str:
    ns, name, _ = parse_env_id(env_id)
    return (
        f"No environment is registered under the id {env_id!r}; use {suggestions.make_line(ns, name)}, register it, or "
        "see gymnasium.pprint_registry() for the registered ids"
    )
