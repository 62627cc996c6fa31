"""The hand-written parts of an environment's page: everything else is read from class, spaces and spec."""

from __future__ import annotations

from typing import NamedTuple


class Variant(NamedTuple):
    """The same environment with another kind of actions; observations, rewards and ends of episodes are the same."""

    title: str  # "Continuous"
    arguments: dict[str, object]
    actions: tuple[str, ...]


class Page(NamedTuple):
    """A page of docs/gymnasium/environments, about one environment in all its variants."""

    id: str  # the environment that is drawn and tabled
    intro: str  # the task, and its difficulty
    actions: tuple[str, ...]  # of a Discrete, each action; of a Box, each number. Empty where the model names them
    observations: tuple[str, ...]  # each number of a Box, or each part; empty where the model names them
    ends: str  # when `terminated` is true
    try_this: str = ""  # a sentence on suitable algorithms
    rewards: str = ""  # where the docstring has no paragraph of them
    start: str = ""  # where `initial` does not say it all
    variants: tuple[str, ...] = ()  # other ids of the same class
    other_actions: Variant | None = None  # if an argument changes the kind of actions
    see: str = ""  # where the actions of another kind are another environment: a sentence with a link
    seed: int = 1  # of the picture
    steps: int = 0  # random actions before it

    @property
    def title(self) -> str:
        """The id without the version."""
        return self.id.rpartition("-v")[0]

    @property
    def name(self) -> str:
        """The environment's name, without namespace and version."""
        return self.title.rpartition("/")[2]

    @property
    def file(self) -> str:
        """The name of the page and of its picture."""
        return "".join("_" + c.lower() if c.isupper() and k else c.lower() for k, c in enumerate(self.name))


class Family(NamedTuple):
    """A folder of docs/gymnasium/environments."""

    folder: str
    title: str
    extra: str  # of the package, that drawing or the whole family needs
    intro: str
    pages: tuple[Page, ...]
