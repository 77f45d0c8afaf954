"""Game-tree search: two searches for compiled evaluators, and one for evaluators that are Python functions.

``exact/`` is the papers' search, to a fixed number of plies: it finds exactly the values of minimax. ``selective/`` is
the one for limits of time or nodes: it looks deeper at the moves that matter. Files beside these folders belong to
both; where a folder has a file of the same name, it holds what only that search has. ``Searcher`` runs the one that a
``Limit`` asks for. ``batched`` is the search for Python functions.
"""
