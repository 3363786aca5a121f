"""Hostile bytes for everything that reads bytes from outside. See docs/fuzzing.md."""
