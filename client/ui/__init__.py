"""The user interface: the match as a model, printed line by line or drawn on the full screen."""
