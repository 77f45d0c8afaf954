"""Looking ahead: one alpha-beta for every evaluator."""
