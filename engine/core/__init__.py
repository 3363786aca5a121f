"""What every game is made of: cards, moves, requests, a match in progress, and the view of a seat."""
