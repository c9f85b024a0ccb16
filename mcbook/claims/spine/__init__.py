"""The spine: claims, their trials, the record, and what the pages say.

Read in this order: ``evidence`` (one comparison and its verdict), ``claim`` (what belongs to a claim), ``calls``
(which functions a part runs) and ``trial`` (running the parts, and the verdict); ``book`` and ``page_code`` (what the
pages state and use), ``formulas`` (whether a printed equation agrees with its function) and ``coverage`` (what is
missing); ``fingerprint`` and ``record`` (what was found, and whether it has changed).  ``report`` and ``proof_trace``
write what a page shows, ``uses`` and ``glossary`` find what a page refers to, and ``session`` saves a run of the suite
from trying a claim twice.
"""
