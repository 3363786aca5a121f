"""The program that a person runs: its commands, matches, files, languages and screens."""
