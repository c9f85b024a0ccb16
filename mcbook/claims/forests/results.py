"""The claims of the chapter on forests."""

from __future__ import annotations

# One claim for each entry of ledger.toml beside this file, a few lines each; mcbook/claims/perceptron shows how.
