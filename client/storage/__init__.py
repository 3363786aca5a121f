"""Files of a player: the home with keys, contacts, settings, logs and records."""
