"""The claims of the chapter on margin losses."""

from mcbook.claims.losses import catalogue, condition, margin

__all__ = ["catalogue", "condition", "margin"]
