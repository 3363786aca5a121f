"""Siete y media: its words and its screen."""
