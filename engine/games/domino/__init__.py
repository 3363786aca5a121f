"""Latin American dominoes."""
