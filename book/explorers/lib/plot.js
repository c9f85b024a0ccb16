// Pictures in SVG: scales, axes, curves, and points that can be dragged by mouse, touch and keyboard.

import { powerOfTen } from "./numbers.js";
import { svg } from "./svg.js";

/** A linear or logarithmic scale from the domain to pixels; `invert` goes back. */
export function scale(domain, range, { log = false } = {}) {
  const forward = log ? Math.log : (value) => value;
  const back = log ? Math.exp : (value) => value;
  const [a, b] = domain.map(forward);
  const to = (value) => range[0] + ((forward(value) - a) / (b - a)) * (range[1] - range[0]);
  to.invert = (pixel) => back(a + ((pixel - range[0]) / (range[1] - range[0])) * (b - a));
  to.domain = domain;
  to.log = log;
  return to;
}

/** Round values inside the domain, about `count` of them; powers of ten on a logarithmic scale. */
export function ticks([low, high], count = 5, log = false) {
  if (log) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const every = Math.max(1, Math.ceil((last - first) / count));
    return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, i) => 10 ** (first + i * every));
  }
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.95);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => +((first + i) * step).toPrecision(12));
}

/** A picture with axes. Coordinates are those of the domain; the picture shrinks with the page. */
export function plot({ label, x, y, width = 480, height = 330, logX = false, logY = false, xLabel = "", yLabel = "" }) {
  const margin = { left: yLabel ? 62 : 44, right: 18, top: 10, bottom: xLabel ? 44 : 28 };
  const toX = scale(x, [margin.left, width - margin.right], { log: logX });
  const toY = scale(y, [height - margin.bottom, margin.top], { log: logY });
  const axes = svg("g", { class: "explorer-axes", "aria-hidden": "true" });
  const layer = svg("g", { "aria-hidden": "true" });
  const handles = svg("g");
  const view = { viewBox: `0 0 ${width} ${height}`, class: "explorer-plot", role: "group", "aria-label": label };
  const root = svg("svg", view, axes, layer, handles);
  for (const value of ticks(x, 6, logX)) {
    const at = toX(value);
    axes.append(svg("line", { x1: at, x2: at, y1: margin.top, y2: height - margin.bottom }));
    axes.append(svg("text", { x: at, y: height - margin.bottom + 16, "text-anchor": "middle" }, tickText(value)));
  }
  for (const value of ticks(y, 5, logY)) {
    const at = toY(value);
    axes.append(svg("line", { y1: at, y2: at, x1: margin.left, x2: width - margin.right }));
    axes.append(svg("text", { x: margin.left - 6, y: at + 4, "text-anchor": "end" }, tickText(value)));
  }
  if (xLabel) {
    const atX = (margin.left + width - margin.right) / 2;
    axes.append(svg("text", { x: atX, y: height - 6, "text-anchor": "middle" }, xLabel));
  }
  if (yLabel) {
    const [atX, atY] = [16, (margin.top + height - margin.bottom) / 2];
    const turned = { x: atX, y: atY, "text-anchor": "middle", transform: `rotate(-90 ${atX} ${atY})` };
    axes.append(svg("text", turned, yLabel));
  }
  return {
    root,
    toX,
    toY,
    clear: () => layer.replaceChildren(),
    add: (...elements) => layer.append(...elements),
    /** Handles stay when the picture is cleared, so that the one with the focus keeps it. */
    hold: (...elements) => handles.replaceChildren(...elements),
    /** A polygon with corners [x, y] of the domain. */
    area(corners, attributes = {}) {
      if (corners.length < 3) return;
      const points = corners.map(([px, py]) => `${toX(px).toFixed(2)},${toY(py).toFixed(2)}`).join(" ");
      layer.append(svg("polygon", { points, class: "explorer-area", ...attributes }));
    },
    /** A shape around a point of the domain. */
    place(px, py, shape) {
      layer.append(svg("g", { transform: `translate(${toX(px)} ${toY(py)})` }, shape));
    },
    /** A line through points [x, y] of the domain; gaps where a value is not finite. */
    line(points, attributes = {}) {
      let path = "";
      let pen = "M";
      for (const [px, py] of points) {
        if (!Number.isFinite(toX(px)) || !Number.isFinite(toY(py))) pen = "M";
        else {
          path += `${pen}${toX(px).toFixed(2)} ${clamp(toY(py), -9999, 9999).toFixed(2)}`;
          pen = "L";
        }
      }
      const element = svg("path", { d: path || "M0 0", class: "explorer-line", ...attributes });
      layer.append(element);
      return element;
    },
    text(px, py, words, attributes = {}) {
      const element = svg("text", { x: toX(px), y: toY(py), class: "explorer-text", ...attributes }, words);
      layer.append(element);
      return element;
    },
  };
}

