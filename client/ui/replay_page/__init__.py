"""A match as one page that works offline: made from its log, and compared with it again."""
