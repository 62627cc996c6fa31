"""The parts of the lunar lander: its `world`, and its `motors` and senses."""
