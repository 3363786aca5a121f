"""The screen as a picture for a browser window: pages, sheets and tables from the state of the full screen."""
