"""The program for a person: its commands, matches, files, languages and screens."""
