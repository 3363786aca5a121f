"""Whole matches between real tables, with no network, disk, clock or task: a seed makes the
weather, and all is checked."""
