"""What pages and games are drawn with: a sheet of styled characters, cards, and what styles look like."""
