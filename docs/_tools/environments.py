"""Writes docs/gymnasium/environments: a page and a picture of each environment, an index of each family and of all."""

from __future__ import annotations

import inspect
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import gymnasium
from docs._tools import docstrings, robots
from docs._tools.box2d import BOX2D
from docs._tools.classic_control import CLASSIC_CONTROL
from docs._tools.films import film
from docs._tools.jax import PHYS2D, TABULAR
from docs._tools.mujoco import MUJOCO
from docs._tools.page import Family, Page
from docs._tools.pictures import STRIP, picture_of, strip
from docs._tools.tables import meanings, number, space, table
from docs._tools.toy_text import TOY_TEXT
from docs._tools.versions import version_table
from docs._tools.writing import write
from gymnasium.envs.functional_jax_env import FunctionalJaxEnv
from gymnasium.functional import FunctionalEnv
from gymnasium.spaces import Discrete

FAMILIES = (CLASSIC_CONTROL, TOY_TEXT, BOX2D, MUJOCO, PHYS2D, TABULAR)
_FUNCTIONAL = (FunctionalEnv, FunctionalJaxEnv)
_AFTER_REWARDS = re.compile(r"(?<=\.) (?=An episode|Reset options|Nothing ends)")


def write_environments(docs: Path) -> None:
    """Write every page, and remove obsolete pages."""
    folder, pictures = docs / "gymnasium" / "environments", docs / "_generated" / "environments"
    written = {write(folder / "index.md", _index(FAMILIES))}
    files: dict[str, Path] = {}
    for family in FAMILIES:
        written.add(write(folder / family.folder / "index.md", _family_index(family)))
        for page in family.pages:
            files[page.id] = picture_of(page, pictures / family.folder)
            written.add(write(folder / family.folder / f"{page.file}.md", page_text(page, family)))
    for stale in set(folder.rglob("*.md")) - written:
        stale.unlink()
    strip([files[id] for id in STRIP], pictures / "strip.webp")


def page_text(page: Page, family: Family) -> str:
    """Returns a page in Markdown."""
    with closing(gymnasium.make(page.id)) as made:
        env: Any = made.unwrapped
        parts = [
            f"# {page.title}",
            film(page) or f"![{page.name}](/_generated/environments/{family.folder}/{page.file}.webp)",
            f"{page.intro} {page.try_this}".strip(),
            _facts(page, env, family),
            f"## Actions\n\n{_actions(page, env)}",
            f"## Observations\n\n{space(env.observation_space)}\n\n{_observations(page, env)}",
            f"## Rewards\n\n{_rewards(page, env)}\n\n{_infos(env)}",
            f"## Start and end of an episode\n\n{_episode(page, env)}",
            f"## Arguments\n\n{_arguments(page, type(env))}",
            *_constants(env),
            *([f"## Versions\n\n{versions}"] if (versions := version_table(page.id)) else []),
            *_source(type(env)),
        ]
    return "\n\n".join(parts) + "\n"


def _facts(page: Page, env: Any, family: Family) -> str:
    rows = [
        ("make it", f'`gymnasium.make("{page.id}")`'),
        *(("variant", f'`gymnasium.make("{id}")`{_registered(id)}') for id in page.variants),
        ("needs", f'`pip install ".[{family.extra}]"` from a clone' + _what_for(family)),
        ("solved from", _threshold(page.id)),
        ("render modes", ", ".join(f"`{mode}`" for mode in env.metadata["render_modes"])),
        ("class", f"`{type(env).__module__}:{type(env).__name__}`"),
    ]
    return table(("", ""), rows)


def _registered(id: str) -> str:
    """The arguments registered with the id."""
    kwargs, limit = gymnasium.spec(id).kwargs, gymnasium.spec(id).max_episode_steps
    arguments = ", ".join(f"`{name}={value!r}`" for name, value in kwargs.items())
    return f": {arguments}, " + (f"at most {limit} steps" if limit else "no limit of steps")


def _what_for(family: Family) -> str:
    return ", for drawing only" if family in (CLASSIC_CONTROL, TOY_TEXT) else ""


def _threshold(id: str) -> str:
    threshold = gymnasium.spec(id).reward_threshold
    return "not defined" if threshold is None else f"a mean return of {threshold:g}"


def _actions(page: Page, env: Any) -> str:
    own = f"{space(env.action_space)}\n\n{_own_actions(page, env)}"
    if page.other_actions is None:
        return f"{own}\n\n{page.see}".strip()
    title, arguments, names = page.other_actions
    kind = "Discrete" if isinstance(env.action_space, Discrete) else "Continuous"
    with closing(gymnasium.make(page.id, **arguments)) as other:
        assert other.observation_space == env.observation_space, f"{page.id} observes something else when {title}"
        call = ", ".join([f'"{page.id}"', *(f"{name}={value!r}" for name, value in arguments.items())])
        table = f"{space(other.action_space)}, with `gymnasium.make({call})`\n\n{meanings(other.action_space, names)}"
    return f"### {kind}\n\n{own}\n\n### {title}\n\n{table}"


def _own_actions(page: Page, env: Any) -> str:
    return meanings(env.action_space, page.actions) if page.actions else robots.action_table(env)


def _observations(page: Page, env: Any) -> str:
    table = meanings(env.observation_space, page.observations) if page.observations else robots.observation_table(env)
    both = "\n\nThey are the same with discrete and with continuous actions." if page.other_actions else ""
    return table + both


