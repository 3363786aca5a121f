"""Truco: its words and its screen."""
