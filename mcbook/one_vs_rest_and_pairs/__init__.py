"""One-vs-rest and all pairs: their errors, their calibration, their tournaments and what they cost.

``theory`` holds bounds and costs as formulas, ``laws`` the finite laws on which errors are exact, ``scores`` what the
argmax of binary scores can and cannot do, ``duels`` votes and tournaments, ``costs`` counts real work, ``joint``
trains all scores together with a certificate, ``estimator`` decides by a knock-out tournament.  The reduction itself,
for these codes as for all others, is `mcbook.output_codes.OutputCode`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
