"""What must hold of every game in the catalogue."""
