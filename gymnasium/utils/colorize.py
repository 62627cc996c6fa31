"""Text in the colours of a terminal."""

from __future__ import annotations

# SGR foreground codes. Two names do not match their codes: 30 shows as black on most terminals, and 38 by itself
# selects no colour. The numbers are part of the interface, so they stay.
color2num = {
    "gray": 30,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "blue": 34,
    "magenta": 35,
    "cyan": 36,
    "white": 37,
    "crimson": 38,
}


def colorize(string: str, color: str, bold: bool = False, highlight: bool = False) -> str:
    """Returns `string` between the escape codes for `color`.

    Args:
        string: The text.
        color: A name of `color2num`; an unknown one raises `KeyError`.
        bold: Whether the text is bold.
        highlight: Whether `color` is the background's, not the letters'.
    """
    code = color2num[color] + (10 if highlight else 0)
    attributes = f"{code};1" if bold else f"{code}"
    return f"\x1b[{attributes}m{string}\x1b[0m"
