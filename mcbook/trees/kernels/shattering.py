"""Whether trees with few axis-parallel questions label points of the plane in every way.

Points have distinct coordinates, so only their order counts: from left to right they are 0 .. m - 1, and ``heights``
are their ranks upwards.  A set of points, and a labelling, is an integer by its bits.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def halves(heights, points, found):
    """The parts of a set on the first side of each question that divides it; returns how many there are."""
    n, m = 0, len(heights)
    for axis in range(2):
        for cut in range(1, m):
            part = 0
            for i in range(m):
                if (points >> i) & 1 and (i if axis == 0 else heights[i]) < cut:
                    part |= 1 << i
            if part not in (0, points) and (n == 0 or found[n - 1] != part):
                found[n] = part
                n += 1
    return n


@njit(cache=True)
def labellings(heights, points, n_questions, found, seen):
    """The labellings of a set by trees with at most so many questions (up to 2); returns how many there are."""
    n = 0
    seen[:] = False
    parts, few = np.empty(2 * len(heights), np.int64), np.empty(2 * len(heights), np.int64)
    for whole in (0, points):
        if not seen[whole]:
            seen[whole] = True
            found[n] = whole
            n += 1
    if n_questions == 0:
        return n
    for p in range(halves(heights, points, parts)):
        for part in (parts[p], points & ~parts[p]):
            # The other side has one label; this one has one, or a question of its own.
            n_few = halves(heights, part, few) if n_questions == 2 else 0
            few[n_few] = part
            for f in range(n_few + 1):
                for labelling in (few[f], part & ~few[f]):
                    for other in (0, points & ~part):
                        if not seen[labelling | other]:
                            seen[labelling | other] = True
                            found[n] = labelling | other
                            n += 1
    return n


@njit("boolean(int64[::1], int64)", cache=True)
def shattered(heights, n_questions):
    """Whether trees with at most ``n_questions`` questions (1, 2 or 3) give the points every labelling."""
    m = len(heights)
    size = 1 << m
    seen, mark = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    first, second, parts = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(2 * m, np.int64)
    points = size - 1
    count = labellings(heights, points, min(n_questions, 2), first, mark)
    if n_questions < 3:
        return count == size
    for labelling in range(size):
        seen[labelling] = mark[labelling]
    for p in range(halves(heights, points, parts)):
        for on_left in range(3):
            n_first = labellings(heights, parts[p], on_left, first, mark)
            n_second = labellings(heights, points & ~parts[p], 2 - on_left, second, mark)
            for a in range(n_first):
                for b in range(n_second):
                    if not seen[first[a] | second[b]]:
                        seen[first[a] | second[b]] = True
                        count += 1
    return count == size
