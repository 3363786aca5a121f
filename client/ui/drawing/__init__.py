"""Drawing tools for pages and games: a canvas of styled characters, cards, and styles."""
