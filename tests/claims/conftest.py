"""Claims that are made for a test and forgotten after it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from claims_helpers import HALF, bound

from mcbook.claims import Claim, at_most, equal
from mcbook.foundation.proof import Tier


@pytest.fixture
def make_claim(monkeypatch):
    """A whole claim on an upper bound that is a lemma, or on what the options make of it."""
    monkeypatch.setattr("mcbook.claims.spine.claim.REGISTRY", {})

    def make(tier=Tier.EXACT, kind="upper bound", label="lem-test", implements=bound, **options):
        claim = Claim(label, kind, tier.word, source="nobody2000", implements=implements, **options)
        claim.check("one third is at most one half")(lambda rng: [at_most("x", Fraction(1, 3), bound(HALF))])
        claim.extremal("one half")(lambda: [equal("x", HALF, bound(HALF), statement=True)])
        claim.control("one half less a bit")(lambda: [at_most("x", bound(HALF), Fraction(49, 100))])
        return claim

    return make
