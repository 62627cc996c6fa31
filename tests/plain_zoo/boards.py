"""Games against an opponent, and games of cards, as their authors wrote them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

import gymnasium as gym
from gymnasium import spaces


class TicTacToeEnv(gym.Env):
    """Noughts and crosses against a random opponent; the board is a list of numbers."""

    metadata: ClassVar[dict] = {"render_modes": ["ansi"]}
    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(9)
        self.observation_space = spaces.Box(-1, 1, (9,), dtype=np.int8)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.board = [0] * 9
        if options is not None and options.get("opponent_starts", False):
            self.board[4] = -1
        return self._obs(), {"action_mask": self._mask()}

    def _obs(self):
        return np.array(self.board, dtype=np.int8)

    def _mask(self):
        return np.array([cell == 0 for cell in self.board], dtype=np.int8)

    def _winner(self):
        for a, b, c in self.LINES:
            if self.board[a] != 0 and self.board[a] == self.board[b] == self.board[c]:
                return self.board[a]
        return 0

    def _full(self):
        return all(cell != 0 for cell in self.board)

    def step(self, action):
        if self.board[action] != 0:
            return self._obs(), -10.0, True, False, {"action_mask": self._mask()}
        self.board[action] = 1
        if self._winner() == 1:
            return self._obs(), 1.0, True, False, {"action_mask": self._mask()}
        if self._full():
            return self._obs(), 0.0, True, False, {"action_mask": self._mask()}
        while True:
            reply = self.np_random.integers(9)
            if self.board[reply] == 0:
                break
        self.board[reply] = -1
        lost = self._winner() == -1
        return self._obs(), -1.0 if lost else 0.0, lost or self._full(), False, {"action_mask": self._mask()}

    def render(self):
        return "\n".join("".join("O.X"[cell + 1] for cell in self.board[i : i + 3]) for i in (0, 3, 6))


class ConnectFourEnv(gym.Env):
    """Six by seven, slices and sums; the opponent plays at random."""

    ROWS, COLS = 6, 7

    def __init__(self):
        self.action_space = spaces.Discrete(self.COLS)
        self.observation_space = spaces.Dict(
            board=spaces.Box(-1, 1, (self.ROWS, self.COLS), np.int8), heights=spaces.MultiDiscrete([7] * 7)
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.board = np.zeros((self.ROWS, self.COLS), np.int8)
        self.heights = np.zeros(self.COLS, np.int64)
        return self._observe(), {}

    def _observe(self):
        return {"board": self.board.copy(), "heights": self.heights.copy()}

    def _drop(self, column, player):
        row = self.heights[column]
        self.board[row, column] = player
        self.heights[column] += 1
        return self._wins(row, column, player)

    def _wins(self, row, column, player):
        for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
            length = 1
            for sign in (1, -1):
                r, c = row + sign * dr, column + sign * dc
                while 0 <= r < self.ROWS and 0 <= c < self.COLS and self.board[r, c] == player:
                    length += 1
                    r += sign * dr
                    c += sign * dc
            if length >= 4:
                return True
        return False

    def step(self, action):
        if self.heights[action] >= self.ROWS:
            return self._observe(), -1.0, True, False, {"illegal": True}
        if self._drop(action, 1):
            return self._observe(), 1.0, True, False, {"illegal": False}
        open_columns = np.flatnonzero(self.heights < self.ROWS)
        if open_columns.size == 0:
            return self._observe(), 0.0, True, False, {"illegal": False}
        reply = self.np_random.choice(open_columns)
        lost = self._drop(reply, -1)
        return self._observe(), -1.0 if lost else 0.0, lost, False, {"illegal": False}


class NimEnv(gym.Env):
    """Heaps of matches; the opponent plays the nim-sum with some probability."""

    def __init__(self, skill=0.5):
        self.skill = skill
        self.start = (3, 4, 5)
        self.action_space = spaces.MultiDiscrete([3, 5], start=[0, 1])
        self.observation_space = spaces.Box(0, 5, (3,), np.int64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.heaps = np.array(self.start)
        self.turns = 0
        return self.heaps.copy(), {"nim_sum": self.nim_sum()}

    def nim_sum(self):
        total = 0
        for h in self.heaps:
            total ^= int(h)
        return total

    def reply(self):
        x = self.nim_sum()
        if x != 0 and self.np_random.random() < self.skill:
            for i in range(3):
                if (int(self.heaps[i]) ^ x) < self.heaps[i]:
                    self.heaps[i] = int(self.heaps[i]) ^ x
                    return
        i = self.np_random.integers(3)
        while self.heaps[i] == 0:
            i = (i + 1) % 3
        self.heaps[i] -= self.np_random.integers(1, self.heaps[i] + 1)

    def step(self, action):
        heap, matches = int(action[0]), int(action[1])
        self.turns += 1
        info = {"nim_sum": self.nim_sum(), "turn": self.turns}
        if matches > self.heaps[heap]:
            return self.heaps.copy(), -0.1, False, self.turns > 50, info
        self.heaps[heap] -= matches
        if self.heaps.sum() == 0:
            return self.heaps.copy(), 1.0, True, False, info
        self.reply()
        lost = bool(self.heaps.sum() == 0)
        return self.heaps.copy(), -1.0 * lost, lost, False, info


class TwentyOneEnv(gym.Env):
    """Draw or stand against a dealer, from a deck without end."""

    DECK = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]

    def __init__(self, natural: bool = False):
        self.natural = natural
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Tuple((spaces.Discrete(32), spaces.Discrete(11), spaces.Discrete(2)))

    def _draw(self):
        return int(self.np_random.choice(self.DECK))

    @staticmethod
    def _score(total, aces):
        return total + 10 if aces > 0 and total + 10 <= 21 else total

    def _obs(self):
        usable = int(self.aces > 0 and self.total + 10 <= 21)
        return (min(self._score(self.total, self.aces), 31), self.dealer_card, usable)

    def _hit(self):
        card = self._draw()
        self.total += card
        self.aces += card == 1

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.total, self.aces = 0, 0
        self._hit()
        self._hit()
        self.dealer_card = self._draw()
        return self._obs(), {}

    def step(self, action):
        assert self.action_space.contains(action)
        if action == 1:
            self._hit()
            bust = self.total > 21
            return self._obs(), -1.0 if bust else 0.0, bust, False, {}
        total, aces = self.dealer_card, int(self.dealer_card == 1)
        while self._score(total, aces) < 17:
            card = self._draw()
            total += card
            if card == 1:
                aces += 1
        mine, theirs = self._score(self.total, self.aces), self._score(total, aces)
        if theirs > 21 or mine > theirs:
            reward = 1.5 if self.natural and mine == 21 else 1.0
        elif mine == theirs:
            reward = 0.0
        else:
            reward = -1.0
        return self._obs(), reward, True, False, {}


class HigherLowerEnv(gym.Env):
    """A shuffled deck of 52 and a pointer into it."""

    def __init__(self):
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Dict({"card": spaces.Discrete(13), "seen": spaces.Box(0, 4, (13,), np.uint8)})
        self.deck = np.repeat(np.arange(13), 4)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.order = np.arange(52)
        self.np_random.shuffle(self.order)
        self.top = 0
        self.seen = np.zeros(13, dtype=np.uint8)
        return self._reveal(), {"left": 51}

    def _reveal(self):
        self.card = int(self.deck[self.order[self.top]])
        self.seen[self.card] += 1
        return {"card": self.card, "seen": np.copy(self.seen)}

    def step(self, action):
        before = self.card
        self.top += 1
        observation = self._reveal()
        right = self.card > before if action else self.card < before
        left = 51 - self.top
        return observation, float(right) - 0.5, not right and self.card != before, left == 0, {"left": left}


class WarEnv(gym.Env):
    """Play one of five cards in hand against the next of the opponent's."""

    def __init__(self, hand_size=5):
        self.hand_size = hand_size
        self.action_space = spaces.Discrete(hand_size)
        self.observation_space = spaces.Box(0, 13, (hand_size + 1,), np.float32)

    def _get_obs(self):
        return np.concatenate([self.hand, [self.facing]]).astype(np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        cards = self.np_random.permutation(np.arange(26)) % 13 + 1
        self.hand = cards[: self.hand_size]
        self.theirs = cards[self.hand_size : 2 * self.hand_size]
        self.round = 0
        self.facing = self.theirs[0]
        return self._get_obs(), {}

    def step(self, action):
        card = self.hand[action]
        if card == 0:
            return self._get_obs(), -2.0, True, False, {"margin": 0}
        self.hand[action] = 0
        margin = int(card) - int(self.facing)
        self.round += 1
        done = self.round == self.hand_size
        self.facing = 0 if done else self.theirs[self.round]
        return self._get_obs(), float(np.sign(margin)), done, False, {"margin": margin}


class PairsEnv(gym.Env):
    """Turn two cards; keep pairs. Ends by a property."""

    def __init__(self, pairs=4):
        self.pairs = pairs
        self.action_space = spaces.MultiDiscrete([2 * pairs, 2 * pairs])
        self.observation_space = spaces.Box(-1, pairs, (2 * pairs,), np.int16)

    @property
    def done(self):
        return bool(np.all(self.found))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.cards = np.array(list(range(self.pairs)) * 2)
        self.np_random.shuffle(self.cards)
        self.found = np.zeros(2 * self.pairs, dtype=bool)
        return np.full(2 * self.pairs, -1, np.int16), {}

    def step(self, action):
        i, j = action
        shown = np.where(self.found, self.cards, -1).astype(np.int16)
        shown[i] = self.cards[i]
        shown[j] = self.cards[j]
        reward = -0.05
        if i != j and self.cards[i] == self.cards[j] and not self.found[i]:
            self.found[[i, j]] = True
            reward = 1.0
        return shown, reward, self.done, False, {"found": self.found.copy(), "share": self.found.mean()}
