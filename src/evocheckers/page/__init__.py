"""The page: a server for the browser, and its JSON API."""
