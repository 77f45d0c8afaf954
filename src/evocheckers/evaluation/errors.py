"""Errors in evaluators."""

from evocheckers.errors import EvocheckersError


class EvaluatorError(EvocheckersError):
    """Invalid settings of an evaluator, or a function that does not value positions."""
