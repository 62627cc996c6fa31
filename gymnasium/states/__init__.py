"""States of environments, layer by layer, as plain data."""
