from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gymnasium.envs.toy_text import blackjack
from gymnasium.envs.toy_text.blackjack import (
    Blackjack,
    BlackjackEnv,
    Params,
    cmp,
    is_bust,
    is_natural,
    score,
    sum_hand,
    usable_ace,
)

STICK, HIT = 0, 1


@pytest.mark.parametrize(
    ("hand", "total", "usable", "bust", "natural", "counts"),
    [
        ([10, 10], 20, 0, False, False, 20),
        ([1, 10], 21, 1, False, True, 21),
        ([10, 1], 21, 1, False, True, 21),
        ([1, 1], 12, 1, False, False, 12),
        ([1, 10, 10], 21, 0, False, False, 21),
        ([1, 4, 6], 21, 1, False, False, 21),
        ([1, 5, 6], 12, 0, False, False, 12),
        ([10, 6, 6], 22, 0, True, False, 0),
        ([2], 2, 0, False, False, 2),
    ],
)
def test_hands(hand: list[int], total: int, usable: int, bust: bool, natural: bool, counts: int) -> None:
    assert (sum_hand(hand), usable_ace(hand), is_bust(hand), is_natural(hand), score(hand)) == (
        total,
        usable,
        bust,
        natural,
        counts,
    )


def test_cmp() -> None:
    assert (cmp(3, 2), cmp(2, 2), cmp(2, 3)) == (1.0, 0.0, -1.0)


def test_cards_are_drawn_as_a_choice_from_the_deck() -> None:
    rng, twin = np.random.default_rng(3), np.random.default_rng(3)
    cards = [card for _ in range(100) for card in blackjack.draw_hand(rng)]
    assert cards == [twin.choice(blackjack.deck) for _ in range(200)]
    assert all(type(card) is int for card in cards)


@given(st.integers(0, 2**32), st.lists(st.integers(0, 1), max_size=12))
def test_an_episode_follows_the_rules(seed: int, actions: list[int]) -> None:
    """Played by hand with NumPy's own generator and the functions on lists."""
    env, twin = BlackjackEnv(natural=True), np.random.default_rng(seed)
    draw = lambda: int(twin.choice(blackjack.deck))  # noqa: E731
    observation, info = env.reset(seed=seed)
    dealer, player = [draw(), draw()], [draw(), draw()]
    suit = twin.choice(["C", "D", "H", "S"])
    face = twin.choice(["J", "Q", "K"]) if dealer[0] == 10 else None
    assert info == {} and observation == (sum_hand(player), dealer[0], usable_ace(player))
    assert env.dealer_top_card_suit == suit
    assert env.dealer_top_card_value_str == {1: "A", 10: face}.get(dealer[0], str(dealer[0]))
    for action in actions:
        if action == HIT:
            player.append(draw())
            expected: tuple[float, bool] = (-1.0, True) if is_bust(player) else (0.0, False)
        else:
            while sum_hand(dealer) < 17:
                dealer.append(draw())
            result = cmp(score(player), score(dealer))
            expected = (1.5 if is_natural(player) and result == 1.0 else result, True)
        came = env.step(action)
        assert came == ((sum_hand(player), dealer[0], usable_ace(player)), *expected, False, {})
        assert [type(part) for part in came[0]] == [int] * 3 and type(came[1]) is float and type(came[2]) is bool
        assert (env.player, env.dealer) == (player, dealer)
        if came[2]:
            break


def stick(player: list[int], dealer: list[int], **kwargs: bool) -> float:
    env = BlackjackEnv(**kwargs)
    env.reset(seed=0)
    env.player, env.dealer = player, dealer
    _, reward, terminated, _, _ = env.step(STICK)
    assert terminated
    return float(reward)


