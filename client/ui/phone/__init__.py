"""Visitors on phones: programs of this machine whose screen is the page of a phone."""
