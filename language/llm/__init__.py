"""A language model that helps to understand: optional, off by default, and never trusted.

About an utterance it is asked for two things only: which stretches of it ask for which goals of the catalog, and which
of the words said are the arguments. About a task it is asked for splits where nothing else found a way, and for a
judgement of criteria that say so. What comes back is checked like anything that comes from outside: goals must be the
catalog's, words must have been said, and values are read from these words by the kinds of the facts, as always. So
nothing that a model (or an author of what it reads) makes up can get further than its own answer.
"""
