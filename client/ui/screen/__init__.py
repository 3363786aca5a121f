"""The full screen: each page is a pair of pure functions, one draws it and one handles its keys.

`terminal` shows them.
"""
