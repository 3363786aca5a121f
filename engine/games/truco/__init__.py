"""Truco."""
