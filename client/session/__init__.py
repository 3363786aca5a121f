"""One session in this process, without a user interface: fill a table, then play or watch."""
