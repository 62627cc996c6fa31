"""Blackjack against a dealer who draws to 17.

Source: Sutton and Barto (2018), "Reinforcement Learning: An Introduction", example 5.1. Cards come from an infinite
deck; an ace counts 1 or, unless that busts, 11 ("usable").
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.toy_text.utils import found_in
from gymnasium.functional.attributes import Hook
from gymnasium.functional.env import FunctionalEnv, Parameter
from gymnasium.functional.func_env import FuncEnv
from gymnasium.spaces import Discrete, Tuple

__all__ = [
    "BlackjackEnv",
    "cmp",
    "deck",
    "draw_card",
    "draw_hand",
    "is_bust",
    "is_natural",
    "score",
    "sum_hand",
    "usable_ace",
]

deck = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
"""The values of a suit's cards: the ace, 2 to 10, jack, queen, king."""

HAND = 22  # places: a hand of 21 aces is not bust, and may get one more card

_DRAWING = "gymnasium.envs.toy_text.drawing.blackjack"
__getattr__ = found_in(
    _DRAWING,
    "ART_PIXEL",
    "SCREEN_SIZE",
    "FELT_COLOR",
    "DEALER_LABEL_POS",
    "DEALER_CARD_POS",
    "HIDDEN_CARD_POS",
    "PLAYER_LABEL_POS",
    "PLAYER_SUM_TOP",
    "USABLE_ACE_TOP",
    "LABEL_DIGIT_GAP",
    "SMALL_DIGIT_GAP",
    "BIG_DIGIT_GAP",
    "draw_table",
)


def cmp(a: float, b: float) -> float:
    """Returns 1.0, 0.0 or -1.0, as `a` is greater than, equal to or less than `b`."""
    return 1.0 if a > b else -1.0 if a < b else 0.0


def draw_card(np_random: np.random.Generator) -> int:
    """Returns the value of a random card."""
    return deck[int(np_random.integers(0, len(deck)))]


def draw_hand(np_random: np.random.Generator) -> list[int]:
    """Returns two random cards."""
    return [draw_card(np_random), draw_card(np_random)]


def usable_ace(hand: list[int]) -> int:
    """Returns 1 if the hand has an ace that can count 11 without a bust, else 0."""
    return int(1 in hand and sum(hand) + 10 <= 21)


def sum_hand(hand: list[int]) -> int:
    """Returns the hand's sum, with a usable ace counted 11."""
    return sum(hand) + 10 * usable_ace(hand)


def is_bust(hand: list[int]) -> bool:
    """Returns whether the sum is above 21."""
    return sum_hand(hand) > 21


def score(hand: list[int]) -> int:
    """Returns the value of the hand in a comparison: its sum, 0 for a bust."""
    return 0 if is_bust(hand) else sum_hand(hand)


def is_natural(hand: list[int]) -> bool:
    """Returns whether the hand is an ace and a ten."""
    return sorted(hand) == [1, 10]


STICK, HIT = 0, 1

_MOST = 1 << 62  # a player may continue after a bust
_LOW = 15  # places in the lower of the two numbers that hold a hand; a card takes four bits


class State(NamedTuple):
    """Both hands, with their sums, and the look of the dealer's face-up card."""

    player_low: int  # the cards in the order they were drawn: the first 15, the first of all in the lowest four bits
    player_high: int  # the later ones
    n_player: int  # cards
    player_sum: int  # every ace counted 1
    player_ace: bool  # whether there is one
    dealer_low: int
    dealer_high: int
    up: int  # the dealer's face-up card, the first one
    n_dealer: int
    dealer_sum: int
    dealer_ace: bool
    suit: int  # of the face-up card, an index of "CDHS"
    face: int  # of the face-up card if it is a ten, an index of "JQK"
    stuck: bool = False  # whether the player's last action was to stick

    @property
    def player(self) -> NDArray[np.int64]:
        """The player's cards in the order they were drawn, then zeros, shape (22,)."""
        return _places(self.player_low, self.player_high)

    @property
    def dealer(self) -> NDArray[np.int64]:
        """The dealer's cards, like `player`."""
        return _places(self.dealer_low, self.dealer_high)


def _places(low: int, high: int) -> NDArray[np.int64]:
    cards = [(low >> 4 * k & 15) if k < _LOW else (high >> 4 * (k - _LOW) & 15) for k in range(HAND)]
    return np.array(cards, np.int64)


def _with_card(low: int, high: int, place: int, card: int) -> tuple[int, int]:
    """Returns a hand with `card` in `place`, as its two numbers."""
    if place < _LOW:
        return low & ~(15 << 4 * place) | card << 4 * place, high
    return low, high & ~(15 << 4 * (place - _LOW)) | card << 4 * (place - _LOW)


class Params(NamedTuple):
    """The payment of a natural, an ace and a ten at once."""

    natural: bool = False  # 1.5 for winning with one, unless the rules are those of the source
    sab: bool = False  # the rules of the source: a natural wins, unless the dealer has one too


