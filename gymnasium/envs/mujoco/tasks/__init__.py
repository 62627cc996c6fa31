"""What the robots are asked to do: pure functions from readings of a simulation to observation, reward and end."""
