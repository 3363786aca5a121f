"""Tests of the rule books, file by file."""
