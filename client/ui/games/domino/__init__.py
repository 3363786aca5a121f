"""Dominoes: its words and its screen."""
