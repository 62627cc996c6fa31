"""`palaestra completion`: scripts for completion in a shell.

They contain the present commands, options and registered ids; print them again after an update.
"""

from __future__ import annotations

from argparse import Action
from typing import NamedTuple

from gymnasium.specs import registered
from palaestra.cli.arguments import Commands


class Command(NamedTuple):
    """A subcommand: its name, its purpose, its options, and the words that may follow each or stand alone."""

    name: str
    help: str
    options: list[str]
    choices: dict[str, list[str]]
    words: list[str]
    takes_id: bool


def print_script(shell: str, parsers: Commands) -> int:
    """Print the script for `"bash"`, `"zsh"` or `"fish"`, and the commands of `parsers`; returns the exit code."""
    helps = {choice.dest: choice.help or "" for choice in parsers._choices_actions}
    commands = [_command(name, helps[name], parser._actions) for name, parser in parsers.choices.items()]
    print(_fish(commands) if shell == "fish" else _bash(commands, zsh=shell == "zsh"), end="")
    return 0


def _command(name: str, text: str, actions: list[Action]) -> Command:
    options = [option for action in actions for option in action.option_strings if option.startswith("--")]
    choices = {
        option: list(map(str, action.choices))
        for action in actions
        for option in action.option_strings
        if action.choices
    }
    positional = [action for action in actions if not action.option_strings]
    words = [str(choice) for action in positional for choice in action.choices or []]
    return Command(name, text, options, choices, words, any(action.dest == "id" for action in positional))


def _ids() -> list[str]:
    return sorted(spec.id for spec in registered())


def _bash(commands: list[Command], zsh: bool) -> str:
    cases = "\n".join(
        f"        {command.name}) options={' '.join(command.options)!r}; words={_bash_words(command)} ;;"
        for command in commands
    )
    choices = {option: words for command in commands for option, words in command.choices.items()}
    values = "\n".join(f"        {option}) words={' '.join(words)!r}; options= ;;" for option, words in choices.items())
    names = " ".join(command.name for command in commands)
    load = "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n" if zsh else ""
    return f"""{load}_palaestra() {{
    local ids={" ".join(_ids())!r}
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" options= words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{names} --help --version" -- "$current"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    case "$previous" in
{values}
    esac
    case "$current" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    esac
}}
complete -o default -F _palaestra palaestra
"""


def _bash_words(command: Command) -> str:
    return '"$ids"' if command.takes_id else repr(" ".join(command.words))


def _fish(commands: list[Command]) -> str:
    takers = " ".join(command.name for command in commands if command.takes_id)
    lines = [
        "complete -c palaestra -n __fish_use_subcommand -l version -d 'the version'",
        f"complete -c palaestra -f -n '__fish_seen_subcommand_from {takers}' -a '{' '.join(_ids())}'",
    ]
    for command in commands:
        seen = f"complete -c palaestra -n '__fish_seen_subcommand_from {command.name}'"
        lines.append(f"complete -c palaestra -f -n __fish_use_subcommand -a {command.name} -d '{command.help}'")
        if command.words:
            lines.append(f"{seen} -f -a '{' '.join(command.words)}'")
        for option in command.options:
            words = command.choices.get(option)
            lines.append(f"{seen} -l {option.removeprefix('--')}" + (f" -xa '{' '.join(words)}'" if words else ""))
    return "\n".join(lines) + "\n"
