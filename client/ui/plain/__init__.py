"""The plain interface: one event a line."""
