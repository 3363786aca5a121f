"""The computer players as they were on 22 November 2026: the measure for their successors. Not shipped, not to be changed."""
