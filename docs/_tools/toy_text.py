"""Toy text: environments whose every state can be listed in a table."""

from __future__ import annotations

from docs._tools.page import Family, Page

TOY_TEXT = Family(
    "toy_text",
    "Toy text",
    "toy-text",
    "Environments so small that each state has a number, and a table of values is all that an agent needs. They can "
    "be printed as text as well as drawn, and all but Blackjack give away their transitions: `env.unwrapped.P[s][a]` "
    "is a list of `(probability, next state, reward, terminated)`, ready for planning.",
    (
        Page(
            "FrozenLake-v1",
            "Cross a frozen lake from the start to the goal without falling into a hole. The ice is slippery: one "
            "move in three goes where it was meant to, the others slip to a side. The best policy on the 4x4 map "
            "reaches the goal in about three of four episodes, and steers away from holes rather than to the goal.",
            ("left", "down", "right", "up"),
            ("the field: row * columns + column",),
            "the agent is at the goal or in a hole",
            "Q-learning learns it in seconds: [Training an agent](../../introductions/training_an_agent.md).",
            "1 for reaching the goal, 0 for anything else; `reward_schedule` has others.",
            "On the field S of the map, the upper left corner.",
            ("FrozenLake8x8-v1",),
            steps=4,
        ),
        Page(
            "CliffWalking-v1",
            "The goal is at the other end of a cliff. The shortest way is along the edge, but an agent that explores "
            "there falls now and then. It is the textbook's example of how SARSA (which learns the safe way) "
            "and Q-learning (which learns the shortest) differ.",
            ("up", "right", "down", "left"),
            ("the field: row * 12 + column",),
            "the agent is at the goal",
            start="In the lower left corner.",
            variants=("CliffWalkingSlippery-v1",),
            steps=3,
        ),
        Page(
            "Taxi-v4",
            "A taxi in a town of 5 x 5 fields with walls between some of them picks a passenger up at one of four "
            "stands and sets them down at another. Two of the six actions are useless in most states, and the info "
            "says which.",
            ("south", "north", "east", "west", "pick the passenger up", "set the passenger down"),
            ("((row * 5 + column) * 5 + passenger) * 4 + destination",),
            "the passenger has been set down at the destination",
            "[Action masking in Taxi](../../tutorials/action_masking.md) makes use of that.",
            steps=3,
        ),
        Page(
            "Blackjack-v1",
            "Take cards until the sum is close to 21, but not above; then the dealer draws. One card of the dealer "
            "is face up. The deck is infinite, so counting cards is useless.",
            ("stick: take no more cards", "hit: take a card"),
            (
                "the player's sum",
                "the dealer's face-up card; 1 is the ace",
                "1 if the player has an ace that can count 11, else 0",
            ),
            "the player sticks or has more than 21",
            "It is learned in [Q-learning on Blackjack](../../tutorials/blackjack.md).",
        ),
    ),
)
