// A code matrix that the reader edits: distances of rows, decoding, the bound and the exact worst case.
import {
  closestRows,
  correctionRadius,
  decodingDistances,
  mistakeCost,
  rowDistance,
  trainingBound,
  worstError,
} from "./lib/codes.js";
import { largest, range } from "./lib/numbers.js";
import { button, choice, dial, digits, frame, html, slider } from "./lib/page.js";
import { plot } from "./lib/plot.js";
import { explorer } from "./lib/start.js";

const SIGN = { 1: "+", 0: "0", "-1": "−" };
const SPOKEN = { 1: "plus", 0: "zero", "-1": "minus" };

const rows = (...lines) => lines.map((line) => [...line].map((sign) => "-0+".indexOf(sign) - 1));

const CODES = {
  complete: { name: "complete, four classes", M: rows("+++++++", "-+-+-+-", "+--++--", "+++----") },
  rest: { name: "one-vs-rest, four classes", M: rows("+---", "-+--", "--+-", "---+") },
  pairs: { name: "all pairs, four classes", M: rows("+++000", "-00++0", "0-0-0+", "00-0--") },
  eight: {
    name: "eight classes, six columns",
    M: rows("---+--", "+-----", "-++-+-", "++----", "++--+-", "--++-+", "--+---", "-+-+--"),
  },
  mixed: { name: "four classes, with zeros", M: rows("-0--+--", "+-0+++-", "+0---++", "--+0--+") },
};

/** Bound and exact worst case at an average hinge loss; broken where the worst case exceeds the bound. */
function judged({ M, average, factor = 1 }) {
  const [bound, worst] = [trainingBound(M, average, factor), worstError(M, average)];
  return { bound, worst, broken: worst > bound + 1e-12 };
}

/** The row with `flips` of its signs turned towards its nearest rival. */
function flipped({ M, label, flips }) {
  const others = range(M.length).filter((r) => r !== label);
  const rival = others.reduce((best, r) => (rowDistance(M[label], M[r]) < rowDistance(M[label], M[best]) ? r : best));
  const places = range(M[0].length)
    .filter((s) => M[label][s] * M[rival][s] < 0)
    .slice(0, flips);
  return M[label].map((entry, s) => (places.includes(s) ? -entry : entry));
}

/** The classes at the smallest distance. */
function decoded({ outputs, M, loss }) {
  return largest(decodingDistances(outputs, M, loss).map((distance) => -distance));
}

