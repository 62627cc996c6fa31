"""The API's home for unsettled names; import `gymnasium.experimental.functional` by name."""
