"""Peer-to-peer play: the table (sans-I/O) and the network (links and discovery)."""
