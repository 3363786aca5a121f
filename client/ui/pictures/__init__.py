"""The screen as a picture for a browser window, made from the state of the full screen.

It covers pages, sheets and tables.
"""
