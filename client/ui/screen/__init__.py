"""The full screen: pages as pure functions, what each shows and what its keys do. `terminal` puts them on a terminal."""
