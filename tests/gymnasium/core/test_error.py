"""The tree of exceptions."""

from __future__ import annotations

import copy
import pickle

import pytest

from gymnasium import error

BASES = {
    "Error": Exception,
    "UnregisteredEnv": error.Error,
    "NamespaceNotFound": error.UnregisteredEnv,
    "NameNotFound": error.UnregisteredEnv,
    "VersionNotFound": error.UnregisteredEnv,
    "DeprecatedEnv": error.Error,
    "RegistrationError": error.Error,
    "DependencyNotInstalled": error.Error,
    "UnsupportedMode": error.Error,
    "InvalidMetadata": error.Error,
    "ResetNeeded": error.Error,
    "InvalidAction": error.Error,
    "ActionOutsideSpace": error.InvalidAction,
    "MissingArgument": error.Error,
    "InvalidProbability": error.Error,
    "InvalidBound": error.Error,
    "DeprecatedWrapper": ImportError,
    "AlreadyPendingCallError": Exception,
    "NoAsyncCallError": Exception,
    "ClosedEnvironmentError": Exception,
    "CustomSpaceError": Exception,
}


@pytest.mark.parametrize(("name", "base"), BASES.items())
def test_base(name, base):
    assert issubclass(getattr(error, name), base)


@pytest.mark.parametrize(
    "name", ["AlreadyPendingCallError", "NoAsyncCallError", "ClosedEnvironmentError", "CustomSpaceError"]
)
def test_errors_outside_the_tree(name):
    assert not issubclass(getattr(error, name), error.Error)


def test_an_action_outside_its_space_fails_assertions_too():
    assert issubclass(error.ActionOutsideSpace, AssertionError)


@pytest.mark.parametrize("kind", [error.AlreadyPendingCallError, error.NoAsyncCallError])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_an_error_about_a_call_keeps_its_name_when_copied(kind, copied):
    caught = copied(kind("no step is pending", "step"))
    assert type(caught) is kind
    assert str(caught) == "no step is pending"
    assert caught.name == "step"
