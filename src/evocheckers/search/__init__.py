"""Game-tree search: one alpha-beta for every evaluator."""
