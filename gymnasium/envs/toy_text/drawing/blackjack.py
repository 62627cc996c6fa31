"""The card table: the dealer's two cards, one of them hidden, and the player's sum."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.toy_text.drawing.cards import card, card_back
from gymnasium.rendering.canvas import Canvas

ART_PIXEL: Final = 4  # centred objects are aligned to multiples of it
SCREEN_SIZE: Final = (384, 376)
FELT_COLOR: Final = (196, 216, 158)
DEALER_LABEL_POS: Final = (40, 32)
DEALER_CARD_POS: Final = (96, 72)
HIDDEN_CARD_POS: Final = (208, 72)
PLAYER_LABEL_POS: Final = (40, 208)
PLAYER_SUM_TOP: Final = 248
USABLE_ACE_TOP: Final = 328
LABEL_DIGIT_GAP: Final = 12  # between the dealer's label and the value of the card
SMALL_DIGIT_GAP: Final = 4
BIG_DIGIT_GAP: Final = 12

SMALL_DIGIT: Final = (12, 20)  # width and height
BIG_DIGIT: Final = (36, 60)
LABEL_WIDTH: Final = 100  # of "DEALER"
LABEL_FONT, SUM_FONT = 34, 96
TEXT_COLOR: Final = (48, 66, 40)
SHADOW_COLOR: Final = (120, 146, 92, 120)
SEAM_COLOR: Final = (172, 196, 134)

SUITS: Final = "CDHS"
FACES: Final = "JQK"


class State(Protocol):
    """The visible part of the state; a card is its value, 1 for an ace."""

    @property
    def player(self) -> NDArray[np.int64]:
        """The player's cards, of which the first `n_player` count."""

    @property
    def n_player(self) -> int:
        """The number of the player's cards."""

    @property
    def dealer(self) -> NDArray[np.int64]:
        """The dealer's cards; the first lies open."""

    @property
    def suit(self) -> int:
        """The open card's suit, an index into `SUITS`."""

    @property
    def face(self) -> int:
        """The picture on an open ten, an index into `FACES`."""


def size(params: object) -> tuple[int, int]:
    """Returns width and height in pixels."""
    return SCREEN_SIZE


def draw(canvas: Canvas, state: State, params: object) -> None:
    """Draws the table; the dealer's second card stays hidden."""
    hard = int(sum(state.player[: state.n_player]))
    usable_ace = 1 in state.player[: state.n_player] and hard + 10 <= 21
    dealer_value = int(state.dealer[0])
    rank = {1: "A", 10: FACES[state.face]}.get(dealer_value, str(dealer_value))
    draw_table(canvas, hard + 10 * usable_ace, dealer_value, rank, SUITS[state.suit], usable_ace)


def draw_table(
    canvas: Canvas, player_sum: int, dealer_value: int, dealer_rank: str, dealer_suit: str, usable_ace: bool
) -> None:
    """Draws the table with the given cards and sums.

    Args:
        canvas: A canvas of `SCREEN_SIZE`.
        player_sum: The player's sum, with a usable ace counted as 11.
        dealer_value: The value of the dealer's open card, 1-10.
        dealer_rank: The rank of the card: one of `"A23456789JQK"`.
        dealer_suit: One of `"CDHS"`.
        usable_ace: Whether the player's sum counts an ace as 11.
    """
    width, height = SCREEN_SIZE
    canvas.fill(FELT_COLOR)
    canvas.rectangle(28, height // 2 + 3, width - 56, 2, SEAM_COLOR)
    canvas.text("DEALER", DEALER_LABEL_POS, LABEL_FONT, TEXT_COLOR, "topleft")
    _draw_number(canvas, dealer_value, DEALER_LABEL_POS[0] + LABEL_WIDTH + LABEL_DIGIT_GAP, DEALER_LABEL_POS[1])
    for picture, (x, y) in ((card(dealer_rank, dealer_suit), DEALER_CARD_POS), (card_back(), HIDDEN_CARD_POS)):
        canvas.rectangle(x + 2, y + 4, *picture.size, SHADOW_COLOR, radius=8)
        canvas.paste(picture, (x, y))
    canvas.text("PLAYER", PLAYER_LABEL_POS, LABEL_FONT, TEXT_COLOR, "topleft")
    _draw_sum(canvas, player_sum)
    if usable_ace:
        canvas.text("USABLE ACE", (width // 2, USABLE_ACE_TOP), LABEL_FONT, TEXT_COLOR, "midtop")


def _draw_number(canvas: Canvas, number: int, left: int, top: int) -> None:
    for i, digit in enumerate(str(number)):
        x = left + i * (SMALL_DIGIT[0] + SMALL_DIGIT_GAP) + SMALL_DIGIT[0] // 2
        canvas.text(digit, (x, top), LABEL_FONT, TEXT_COLOR, "midtop")


def _draw_sum(canvas: Canvas, player_sum: int) -> None:
    digits = str(player_sum)
    width = len(digits) * (BIG_DIGIT[0] + BIG_DIGIT_GAP) - BIG_DIGIT_GAP
    left = (SCREEN_SIZE[0] - width) // 2 // ART_PIXEL * ART_PIXEL
    for i, digit in enumerate(digits):
        x = left + i * (BIG_DIGIT[0] + BIG_DIGIT_GAP) + BIG_DIGIT[0] // 2
        canvas.text(digit, (x, PLAYER_SUM_TOP + BIG_DIGIT[1] // 2), SUM_FONT, TEXT_COLOR)
