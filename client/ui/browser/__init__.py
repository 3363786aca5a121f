"""The session in a browser window: a server on this machine only, its page, and the way in."""
