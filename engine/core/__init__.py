"""The common parts of all games: cards, moves, requests, a match in progress, and a seat's view."""
