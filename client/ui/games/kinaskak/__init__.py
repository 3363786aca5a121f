"""Kínaskák: its words and its screen."""
