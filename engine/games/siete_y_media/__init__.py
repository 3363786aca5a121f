"""Siete y media."""
