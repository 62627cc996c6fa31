"""What wrappers do, as functions on values and batches of values: no environment, no state of their own."""
