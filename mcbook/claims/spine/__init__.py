"""The spine: the ledger of results, claims, their trials, and the coverage of the one by the other.

Read in this order: ``ledger`` (what is to be shown), ``evidence`` (one comparison and its verdict), ``claim`` (what
belongs to a claim), ``trial`` (how it is judged), ``book`` and ``coverage`` (whether the book keeps step).  What the
pages print is compared with what is on trial in ``formulas``.
"""
