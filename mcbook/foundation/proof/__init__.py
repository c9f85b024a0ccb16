"""How strongly a thing can be known: one module for each instrument, and the numbers they hand over.

Best first: ``rigorous`` (true for every input), ``exact`` (rational arithmetic or full enumeration), ``certified``
(an optimum with a dual certificate that is checked here), ``statistical`` (an exact binomial test with a stated
false-alarm rate), ``sampled`` (plain floating point on some instances).
"""

from mcbook.foundation.proof.known import Known, Tier, Verdict, known

__all__ = ["Known", "Tier", "Verdict", "known"]
