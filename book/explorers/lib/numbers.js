// Numbers that come out the same in every browser.

/** 10 to a power: 10⁻³. */
export const powerOfTen = (n) => `10${[...String(n)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;

/** A generator of numbers in [0, 1) from a seed (the 32-bit mixing of "mulberry32", which is in the public domain). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A draw from the standard normal distribution. */
export function normal(draw) {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

export const dot = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);

export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** 0, 1, .., n - 1. */
export const range = (n) => Array.from({ length: n }, (_, i) => i);

/** The places of the largest value, all of them. */
export function largest(values) {
  const most = Math.max(...values);
  return range(values.length).filter((i) => values[i] === most);
}

/** The solution of a system of linear equations, or null where it has none or many. */
export function solve(matrix, right) {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (const column of range(n)) {
    let pivot = column;
    for (let i = column + 1; i < n; i++) if (Math.abs(rows[i][column]) > Math.abs(rows[pivot][column])) pivot = i;
    if (Math.abs(rows[pivot][column]) < 1e-13) return null;
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let i = column + 1; i < n; i++) {
      const factor = rows[i][column] / rows[column][column];
      for (let j = column; j <= n; j++) rows[i][j] -= factor * rows[column][j];
    }
  }
  const solution = new Array(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    const known = range(n).reduce((total, j) => (j > i ? total + rows[i][j] * solution[j] : total), 0);
    solution[i] = (rows[i][n] - known) / rows[i][i];
  }
  return solution;
}
