"""The root of every error that bad input can raise; each layer adds its own below.

ValueError
└── EvocheckersError
    ├── RulesError (rules/errors.py)
    ├── EndgameError (endgames/errors.py)
    ├── NetworkError, EvaluatorError (evaluation/)
    ├── SearchError (search/searcher.py)
    ├── PlayerError, PlayerFailure (players/)
    ├── PairingError (games/batch.py)
    ├── HubError, EngineFailure (hub/)
    ├── LearningError (learning/errors.py)
    ├── ConfigError, SchemeError (evolution/)
    └── RunError, FolderError, ExportError, TensorBoardError (runs/)
"""


class EvocheckersError(ValueError):
    """Bad input; the message is one clear line."""