def _rewards(page: Page, env: Any) -> str:
    """The page's own text, or the docstring's paragraph up to the rewards; and the contents of the infos."""
    said = page.rewards or next(text for text in _reward_texts(env) if text.startswith("Reward"))
    said = _AFTER_REWARDS.split(said.removeprefix("Reward: "))[0]
    return f"{said[0].upper()}{said[1:]}"


def _reward_texts(env: Any) -> list[str]:
    """Where the rewards are described: the class's docstring, or that of the function under JAX."""
    if isinstance(env, FunctionalJaxEnv):
        return [f"Reward: {docstrings.paragraphs(env.func_env.reward)[0]}"]
    return docstrings.paragraphs(type(env))


def _infos(env: Any) -> str:
    """The keys of a reset's and of a step's info, as they come."""
    env.action_space.seed(0)
    infos = {"reset": env.reset(seed=0)[1], "step": env.step(env.action_space.sample())[4]}
    lines = [f"- of a `{call}`: {', '.join(f'`{key}`' for key in info) or 'nothing'}" for call, info in infos.items()]
    return "The info contains:\n\n" + "\n".join(lines)


def _episode(page: Page, env: Any) -> str:
    limit = gymnasium.spec(page.id).max_episode_steps
    start = page.start or _start(env)
    options = [text.partition("Reset options: ")[2] for text in docstrings.paragraphs(type(env))]
    lines = [
        *([f"- **Start**: {start}"] if start else []),
        *(f"- **Reset options**: {text}" for text in options if text),
        f"- **Terminated** when {page.ends}." if page.ends != "never" else "- **Terminated**: never.",
        f"- **Truncated** after {limit} steps." if limit else "- **Truncated**: never, as there is no limit of steps.",
    ]
    return "\n".join(lines)


def _start(env: Any) -> str:
    if isinstance(env, _FUNCTIONAL):
        return docstrings.paragraphs(env.func_env.initial)[0]
    return robots.start(env) if "reset_noise_scale" in inspect.signature(type(env)).parameters else ""


def _arguments(page: Page, cls: type) -> str:
    said, registered = docstrings.arguments(cls), gymnasium.spec(page.id).kwargs
    rows = []
    for parameter in list(inspect.signature(cls).parameters.values()):
        if parameter.kind is parameter.VAR_KEYWORD:
            rows.append(("others", "", said[f"**{parameter.name}"]))
        else:
            default = registered.get(parameter.name, parameter.default)
            rows.append((f"`{parameter.name}`", f"`{_default(default)}`", said[parameter.name]))
    return table(("argument", "default", "meaning"), rows)


def _default(value: Any) -> str:
    return repr({k: getattr(v, "tolist", lambda v=v: v)() for k, v in value.items()} if type(value) is dict else value)


def _constants(env: Any) -> list[str]:
    """The params that are plain numbers; they are attributes of the environment where the class says so."""
    if not isinstance(env, _FUNCTIONAL):
        return []
    said = docstrings.field_comments(type(env.params))
    rows = [
        (f"`{name}`", number(value) if type(value) is not bool else str(value), said[name])
        for name, value in env.params._asdict().items()
        if isinstance(value, (int, float)) and name not in inspect.signature(type(env)).parameters
    ]
    if not rows:
        return []
    head = f"The parameters of the dynamics, the fields of `{type(env).__module__}.{type(env.params).__name__}`."
    return [f"## Constants\n\n{head}\n\n{table(('name', 'value', 'meaning'), rows)}"]


def _source(cls: type) -> list[str]:
    cited = docstrings.source(sys.modules[cls.__module__])
    return [f"## Source\n\n{cited.removeprefix('Source: ')}"] if cited else []


def _index(families: tuple[Family, ...]) -> str:
    parts = ["# Environments", "Each page is made from the environment itself: its spaces, its docstring, its picture."]
    for family in families:
        parts.append(f"## {family.title}\n\n{family.intro}\n\n{_gallery(family, f'{family.folder}/')}")
    return "\n\n".join([*parts, _toctree([f"{family.folder}/index" for family in families])]) + "\n"


def _family_index(family: Family) -> str:
    install = f'```sh\npip install ".[{family.extra}]"  # from a clone\n```'
    rows = [_row(page) for page in family.pages]
    head = ("environment", "actions", "observations", "steps", "solved from")
    parts = [f"# {family.title}", family.intro, install, _gallery(family, ""), table(head, rows)]
    return "\n\n".join([*parts, _toctree([page.file for page in family.pages])]) + "\n"


def _row(page: Page) -> tuple[str, ...]:
    spec = gymnasium.spec(page.id)
    with closing(gymnasium.make(page.id)) as env:
        spaces = _short(env.action_space), _short(env.observation_space)
    limit, threshold = spec.max_episode_steps, spec.reward_threshold
    return f"[`{page.id}`]({page.file}.md)", *spaces, str(limit or "-"), "-" if threshold is None else f"{threshold:g}"


def _short(of: Any) -> str:
    shape = getattr(of, "shape", None)
    return f"`Box{shape}`".replace(",)", ")") if shape else f"`{of}`"


def _gallery(family: Family, folder: str) -> str:
    cells = [
        f"[![](/_generated/environments/{family.folder}/{page.file}.webp) {page.name}]({folder}{page.file}.md)"
        for page in family.pages
    ]
    return ":::{container} gallery\n" + "\n".join(cells) + "\n:::"


def _toctree(names: list[str]) -> str:
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```"