function tickText(value) {
  const size = Math.abs(value);
  if (size && (size < 1e-3 || size >= 1e5)) return `${value < 0 ? "−" : ""}${powerOfTen(Math.round(Math.log10(size)))}`;
  return String(value).replace("-", "−");
}

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Where in the domain a pointer is. */
export function placeOf({ root, toX, toY }, event) {
  const box = root.getBoundingClientRect();
  const [width, height] = root.getAttribute("viewBox").split(" ").slice(2).map(Number);
  const [across, down] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  return [toX.invert(across * width), toY.invert(down * height)];
}

/**
 * A point that the reader moves: dragged by mouse or touch, or by the arrow keys once it has the focus.
 * `shape` is drawn around the origin; `name` says which point it is; `moved` gets its place in the domain;
 * `vertical` points stay on their line, and points with a function `along` on its curve.
 */
export function movable({ picture, name, at, shape, step, moved, vertical = false, along = null }) {
  const { toX, toY } = picture;
  const place = [...at];
  const reach = svg("circle", { r: 20, class: "explorer-reach" });
  const kind = { role: "slider", "aria-label": name, "aria-roledescription": "movable point" };
  const handle = svg("g", { class: "explorer-handle", tabindex: 0, ...kind }, reach, shape);
  const show = () => {
    handle.setAttribute("transform", `translate(${toX(place[0])} ${toY(place[1])})`);
    const [low, high] = vertical ? toY.domain : toX.domain;
    handle.setAttribute("aria-valuemin", low);
    handle.setAttribute("aria-valuemax", high);
    handle.setAttribute("aria-valuenow", place[vertical ? 1 : 0].toFixed(2));
    const words = vertical ? place[1].toFixed(2) : `${place[0].toFixed(2)}, ${place[1].toFixed(2)}`;
    handle.setAttribute("aria-valuetext", words.replaceAll("-", "−"));
  };
  const move = (x, y) => {
    if (!vertical) place[0] = snap(clamp(x, ...toX.domain), step);
    place[1] = along ? along(place[0]) : snap(clamp(y, ...toY.domain), step);
    show();
    moved([...place]);
  };
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    move(...placeOf(picture, event));
  });
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  handle.addEventListener("keydown", (event) => {
    const direction = keys[event.key];
    if (!direction) return;
    event.preventDefault();
    const stride = step * (event.shiftKey ? 5 : 1);
    // On a curve up is as good as right.
    const across = along ? direction[0] + direction[1] : direction[0];
    move(place[0] + stride * across, place[1] + stride * direction[1]);
  });
  show();
  return handle;
}

/** The nearest multiple of the step: what is dragged lands where the keys would bring it. */
function snap(value, step) {
  return +(Math.round(value / step) * step).toPrecision(12);
}

/** A shape for each class, so that colour is never the only difference. */
export function mark(kind, size = 7) {
  const s = size;
  const paths = [
    `M${-s} 0A${s} ${s} 0 1 0 ${s} 0A${s} ${s} 0 1 0 ${-s} 0Z`,
    `M${-s} ${-s}H${s}V${s}H${-s}Z`,
    `M0 ${-1.2 * s}L${1.1 * s} ${0.8 * s}H${-1.1 * s}Z`,
    `M0 ${-1.3 * s}L${1.3 * s} 0L0 ${1.3 * s}L${-1.3 * s} 0Z`,
    `M0 ${1.2 * s}L${1.1 * s} ${-0.8 * s}H${-1.1 * s}Z`,
  ];
  return svg("path", { d: paths[kind % paths.length], class: `explorer-mark explorer-class-${(kind % 8) + 1}` });
}

/** An arrow from the origin of the domain to a point. */
export function arrow(picture, [x, y], attributes) {
  const [fromX, fromY, toX, toY] = [picture.toX(0), picture.toY(0), picture.toX(x), picture.toY(y)];
  const angle = Math.atan2(toY - fromY, toX - fromX);
  const wing = (turn) => `L${toX - 9 * Math.cos(angle + turn)} ${toY - 9 * Math.sin(angle + turn)}`;
  const head = `M${toX} ${toY}${wing(0.45)}M${toX} ${toY}${wing(-0.45)}`;
  picture.add(svg("path", { d: `M${fromX} ${fromY}L${toX} ${toY}${head}`, class: "explorer-line", ...attributes }));
}
