"""The street: links, discovery, framing; moves bytes, knows no game."""
