// Numbers that come out the same in every browser.

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

export const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** The places of the largest value, all of them. */
export function largest(values) {
  const most = Math.max(...values);
  return values.map((value, i) => (value === most ? i : -1)).filter((i) => i >= 0);
}
