// The multi-class Perceptron, its mistake bound, and the best margin of a sample.
import { dot, range, solve, sum } from "./numbers.js";

/** Weights 0, before the first example. */
export function beginning(classes, features) {
  return { W: range(classes).map(() => new Array(features).fill(0)), at: 0, clean: 0, updates: [] };
}

/** The class other than the label with the largest score; among equals the smallest. */
export function strongestRival(W, x, label) {
  let rival = label === 0 ? 1 : 0;
  for (const z of range(W.length)) if (z !== label && dot(W[z], x) > dot(W[rival], x)) rival = z;
  return rival;
}

/** The state after the next update, a tie being a mistake; unchanged once a whole pass made none. */
export function nextUpdate(state, X, y) {
  let { at, clean } = state;
  for (; clean < X.length; at = (at + 1) % X.length, clean++) {
    const rival = strongestRival(state.W, X[at], y[at]);
    if (dot(state.W[y[at]], X[at]) > dot(state.W[rival], X[at])) continue;
    const W = state.W.map((row, z) => {
      const sign = (z === y[at] ? 1 : 0) - (z === rival ? 1 : 0);
      return row.map((value, j) => value + sign * X[at][j]);
    });
    return { W, at: (at + 1) % X.length, clean: 0, updates: [...state.updates, [at, rival]] };
  }
  return { ...state, at, clean };
}

/** The whole run, or its first `most` updates. */
export function wholeRun(X, y, classes, most = 2000) {
  let state = beginning(classes, X[0].length);
  while (state.clean < X.length && state.updates.length < most) state = nextUpdate(state, X, y);
  return state;
}

export const squaredRadius = (X) => Math.max(...X.map((x) => dot(x, x)));

/** min over z != y of (w_y - w_z) . x, for each example. */
export function gaps(W, X, y) {
  return X.map((x, i) => dot(W[y[i]], x) - dot(W[strongestRival(W, x, y[i])], x));
}

/** gap / sqrt(2 |W|^2), for each example. */
export function margins(W, X, y) {
  const length = Math.sqrt(2 * sum(W.map((row) => dot(row, row))));
  return gaps(W, X, y).map((gap) => gap / length);
}

/** +x in block y, -x in block z, for every z != y. */
export function keslerVectors(X, y, classes) {
  return X.flatMap((x, i) =>
    range(classes)
      .filter((z) => z !== y[i])
      .map((z) => range(classes).flatMap((block) => x.map((value) => value * ((block === y[i]) - (block === z))))),
  );
}

/**
 * The point of the convex hull of some vectors that is nearest to 0, by Wolfe's method, which is finite: the nearest
 * point of a few of them, with one more as long as one is nearer, and without those whose weight is not positive.
 * `upper` is its length and `lower` a bound below the length of every point of the hull.
 */
export function nearestPoint(points) {
  const size = Math.max(...points.map((p) => dot(p, p)));
  let chosen = [
    range(points.length).reduce(
      (best, i) => (dot(points[i], points[i]) < dot(points[best], points[best]) ? i : best),
      0,
    ),
  ];
  let weights = [1];
  const mean = () => points[0].map((_, j) => sum(chosen.map((i, place) => weights[place] * points[i][j])));
  let x = mean();
  for (let round = 0; round < 500; round++) {
    const products = points.map((p) => dot(p, x));
    const next = products.indexOf(Math.min(...products));
    if (dot(x, x) - products[next] <= 1e-14 * size || chosen.includes(next)) break;
    [chosen, weights] = [
      [...chosen, next],
      [...weights, 0],
    ];
    for (;;) {
      const affine = nearestOfAffineHull(chosen.map((i) => points[i]));
      if (affine === null) {
        [chosen, weights] = [chosen.slice(0, -1), weights.slice(0, -1)];
        break;
      }
      const negative = range(chosen.length).filter((i) => affine[i] <= 1e-13);
      const step = Math.min(1, ...negative.map((i) => weights[i] / Math.max(weights[i] - affine[i], 1e-300)));
      weights = weights.map((weight, i) => weight + step * (affine[i] - weight));
      if (!negative.length) break;
      const left = range(chosen.length).filter((i) => weights[i] > 1e-13);
      if (left.length === chosen.length) break;
      [chosen, weights] = [left.map((i) => chosen[i]), left.map((i) => weights[i])];
    }
    x = mean();
  }
  const upper = Math.sqrt(dot(x, x));
  return { x, upper, lower: upper ? Math.min(...points.map((p) => dot(p, x))) / upper : 0 };
}

/** The weights, of sum 1, with which vectors make the point of their affine hull that is nearest to 0. */
function nearestOfAffineHull(vectors) {
  const n = vectors.length;
  const scale = Math.max(...vectors.map((v) => dot(v, v)));
  const matrix = vectors.map((v) => [...vectors.map((u) => dot(u, v) / scale), 1]);
  const solution = solve([...matrix, [...new Array(n).fill(1), 0]], [...new Array(n).fill(0), 1]);
  return solution === null ? null : solution.slice(0, n);
}

/** The best margin between two bounds, the lower one attained by `W`; 0 for a sample that cannot be separated. */
export function bestMargin(X, y, classes) {
  const { x, lower, upper } = nearestPoint(keslerVectors(X, y, classes));
  const separable = lower > 1e-9 * Math.sqrt(squaredRadius(X));
  const W = range(classes).map((z) => x.slice(z * X[0].length, (z + 1) * X[0].length));
  return { lower: separable ? lower / Math.SQRT2 : 0, upper: separable ? upper / Math.SQRT2 : 0, W, separable };
}

/** R^2 / gamma^2: at least the number of updates on any sample that has the margin gamma. */
export function mistakeBound(X, y, classes) {
  const { lower } = bestMargin(X, y, classes);
  return lower ? squaredRadius(X) / lower ** 2 : Infinity;
}

/** The sample that attains the bound, 2 (k - 1) updates: p_j = k e_j and q_j = p_j - 2 (e_1 + ..) + 2 e_0. */
export function tightSample(classes) {
  const k = classes;
  const p = range(k - 1).map((j) => range(k).map((i) => (i === j ? k : 0)));
  const q = p.map((point) => point.map((value, i) => (i < k - 1 ? value - 2 : value + 2)));
  const y = range(k - 1).map((j) => j + 1);
  return { X: [...p, ...q], y: [...y, ...y] };
}
