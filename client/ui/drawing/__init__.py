"""Drawing for pages and games: a sheet of styled characters, cards, and styles."""
