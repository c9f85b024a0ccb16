"""The spine: claims, their trials, the record, and what the pages say.

Read in this order: ``entries`` (what is to be shown), ``evidence`` (one comparison and its verdict), ``claim`` (what
belongs to a claim), ``calls``, ``arguments`` and ``trial`` (how it is judged), ``book``, ``page_code`` and ``coverage``
(whether the book keeps step), ``fingerprint`` and ``record`` (what was found, and that it stays so).  ``session`` saves
a run of the suite from trying a claim twice.  What the pages print is compared with what is on trial in ``formulas``.
"""
