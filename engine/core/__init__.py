"""The parts of every game: cards, moves, requests, a match in progress, and the view of a seat."""
