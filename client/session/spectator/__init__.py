"""A session as a spectator: watch a match of others, in which we have no seat."""
