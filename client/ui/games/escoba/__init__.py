"""Escoba: its words and its screen."""
