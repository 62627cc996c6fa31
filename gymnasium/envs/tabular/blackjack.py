"""Blackjack under JAX.

JAX cannot trace the dynamics of `toy_text.blackjack`: the dealer draws in a loop whose length, and so the number of
random numbers, depends on the cards. Here the loop is JAX's own, and each card has its own key.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from gymnasium.envs._jax.func_env import KeyedFuncEnv
from gymnasium.envs._jax.library import jax, jnp, lax
from gymnasium.envs.functional_jax_env import FunctionalJaxEnv
from gymnasium.envs.toy_text import blackjack as toy_text
from gymnasium.rendering.canvas import Canvas
from gymnasium.spaces import Box, Discrete

__all__ = [
    "BlackJackJaxEnv",
    "BlackJackParams",
    "BlackjackFunctional",
    "EnvState",
    "PRNGKeyType",
    "RenderStateType",
    "cmp",
    "dealer_stop",
    "deck",
    "draw_card",
    "draw_card_wrapper",
    "draw_hand",
    "is_bust",
    "is_natural",
    "notake",
    "random_card",
    "score",
    "sum_hand",
    "take",
    "usable_ace",
]

PRNGKeyType: TypeAlias = jax.Array
RenderStateType: TypeAlias = Canvas
Dealing: TypeAlias = tuple[jax.Array, jax.Array, jax.Array]
Count = TypeVar("Count", int, jax.Array)

deck = np.array(toy_text.deck, np.int32)
"""The values of a suit's cards: the ace, 2 to 10, jack, queen, king."""

HAND = 21  # places: a player with 21 aces who hits, once in 13^21 games, gets no further card


class EnvState(NamedTuple):
    """Both hands; a card is its value, 1 for an ace."""

    dealer_hand: jax.Array  # shape (21,), int32: cards in the order they were drawn, then zeros; the first lies open
    player_hand: jax.Array  # shape (21,), int32
    dealer_cards: jax.Array  # shape (), int32: their number
    player_cards: jax.Array  # shape (), int32
    done: jax.Array  # shape (), bool: whether the player is bust or sticks


class BlackJackParams(NamedTuple):
    """The payment of a natural, an ace and a ten at once."""

    natural: bool = False  # 1.5 for winning with one, unless the rules are those of the source
    sutton_and_barto: bool = True  # the rules of the source: a natural wins, unless the dealer has one too

    def replace(self, **updates: bool) -> BlackJackParams:
        """Returns params with these fields changed."""
        return self._replace(**updates)


def cmp(a: jax.typing.ArrayLike, b: jax.typing.ArrayLike) -> jax.Array:
    """Returns 1.0, 0.0 or -1.0, as `a` is greater than, equal to or less than `b`."""
    return jnp.sign(jnp.asarray(a) - b).astype(jnp.float32)


def random_card(key: PRNGKeyType) -> tuple[jax.Array, PRNGKeyType]:
    """Returns the value of a random card, shape (), int32, and the key for the next one."""
    key = jax.random.split(key)[0]
    return jax.random.choice(key, jnp.asarray(deck), (1,))[0], key


def draw_card(key: PRNGKeyType, hand: jax.Array, cards: Count) -> tuple[PRNGKeyType, jax.Array, Count]:
    """Returns a key, and a hand of `cards` cards with a random one more, and their number."""
    card, key = random_card(key)
    return key, hand.at[cards].set(card), cards + 1


def draw_hand(key: PRNGKeyType, hand: jax.Array) -> tuple[PRNGKeyType, jax.Array]:
    """Returns a key, and `hand` with two random cards in its first places."""
    key, hand, cards = draw_card(key, hand, 0)
    key, hand, _ = draw_card(key, hand, cards)
    return key, hand


def usable_ace(hand: jax.Array) -> jax.Array:
    """Returns whether the hand has an ace that can count 11 without a bust."""
    return jnp.any(hand == 1) & (jnp.sum(hand) + 10 <= 21)


def sum_hand(hand: jax.Array) -> jax.Array:
    """Returns the hand's sum, with a usable ace counted 11."""
    return jnp.sum(hand) + 10 * usable_ace(hand)


def is_bust(hand: jax.Array) -> jax.Array:
    """Returns whether the sum is above 21."""
    return sum_hand(hand) > 21


def score(hand: jax.Array) -> jax.Array:
    """Returns the value of the hand in a comparison: its sum, 0 for a bust."""
    return jnp.where(is_bust(hand), 0, sum_hand(hand))


def is_natural(hand: jax.Array) -> jax.Array:
    """Returns whether the hand is an ace and a ten."""
    return (jnp.count_nonzero(hand) == 2) & usable_ace(hand) & (sum_hand(hand) == 21)


def dealer_stop(dealing: Dealing) -> jax.Array:
    """Returns whether the dealer, with `(key, hand, cards)`, stops drawing."""
    return sum_hand(dealing[1]) >= 17


