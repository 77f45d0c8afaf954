"""The root of every error that bad input can raise; each layer adds its own below.

ValueError
└── EvocheckersError
    ├── RulesError (rules/errors.py)
    ├── NetworkError, EvaluatorError (evaluation/)
    ├── SearchError (search/searcher.py)
    └── PairingError (games/batch.py)
"""


class EvocheckersError(ValueError):
    """Bad input; the message is one clear line."""
