"""A model checker for view changes: the real `Membership` with a stand-in chain, driven through
every order of events.

`python -m tests.model --members 4 --liar --states 1000000`
"""