def draw_card_wrapper(dealing: Dealing) -> Dealing:
    """Returns `(key, hand, cards)` after another card."""
    return draw_card(*dealing)


def take(state: EnvState, key: PRNGKeyType) -> EnvState:
    """Returns the state after a card for the player."""
    _, hand, cards = draw_card(key, state.player_hand, state.player_cards)
    return state._replace(player_hand=hand, player_cards=cards, done=is_bust(hand))


def notake(state: EnvState, key: PRNGKeyType) -> EnvState:
    """Returns the state after the player sticks, and the dealer draws to 17."""
    dealing = (key, state.dealer_hand, state.dealer_cards)
    _, hand, cards = lax.while_loop(lambda dealing: ~dealer_stop(dealing), draw_card_wrapper, dealing)
    return state._replace(dealer_hand=hand, dealer_cards=cards, done=jnp.bool_(True))


class BlackjackFunctional(
    KeyedFuncEnv[EnvState, jax.Array, jax.typing.ArrayLike, jax.Array, jax.Array, RenderStateType, BlackJackParams]
):
    """The dynamics of Blackjack.

    Args:
        options: Attributes to set on this instance.
        **params: Fields of `BlackJackParams`.
    """

    action_space = Discrete(2)
    observation_space = Box(np.array([1, 1, 0], np.int32), np.array([32, 11, 1], np.int32), (3,), np.int32)
    metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "jax": True}
    drawing = toy_text.Blackjack.drawing
    params_type = BlackJackParams

    def initial(self, rng: PRNGKeyType, params: BlackJackParams | None = None) -> EnvState:
        """Two cards each, the player's first."""
        empty, two = jnp.zeros(HAND, jnp.int32), jnp.int32(2)
        key, player = draw_hand(rng, empty)
        _, dealer = draw_hand(key, empty)
        return EnvState(dealer, player, two, two, jnp.bool_(False))

    def transition(
        self, state: EnvState, action: jax.typing.ArrayLike, rng: PRNGKeyType, params: BlackJackParams | None = None
    ) -> EnvState:
        """Action 1, a card for the player; action 0, the dealer draws to 17."""
        after: EnvState = lax.cond(jnp.reshape(jnp.asarray(action), ()) == toy_text.HIT, take, notake, state, rng)
        return after

    def observation(
        self, state: EnvState, rng: PRNGKeyType | None = None, params: BlackJackParams | None = None
    ) -> jax.Array:
        """The player's sum, the dealer's open card, whether the player has a usable ace; shape (3,), int32."""
        hand = state.player_hand
        return jnp.stack([sum_hand(hand), state.dealer_hand[0], usable_ace(hand)]).astype(jnp.int32)

    def reward(
        self,
        state: EnvState,
        action: jax.typing.ArrayLike,
        next_state: EnvState,
        rng: PRNGKeyType | None = None,
        params: BlackJackParams | None = None,
    ) -> jax.Array:
        """-1 for a bust; when the player sticks, 1, 0 or -1 for a win, a draw or a loss; naturals as in params."""
        used, player, dealer = self.used(params), next_state.player_hand, next_state.dealer_hand
        result = cmp(score(player), score(dealer))
        if used.sutton_and_barto:
            result = jnp.where(is_natural(player) & ~is_natural(dealer), 1.0, result)
        elif used.natural:
            result = jnp.where(is_natural(player) & (result == 1.0), 1.5, result)
        hit = jnp.reshape(jnp.asarray(action), ()) == toy_text.HIT
        return jnp.where(hit, jnp.where(is_bust(player), -1.0, 0.0), result)

    def terminal(
        self, state: EnvState, rng: PRNGKeyType | None = None, params: BlackJackParams | None = None
    ) -> jax.Array:
        """Whether the player is bust or sticks."""
        return jnp.asarray(state.done)

    def drawn(self, state: Any, params: BlackJackParams) -> tuple[_Table, BlackJackParams]:
        """Returns the state in the form of Blackjack's drawing."""
        return _Table(state.player_hand, state.player_cards, state.dealer_hand), params


class _Table(NamedTuple):
    """The visible cards; since cards are values, the open one is shown as a club, and a ten as a jack."""

    player: jax.Array
    n_player: int
    dealer: jax.Array
    suit: int = 0
    face: int = 0


class BlackJackJaxEnv(FunctionalJaxEnv[jax.Array, jax.typing.ArrayLike]):
    """Blackjack under JAX: like Blackjack-v1, but observations are one array.

    Args:
        render_mode: None or `"rgb_array"`.
        **kwargs: Fields of `BlackJackParams`, or `options` of `BlackjackFunctional`.
    """

    metadata = BlackjackFunctional.metadata

    def __init__(self, render_mode: str | None = None, **kwargs: Any) -> None:
        super().__init__(BlackjackFunctional(**kwargs), self.metadata, render_mode)
