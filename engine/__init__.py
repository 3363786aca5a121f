"""The rules of the games: coroutines that await the table; no I/O, no cryptography.

It can be imported alone. A match with open cards between two computer players:

>>> from random import randrange
>>> from engine.bots import bot_for
>>> from engine.core.open_deck import OpenDeck, shuffled
>>> from engine.games import new_game

>>> play = OpenDeck(new_game("truco", 2), shuffled(randrange))
>>> while play.turn:
...     seat = play.turn[0]
...     play.act(seat, bot_for("truco")(play.view(seat), randrange))
>>> play.game.winners in [(0,), (1,)]
True
"""
