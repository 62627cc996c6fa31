"""Where the API keeps names that it has not settled; `gymnasium.experimental.functional` has to be imported by name."""
