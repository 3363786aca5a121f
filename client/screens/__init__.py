"""The full screen: pages as pure functions, what each shows and what its keys do. `client.terminal` puts them on a terminal."""
