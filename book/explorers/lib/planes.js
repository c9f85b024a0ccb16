// Regions of the plane: polygons cut by half-planes, so that borders are lines and not steps of pixels.
import { range } from "./numbers.js";

/** The corners of the rectangle x, y. */
export const rectangle = ([left, right], [low, high]) => [
  [left, low],
  [right, low],
  [right, high],
  [left, high],
];

/** The part of a convex polygon where a x + b y + c >= 0; no corners where nothing is left. */
export function cut(polygon, [a, b, c]) {
  const height = ([x, y]) => a * x + b * y + c;
  const kept = [];
  for (const i of range(polygon.length)) {
    const here = polygon[i];
    const next = polygon[(i + 1) % polygon.length];
    const [from, to] = [height(here), height(next)];
    if (from >= 0) kept.push(here);
    if (from >= 0 !== to >= 0) {
      const t = from / (from - to);
      kept.push([here[0] + t * (next[0] - here[0]), here[1] + t * (next[1] - here[1])]);
    }
  }
  return kept.length > 2 ? kept : [];
}

/** Where the score of each row (a, b, c), a x + b y + c, is the largest: one polygon for each row. */
export function regions(rows, polygon) {
  return rows.map((row, own) =>
    rows.reduce((left, other, i) => {
      const ahead = row.map((value, part) => value - other[part]);
      // Of equal rows the first one has the region.
      const behind = i < own && ahead.every((value) => value === 0);
      return i === own ? left : behind ? [] : cut(left, ahead);
    }, polygon),
  );
}

/** The area of a polygon. */
export function area(polygon) {
  const twice = range(polygon.length).reduce((total, i) => {
    const [[x, y], [u, v]] = [polygon[i], polygon[(i + 1) % polygon.length]];
    return total + x * v - u * y;
  }, 0);
  return Math.abs(twice) / 2;
}