RULES = Params()


def _value(rank: int) -> int:
    """Returns `deck[rank]`, without the mispredicted jump that machine code would use for the lookup."""
    return int(rank) + 1 if rank < 9 else 10


def _soft(total: int, ace: bool) -> int:
    """Returns a hand's sum with a usable ace counted 11, from its sum with aces counted 1."""
    return total + 10 if ace and total <= 11 else total


def _score(total: int, ace: bool) -> int:
    return 0 if total > 21 else total + 10 if ace and total <= 11 else total


class Blackjack(FuncEnv[State, tuple[int, int, bool], int, float, bool, Any, Params]):
    """The dynamics of Blackjack.

    They branch on the state, and the number of their draws depends on the cards: with equal seeds they give the
    trajectories of the reference. Hence they run in Python and compiled, and do not trace under JAX.
    """

    observation_space = Tuple((Discrete(32), Discrete(11), Discrete(2)))
    action_space = Discrete(2)
    metadata = {"render_modes": ["human", "rgb_array"], "render_fps": 4}
    drawing = _DRAWING
    # A hand of a wrong number of cards, or with less than nothing, would be drawn to for hours.
    state_ranges: ClassVar[dict[str, tuple[int, int]]] = {
        **{"n_player": (0, HAND), "n_dealer": (0, HAND), "player_sum": (0, _MOST), "dealer_sum": (0, _MOST)},
        **{"up": (1, 10), "suit": (0, 3), "face": (0, 2)},
    }

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params = RULES) -> State:
        """Two cards each, the dealer's first; the suit and face of the first one matter to the picture alone."""
        integers = rng.integers
        up, down = _value(integers(0, 13)), _value(integers(0, 13))
        first, second = _value(integers(0, 13)), _value(integers(0, 13))
        suit = integers(0, 4)
        face = int(integers(0, 3)) if up == 10 else 0
        player, dealer = first | second << 4, up | down << 4
        player_ace, dealer_ace = first == 1 or second == 1, up == 1 or down == 1
        return State(player, 0, 2, first + second, player_ace, dealer, 0, up, 2, up + down, dealer_ace, suit, face)

    @staticmethod
    def transition(state: State, action: int, rng: Any, params: Params = RULES) -> State:
        """A card for a player who hits; if the player sticks, the dealer draws to 17."""
        low, high, n, total, ace, dealer, dealer_high, up, n_dealer, dealer_sum, dealer_ace, suit, face, _ = state
        if action == HIT:
            card = _value(rng.integers(0, 13))
            n = n + 1 if n < HAND else HAND  # a player who continues after a bust may run out of places
            low, high = _with_card(low, high, n - 1, card)
            total, ace = total + card, ace or card == 1
        else:
            while _soft(dealer_sum, dealer_ace) < 17:
                card = _value(rng.integers(0, 13))
                dealer, dealer_high = _with_card(dealer, dealer_high, n_dealer, card)
                n_dealer, dealer_sum, dealer_ace = n_dealer + 1, dealer_sum + card, dealer_ace or card == 1
        player = low, high, n, total, ace
        return State(*player, dealer, dealer_high, up, n_dealer, dealer_sum, dealer_ace, suit, face, action != HIT)

    @staticmethod
    def observation(state: State, rng: Any, params: Params = RULES) -> tuple[int, int, bool]:
        """The player's sum, the dealer's face-up card, whether the player has a usable ace."""
        total, ace = state.player_sum, state.player_ace
        return _soft(total, ace), state.up, ace and total <= 11

    @staticmethod
    def reward(state: State, action: int, next_state: State, rng: Any, params: Params = RULES) -> float:
        """-1 for a bust; when the player sticks, 1, 0 or -1 for a win, a draw or a loss; naturals as in params."""
        total, ace = next_state.player_sum, next_state.player_ace
        if action == HIT:
            return -1.0 if total > 21 else 0.0
        result = cmp(_score(total, ace), _score(next_state.dealer_sum, next_state.dealer_ace))
        if next_state.n_player == 2 and ace and total == 11:
            dealer_natural = next_state.n_dealer == 2 and next_state.dealer_ace and next_state.dealer_sum == 11
            if params.sab and not dealer_natural:
                return 1.0
            if params.natural and not params.sab and result == 1.0:
                return 1.5
        return result

    @staticmethod
    def terminal(state: State, rng: Any, params: Params = RULES) -> bool:
        """Whether the player is bust or sticks."""
        return state.stuck or state.player_sum > 21


