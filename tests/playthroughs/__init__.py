"""Whole matches as text, one per game."""