function start(root) {
  const page = frame(root, {
    title: "A code of your own",
    hint: "Press a cell to change its sign; the arrow keys move between the cells. Flip outputs and see which class is decoded.",
  });
  let M = CODES.complete.M.map((row) => [...row]);
  let outputs = [...M[0]];
  let [label, flips, average, factor] = [0, 0, 0.3, 1];
  const table = html("div", { class: "explorer-table" });
  const picture = plot({
    label: "The largest training error against the average hinge loss",
    x: [0, 1],
    y: [0, 1.2],
    xLabel: "average hinge loss ε",
    yLabel: "training error",
  });
  page.stage.append(table, picture.root);
  let cells = [];

  const build = () => {
    cells = [...M, outputs].map((row, r) => row.map((_, s) => cell(r, s)));
    const heads = ["", ...range(M[0].length).map((s) => String(s + 1)), "Hamming", "hinge"];
    const head = html("tr", {}, ...heads.map((text) => (text ? html("th", { scope: "col" }, text) : html("td"))));
    const body = cells.map((row, r) => {
      const name = r < M.length ? `class ${r + 1}` : "outputs";
      const line = html("tr", {}, html("th", { scope: "row" }, name), ...row.map((made) => html("td", {}, made)));
      if (r < M.length) line.append(html("td", { class: "explorer-hamming" }), html("td", { class: "explorer-hinge" }));
      return line;
    });
    table.replaceChildren(html("table", {}, html("thead", {}, head), html("tbody", {}, ...body)));
    cells[0][0].tabIndex = 0;
  };
  const cell = (r, s) => {
    const press = () => {
      const row = r < M.length ? M[r] : outputs;
      row[s] = row[s] === 1 ? -1 : row[s] + 1;
      draw();
    };
    return html("button", {
      type: "button",
      class: "explorer-cell",
      tabindex: -1,
      click: press,
      keydown: (event) => walk(event, r, s),
    });
  };
  const walk = (event, r, s) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const next = step && cells[r + step[0]]?.[s + step[1]];
    if (!next) return;
    event.preventDefault();
    cells[r][s].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
  const flip = (times) => {
    flips = times;
    outputs = flipped({ M, label, flips });
    draw();
  };

  const draw = () => {
    const distances = {
      hamming: decodingDistances(outputs, M, "hamming"),
      hinge: decodingDistances(outputs, M, "hinge"),
    };
    const winners = {
      hamming: decoded({ outputs, M, loss: "hamming" }),
      hinge: decoded({ outputs, M, loss: "hinge" }),
    };
    for (const [r, row] of [...M, outputs].entries()) {
      for (const [s, sign] of row.entries()) {
        const where = r < M.length ? `class ${r + 1}, column ${s + 1}` : `output ${s + 1}`;
        cells[r][s].textContent = SIGN[sign];
        cells[r][s].dataset.sign = sign;
        cells[r][s].setAttribute("aria-label", `${where}: ${SPOKEN[sign]}`);
      }
    }
    for (const loss of ["hamming", "hinge"]) {
      for (const [r, place] of [...table.querySelectorAll(`.explorer-${loss}`)].entries()) {
        place.textContent = digits(distances[loss][r]);
        place.classList.toggle("explorer-winner", winners[loss].includes(r));
      }
    }
    plotted();
    tell(winners);
  };
  const plotted = () => {
    picture.clear();
    const places = range(201).map((i) => i / 200);
    picture.line(
      places.map((e) => [e, trainingBound(M, e, factor)]).filter(([, b]) => b <= 1.2),
      { class: "explorer-line explorer-limit" },
    );
    picture.line(
      places.map((e) => [e, worstError(M, e)]),
      { class: "explorer-line explorer-series-1" },
    );
    picture.line(
      [
        [average, 0],
        [average, 1.2],
      ],
      { class: "explorer-line explorer-quiet" },
    );
  };
  const tell = (winners) => {
    const { first, second, rho } = closestRows(M);
    const signs = M.every((row) => row.every((entry) => entry !== 0));
    const { bound, worst, broken } = judged({ M, average, factor });
    page.facts({
      "smallest distance ρ": `${digits(rho)} (classes ${first + 1}, ${second + 1})`,
      "wrong signs always corrected": signs ? (rho >= 1 ? String(correctionRadius(rho)) : "0") : "– (zeros)",
      [`outputs unlike row ${label + 1}`]: digits(rowDistance(outputs, M[label])),
      "cheapest mistake, in hinge": digits(
        Math.min(...M.flatMap((u, i) => M.filter((_, j) => j !== i).map((v) => mistakeCost(u, v)))),
      ),
      "bound at ε": [rho ? digits(bound) : "none", "limit"],
      "exact worst case at ε": [Number.isNaN(worst) ? "none: zeros cost more" : digits(worst), "series-1"],
    });
    const named = (classes) => (classes.length > 1 ? "a tie of classes " : "class ") + classes.map((z) => z + 1).join(", ");
    const news = `Decoded with Hamming distances: ${named(winners.hamming)}; with the hinge: ${named(winners.hinge)}.`;
    page.say(...verdict(news, rho, broken, bound, worst));
  };
  const verdict = (news, rho, broken, bound, worst) => {
    if (rho === 0) return [`${news} Two rows are equal: no decoder tells these classes apart, and there is no bound.`];
    if (factor >= 1) {
      const worse = Number.isNaN(worst) ? "" : `, and the worst sample has ${digits(worst)}`;
      return [`${news} The bound holds: at ε = ${digits(average)} it allows the training error ${digits(bound)}${worse}.`, "true"];
    }
    const claim = `With ${digits(factor, 2)} times the bound the statement is false`;
    if (broken)
      return [
        `${news} ${claim}: at ε = ${digits(average)} an error of ${digits(worst)} is possible, and ${digits(bound)} is allowed.`,
        "false",
      ];
    return [`${news} ${claim}: any code of signs shows it, such as the complete one.`, "false"];
  };

  const names = Object.fromEntries(Object.entries(CODES).map(([key, { name }]) => [key, name]));
  const truth = choice({
    label: "true class",
    options: {},
    value: "0",
    change: (key) => {
      label = Number(key);
      flip(0);
    },
  });
  const choose = (key) => {
    M = CODES[key].M.map((row) => [...row]);
    [label, flips] = [0, 0];
    outputs = [...M[0]];
    truth.element
      .querySelector("select")
      .replaceChildren(...M.map((_, r) => html("option", { value: r }, String(r + 1))));
    build();
    draw();
  };
  page.controls.append(
    choice({ label: "code", options: names, value: "complete", change: choose }).element,
    truth.element,
    button("flip one more output", () => flip(flips + 1)),
    button("right outputs", () => flip(0)),
    slider({
      label: "average hinge loss ε",
      min: 0,
      max: 1,
      step: 0.01,
      value: average,
      show: (v) => digits(v),
      change: (v) => {
        average = v;
        draw();
      },
    }).element,
    dial({
      label: "factor before ℓε/ρ",
      min: 0.5,
      max: 1.2,
      step: 0.01,
      value: 1,
      show: (v) => digits(v, 3),
      sentence: "The theorem has 1, and codes of signs attain it. Turn it down.",
      change: (v) => {
        factor = v;
        draw();
      },
    }).element,
  );
  choose("complete");
}

const math = {
  judged,
  flipped,
  decoded,
  decodingDistances,
  rowDistance,
  closestRows,
  mistakeCost,
  worstError,
  trainingBound,
};
explorer("code-matrix", { math, start });
