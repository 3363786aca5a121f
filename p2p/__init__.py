"""Between peers: the table (sans I/O) and the street (links and discovery)."""
