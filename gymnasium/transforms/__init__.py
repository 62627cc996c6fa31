"""The computations of wrappers, as functions on values and batches of values: no environment, no own state."""
