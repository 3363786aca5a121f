"""The user interface: the match as a model, drawn line by line or on the full screen."""
