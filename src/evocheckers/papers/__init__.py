"""Every table, figure and match of the papers, rebuilt next to our own results, and the questions that they leave open.

A folder holds the reproductions of one paper, or of the papers by the same authors. A reproduction is a function that
gets a ``Laboratory`` and returns a ``Report`` of facts, tables and figures; the report's text is the Markdown template
of the reproduction's name beside it. ``catalogue`` lists them all.
"""
