"""Kínaskák."""
