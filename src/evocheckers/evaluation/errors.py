"""What can be wrong with an evaluator."""

from evocheckers.errors import EvocheckersError


class EvaluatorError(EvocheckersError):
    """Settings that make no evaluator, or a function that does not value positions."""
