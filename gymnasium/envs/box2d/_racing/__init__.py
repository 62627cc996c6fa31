"""The parts of the car race: its `track`, and the `trial` of machine code. The car is in `car_dynamics`."""
