"""L. Horgan, *Over the Hill: An Evolutionary Approach to Checkers*."""
