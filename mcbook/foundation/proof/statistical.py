"""The statistical tier: exact binomial judgements on 'with probability at least 1 - delta'."""

from __future__ import annotations

from dataclasses import dataclass

from mcbook.foundation.proof.known import Verdict

# How often a true statement may be turned away by bad luck, over all seeds.  The shipped seeds are fixed, so on them
# the verdict never changes; a sweep over other seeds meets this rate.
FALSE_ALARM = 1e-4


@dataclass(frozen=True)
class Coverage:
    """How often a statement that may fail with probability ``delta`` failed in independent trials."""

    n_failures: int
    n_trials: int
    delta: float
    false_alarm: float = FALSE_ALARM

    def __post_init__(self) -> None:
        if not 0 <= self.n_failures <= self.n_trials or self.n_trials < 1:
            raise ValueError(f"expected 0 <= failures <= trials, trials >= 1; got {self.n_failures} of {self.n_trials}")
        for name, value in (("delta", self.delta), ("false_alarm", self.false_alarm)):
            if not 0 < value < 1:
                raise ValueError(f"expected 0 < {name} < 1, got {value}")

    @property
    def p_value(self) -> float:
        """The largest probability, over all failure rates allowed, of seeing at least this many failures."""
        from scipy.stats import binom

        return float(binom.sf(self.n_failures - 1, self.n_trials, self.delta))

    @property
    def verdict(self) -> Verdict:
        """Refuted when so many failures would come with a rate of at most delta less often than the false-alarm rate.

        'Holds' asks for more than not being refuted: the exact upper confidence limit of the failure rate, at level
        1 - false_alarm, must not exceed delta.  Between the two the trials decide nothing: more are needed.
        """
        if self.p_value < self.false_alarm:
            return Verdict.REFUTED
        if clopper_pearson(self.n_failures, self.n_trials, 1 - self.false_alarm)[1] <= self.delta:
            return Verdict.HOLDS
        return Verdict.UNDECIDED


def clopper_pearson(n_successes: int, n_trials: int, confidence: float) -> tuple[float, float]:
    """One-sided exact confidence limits, each at the given level, of a binomial proportion."""
    from scipy.stats import beta

    tail = 1 - confidence
    lower = 0.0 if n_successes == 0 else float(beta.ppf(tail, n_successes, n_trials - n_successes + 1))
    upper = 1.0 if n_successes == n_trials else float(beta.ppf(1 - tail, n_successes + 1, n_trials - n_successes))
    return lower, upper
