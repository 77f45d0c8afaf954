"""The root of every error that bad input can raise; each layer adds its own below.

ValueError
└── EvocheckersError
    ├── RulesError (rules/errors.py)
    ├── EndgameError (endgames/errors.py)
    ├── NetworkError, EvaluatorError (evaluation/)
    ├── SearchError (search/searcher.py)
    ├── PlayerError, HubError, EngineFailure (players/)
    ├── PairingError (games/batch.py)
    └── ConfigError, RunError (experiments/)
"""


class EvocheckersError(ValueError):
    """Bad input; the message is one clear line."""
