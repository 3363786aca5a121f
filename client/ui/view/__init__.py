"""Views: the contents of a page of a browser window, without coordinates, from the screen state."""
