"""Escoba de quince."""
