"""The claims of the book, one module for each chapter, and what is needed to write and try them."""

from mcbook.claims.spine.claim import Claim, claims, find_claim
from mcbook.claims.spine.coverage import coverage, discrepancies
from mcbook.claims.spine.evidence import Evidence, at_least, at_most, covered, equal, holds, less_than, proved
from mcbook.claims.spine.proof_trace import ProofTrace, trace
from mcbook.claims.spine.trial import Trial, verify

__all__ = [
    "Claim",
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
    "less_than",
    "proved",
    "trace",
    "verify",
]
