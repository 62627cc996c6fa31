"""The parts of the car race: its `track`."""
