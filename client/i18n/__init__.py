"""The reader's language: translation, sentences that belong to no game, and the catalogues."""
