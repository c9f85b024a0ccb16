"""The claims of the book, one module for each chapter, and what is needed to write and try them."""

from mcbook.claims.core.claim import Claim, claims, find_claim
from mcbook.claims.core.coverage import coverage, discrepancies
from mcbook.claims.core.evidence import Evidence, at_least, at_most, covered, equal, holds, less_than, proved
from mcbook.claims.core.ledger import Entry, ledger
from mcbook.claims.core.trial import ProofTrace, Trial, trace, verify

__all__ = [
    "Claim",
    "Entry",
    "Evidence",
    "ProofTrace",
    "Trial",
    "at_least",
    "at_most",
    "claims",
    "coverage",
    "covered",
    "discrepancies",
    "equal",
    "find_claim",
    "holds",
    "ledger",
    "less_than",
    "proved",
    "trace",
    "verify",
]
