"""Properties of every game in the catalogue."""