class BlackjackEnv(FunctionalEnv[tuple[int, int, int], int]):
    """Blackjack: come closer to 21 than the dealer, and not above.

    Observation, `Tuple(Discrete(32), Discrete(11), Discrete(2))`: the player's sum, the dealer's face-up card (1 is the
    ace), 1 if the player has a usable ace. Action, `Discrete(2)`: 0 stick, 1 hit (take a card).

    Reward, at the end of the episode: 1.0 for a win, 0.0 for a draw, -1.0 for a loss. Blackjack-v1 is made with
    `sab=True`.

    Args:
        render_mode: None, `"human"` or `"rgb_array"`.
        natural: Whether winning with an ace and a ten at once is worth 1.5; not used with `sab`.
        sab: Whether the rules are those of the source: an ace and a ten at once win, unless the dealer has them too.
    """

    dynamics = Blackjack
    observer = "_get_obs"
    natural = Parameter()
    sab = Parameter()

    def __init__(self, render_mode: str | None = None, natural: bool = False, sab: bool = False) -> None:
        super().__init__(None, render_mode, natural=bool(natural), sab=bool(sab))

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[int, int, int], dict[str, Any]]:
        """Deal two cards each; `options` is not used."""
        return self._begin(seed, self.params)

    @Hook
    def _get_obs(self) -> tuple[int, int, int]:
        return self._observed()

    @property
    def player(self) -> list[int] | None:
        """The player's cards, 1 to 10; None before the first reset. Changes take effect at the next step.

        Raises:
            ValueError: If the value is not a list of 1 to 22 cards.
        """
        return None if self._dynamics_state is None else self._hands()[0]

    @player.setter
    def player(self, hand: list[int]) -> None:
        self._set_hands(hand, self._hands()[1])

    @property
    def dealer(self) -> list[int] | None:
        """The dealer's cards, like `player`; the first one is face up."""
        return None if self._dynamics_state is None else self._hands()[1]

    @dealer.setter
    def dealer(self, hand: list[int]) -> None:
        self._set_hands(self._hands()[0], hand)

    @property
    def dealer_top_card_suit(self) -> str | None:
        """The suit of the dealer's face-up card, one of C, D, H, S; None before the first reset."""
        return None if self._dynamics_state is None else "CDHS"[self._dynamics_state.suit]

    @dealer_top_card_suit.setter
    def dealer_top_card_suit(self, suit: str) -> None:
        if suit not in tuple("CDHS"):
            raise ValueError(f"A suit is one of C, D, H, S, but {suit!r} came")
        self._dynamics_state = self._dynamics_state._replace(suit="CDHS".index(suit))

    @property
    def dealer_top_card_value_str(self) -> str | None:
        """The value of the dealer's face-up card, one of A, 2 to 9, J, Q, K; None before the first reset."""
        if self._dynamics_state is None:
            return None
        card = self._dynamics_state.up
        return "A" if card == 1 else "JQK"[self._dynamics_state.face] if card == 10 else str(card)

    @dealer_top_card_value_str.setter
    def dealer_top_card_value_str(self, value: str) -> None:
        if value in tuple("JQK") and self._dynamics_state.up == 10:
            self._dynamics_state = self._dynamics_state._replace(face="JQK".index(value))
        elif value != self.dealer_top_card_value_str:
            raise ValueError(
                f"The dealer's face-up card counts {self._dynamics_state.up}, so it cannot look like {value!r}: assign "
                "`dealer` for another card"
            )

    def _hands(self) -> tuple[list[int], list[int]]:
        if self._lent is None:
            if self._dynamics_state is None:
                self._dynamics_state = self.func_env.initial(self._stream(), self.params)
            state = self._dynamics_state
            self._lent = state.player[: state.n_player].tolist(), state.dealer[: state.n_dealer].tolist()
        hands: tuple[list[int], list[int]] = self._lent
        return hands

    def _set_hands(self, player: list[int], dealer: list[int]) -> None:
        mine, theirs = _checked(player), _checked(dealer)
        (player_low, player_high), (dealer_low, dealer_high) = _packed(mine), _packed(theirs)
        self._dynamics_state = State(
            player_low=player_low,
            player_high=player_high,
            n_player=len(mine),
            player_sum=sum(mine),
            player_ace=1 in mine,
            dealer_low=dealer_low,
            dealer_high=dealer_high,
            up=theirs[0],
            n_dealer=len(theirs),
            dealer_sum=sum(theirs),
            dealer_ace=1 in theirs,
            suit=self._dynamics_state.suit,
            face=self._dynamics_state.face,
        )
        self._lent = None
        self.steps_beyond_terminated = None

    def _take_back(self) -> None:
        player, dealer = self._lent
        state = self._dynamics_state
        if player != state.player[: state.n_player].tolist() or dealer != state.dealer[: state.n_dealer].tolist():
            self._set_hands(player, dealer)
        self._lent = None


def _checked(hand: list[int]) -> list[int]:
    """Returns a copy of a hand after a check."""
    cards = list(hand)
    if not (1 <= len(cards) <= HAND and all(card in deck for card in cards)):
        raise ValueError(f"A hand must be a list of 1 to {HAND} cards from 1 to 10, but {hand!r} came")
    return [int(card) for card in cards]


def _packed(cards: list[int]) -> tuple[int, int]:
    """Returns a hand as its two numbers."""
    low = high = 0
    for place, card in enumerate(cards):
        low, high = _with_card(low, high, place, card)
    return low, high
