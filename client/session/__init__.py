"""One session in this process, without a user interface: a table filled, a match played or looked on at."""
