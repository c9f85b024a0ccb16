// Output codes: distances of rows, decoding, and the least loss at which a code can be mistaken.
import { range, sum } from "./numbers.js";

/** (l - <u, v>) / 2: a zero counts for half a difference. */
export const rowDistance = (u, v) => (u.length - sum(u.map((entry, s) => entry * v[s]))) / 2;

/** The two closest rows and their distance rho. */
export function closestRows(M) {
  let best = { first: 0, second: 1, rho: Infinity };
  for (const first of range(M.length)) {
    for (let second = first + 1; second < M.length; second++) {
      const rho = rowDistance(M[first], M[second]);
      if (rho < best.rho) best = { first, second, rho };
    }
  }
  return best;
}

const LOSSES = {
  hamming: (z) => (1 - Math.sign(z)) / 2,
  hinge: (z) => Math.max(0, 1 - z),
};

/** sum_s L(M_rs f_s) for every row; the class at the smallest distance wins. */
export function decodingDistances(outputs, M, loss) {
  return M.map((row) => sum(row.map((entry, s) => LOSSES[loss](entry * outputs[s]))));
}

/** The least sum of hinge losses of row u when row v is no worse. */
export function mistakeCost(u, v) {
  const times = (holds) => range(u.length).filter((s) => holds(u[s], v[s])).length;
  const opposite = times((a, b) => a * b < 0);
  const rivalZero = times((a, b) => a && !b);
  const ownZero = times((a, b) => !a && b);
  const both = times((a, b) => !a && !b);
  return both + Math.max(opposite + (rivalZero + ownZero) / 2, rivalZero, ownZero);
}

/**
 * The largest share of mistakes that a sample can have at this average hinge loss: a mixture of the cheapest mistakes
 * of the labels and of perfect examples, two kinds at most. NaN where zeros alone cost more than the average.
 */
export function worstError(M, average) {
  const budget = average * M[0].length;
  const rivals = (y) => range(M.length).filter((r) => r !== y);
  const wrong = range(M.length).map((y) => ({
    cost: Math.min(...rivals(y).map((r) => mistakeCost(M[y], M[r]))),
    error: 1,
  }));
  // Perfect outputs that tie with a rival, and so are mistakes, cost as much as the label's cheapest mistake.
  const right = M.map((row) => ({ cost: row.filter((entry) => entry === 0).length, error: 0 }));
  const kinds = [...wrong, ...right];
  let most = NaN;
  for (const cheap of kinds.filter(({ cost }) => cost <= budget)) {
    for (const costly of kinds) {
      const share = costly.cost > budget ? (budget - cheap.cost) / (costly.cost - cheap.cost) : 1;
      const error = share * costly.error + (1 - share) * cheap.error;
      if (!(error <= most)) most = error;
    }
  }
  return most;
}

/** l eps / (rho L(0)), L(0) = 1 for the hinge, with a factor that the theorem has as 1. */
export function trainingBound(M, average, factor = 1) {
  return (factor * M[0].length * average) / closestRows(M).rho;
}

/** floor((d - 1) / 2): so many wrong signs are corrected, for codes of signs. */
export const correctionRadius = (distance) => Math.floor((distance - 1) / 2);
