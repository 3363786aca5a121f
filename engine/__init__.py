"""The rules of the games: coroutines that await the table; no I/O, no cryptography.

Worth importing alone. A match with open cards, here two seats played by the computer:

    from random import randrange
    from engine.bots import bot_for
    from engine.games import new_game
    from engine.open_deck import OpenDeck, shuffled

    play = OpenDeck(new_game("escoba", 2), shuffled(randrange))
    while play.turn:
        seat = play.turn[0]
        play.act(seat, bot_for("escoba")(play.view(seat), randrange))
    print(play.game.score, play.game.winners)
"""