@pytest.mark.parametrize(
    ("player", "dealer", "plain", "natural", "sab"),
    [
        ([1, 10], [10, 10], 1.0, 1.5, 1.0),
        ([1, 10], [10, 1], 0.0, 0.0, 0.0),
        ([1, 10], [10, 5, 6], 0.0, 0.0, 1.0),  # a natural beats another 21 under the source's rules alone
        ([10, 5, 6], [10, 1], 0.0, 0.0, 0.0),
        ([10, 10], [10, 9], 1.0, 1.0, 1.0),
        ([10, 8], [10, 9], -1.0, -1.0, -1.0),
        ([10, 8], [10, 6, 10], 1.0, 1.0, 1.0),
    ],
)
def test_rewards(player: list[int], dealer: list[int], plain: float, natural: float, sab: float) -> None:
    assert stick(player, dealer) == plain
    assert stick(player, dealer, natural=True) == natural
    assert stick(player, dealer, sab=True) == stick(player, dealer, sab=True, natural=True) == sab


def test_the_dealer_draws_to_17_and_not_beyond() -> None:
    env = BlackjackEnv()
    env.reset(seed=0)
    for first, second in combinations_with_replacement(range(1, 11), 2):
        env.dealer = [first, second]
        env.step(STICK)
        assert env.dealer is not None and sum_hand(env.dealer) >= 17
        assert all(sum_hand(env.dealer[:n]) < 17 for n in range(2, len(env.dealer)))


def test_hands_changed_in_place_act_at_the_next_step() -> None:
    env = BlackjackEnv()
    env.reset(seed=1)
    assert env.player is not None
    env.player[:] = [5]
    env.player.append(1)
    observation, *_ = env.step(STICK)
    assert (observation[0], observation[2]) == (16, 1)


@pytest.mark.parametrize("bad", [[], [11], [0], ["A"], [1] * 23])
def test_bad_hands_are_refused(bad: Any) -> None:
    env = BlackjackEnv()
    env.reset(seed=1)
    before = env.player, env.dealer
    with pytest.raises(ValueError, match="1 to 22 cards"):
        env.player = bad
    assert (env.player, env.dealer) == before


def test_a_hand_may_have_22_cards_and_going_on_is_harmless() -> None:
    env = BlackjackEnv()
    env.reset(seed=1)
    env.player = [1] * 21
    assert env.step(HIT)[1:3] == (-1.0, True) and len(env.player or []) == 22
    with pytest.warns(UserWarning, match="reset"):
        assert env.step(HIT)[1:3] == (-1.0, True)


def test_states_are_never_changed_in_place() -> None:
    dynamics, rng = Blackjack(), np.random.default_rng(0)
    state = dynamics.initial(rng, Params())
    before = state.player.tolist(), state.dealer.tolist()
    for action in (HIT, STICK) * 10:
        dynamics.transition(state, action, rng, Params())
    assert (state.player.tolist(), state.dealer.tolist()) == before


def test_reset_takes_its_arguments_by_position() -> None:
    env = BlackjackEnv()
    assert env.reset(123, {}) == env.reset(seed=123) == ((19, 1, 1), {})


def test_the_recorded_trace() -> None:
    env = BlackjackEnv(sab=True, natural=False)
    env.reset(seed=123)
    assert env.step(0) == ((19, 1, 1), -1.0, True, False, {})


def test_payments_can_be_set() -> None:
    env = BlackjackEnv()
    assert (env.natural, env.sab) == (False, False)
    env.natural = True
    env.reset(seed=0)
    env.player, env.dealer = [1, 10], [10, 10]
    assert env.step(STICK)[1] == 1.5


def test_before_the_first_reset_there_are_no_hands() -> None:
    env = BlackjackEnv()
    assert (env.player, env.dealer, env.dealer_top_card_suit, env.dealer_top_card_value_str) == (None, None, None, None)


def test_layout_constants_are_found_through_the_module() -> None:
    assert blackjack.SCREEN_SIZE == (384, 376) and blackjack.FELT_COLOR == (196, 216, 158)
    assert callable(blackjack.draw_table)


def test_each_place_of_a_hand_holds_a_card() -> None:
    cards = [1 + place % 10 for place in range(blackjack.HAND)]
    low, high = 0, 0
    for place in range(blackjack.HAND):
        low, high = blackjack._with_card(low, high, place, 10)
        low, high = blackjack._with_card(low, high, place, cards[place])
    assert blackjack._places(low, high).tolist() == cards
