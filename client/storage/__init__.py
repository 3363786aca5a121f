"""The files on disk: the player's home with keys, contacts, settings, logs and records."""
