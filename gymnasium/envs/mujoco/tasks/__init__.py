"""The tasks of the robots: pure functions from readings of a simulation to observation, reward and end."""
