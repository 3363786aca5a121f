"""The time for which a test waits."""

PATIENCE = 270.0
"""Seconds that anything may take; other work shares the machine."""
