// Cost space in money: what each model costs, its threshold set to the condition, over all conditions.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { chartIn, describe, drawAxes, labelled, onPoint } from "./chart.js";
import { el } from "./dom.js";
import { costFromSkew, expit, logit } from "./engine/conditions.js";
import { listed, plainly, priced, shortThreshold } from "./figures.js";
import { figureIn, pick } from "./framing.js";
import { placeNames } from "./labels.js";
import { cornerAt, lossAt } from "./linked.js";
import { colourClass, dashes, marker, stands } from "./style.js";

const AXES = {
  skew: "Skew: the part of the money at stake that false alarms are",
  cost: "Cost proportion: false alarm \u00f7 (false alarm + miss)",
};
// Narrower than this, or nearer to an end, conditions are shown by log-odds.
const [NARROW, NEAR] = [0.3, 0.12];
const AROUND = 0.8;
const TICKS = [1e-5, 1e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97, 0.99, 0.997, 0.999];
const PIXELS = 2;

export function showCost(container, report, state, link) {
  let axis = "skew";
  let wide = "asked";
  let space = null;
  const made = figureIn(container, {
    title: "Cost space, in money",
    name: "Cost space",
    table: () => exported(report, space),
    className: "cost-space",
  });
  const which = pick("Axis", [["skew", "skew"], ["cost", "cost proportion"]], axis, (value) => {
    axis = value;
    update();
  });
  const range = pick("Show", [["asked", "what was asked"], ["all", "everything"]], wide, (value) => {
    wide = value;
    update();
  });
  made.controls.prepend(which.element, range.element);
  const slider = el("input", { type: "range", min: 0, max: 1000, "aria-label": "Condition looked at" });
  const said = el("p", { class: "hint readout" });
  const look = el("label", { class: "slide screen" }, "Look at ", slider);
  container.append(look, said);
  let frame = null;
  frame = chartIn(made.place, sizes, () => draw());
  onPoint(frame, (at) => link.set({ skew: at === null ? null : skewAt(at[0]), point: null }));
  slider.addEventListener("input", () =>
    link.set({ skew: skewAt((Number(slider.value) / 1000) * frame.width), point: null }),
  );
  const skewAt = (pixel) => space.invert(Math.min(Math.max(pixel, 0), frame.width));

  function draw() {
    if (!frame?.width || space === null) return;
    space = { ...space, ...horizontal(space.view, frame.width) };
    drawSpace(frame, report, space, state.values.currency);
    follow();
  }

  function follow() {
    if (!frame?.width || space === null) return;
    const { shown } = drawLooked(frame, report, space, link, state.values.currency);
    said.textContent = shown;
    slider.value = String(Math.round((1000 * space.at(link.skew ?? space.mean)) / frame.width));
    slider.setAttribute("aria-valuetext", shown);
  }

  const update = () => {
    const { decision } = state.values;
    container.hidden = decision === null;
    if (container.hidden) return;
    space = spaceOf(decision, report, { axis, wide });
    made.note.textContent =
      "Each curve: one model, its threshold set to the condition, on the rows it would be chosen on. " +
      "Shaded: the range asked about; the marks beneath it are the tenths of what is at stake. " +
      "Of a rule that stays as it is (straight line), the height at the mean is its expected cost.";
    frame.again();
    describe(frame, summaryOf(report, space, state.values.currency));
  };
  state.watch(["decision", "currency"], update);
  link.watch(follow);
  update();
}

function sizes(full) {
  return {
    margin: { top: 30, right: 12, bottom: 46, left: full < 460 ? 46 : 58 },
    height: Math.min(Math.max(full * 0.62, 220), 400),
  };
}

/** What the picture shows: conditions by skew, and money as the stake that they share. */
function spaceOf(decision, report, { axis, wide }) {
  const { skew, prevalence, stake_per_1000: stake } = decision.condition;
  const { recommendation, strategies } = decision;
  const own = strategies.find(
    ({ model, choice }) => model === recommendation.model && choice === recommendation.choice,
  );
  const point = own?.point ?? null;
  return {
    stake,
    mean: skew.by_stake.mean,
    deciles: skew.by_stake.deciles,
    ends: [skew.low, skew.high],
    constant: 0,
    chosen: point && own.model !== null ? { ...point, i: indexOf(report, own.model) } : null,
    view: viewOf([skew.low, skew.high], { axis, wide, p: prevalence.mean }),
  };
}

const indexOf = (report, name) => report.models.findIndex((model) => model.name === name);

/** The axis: what it shows, and where, of skews; by log-odds where that tells more. */
function viewOf([low, high], { axis, wide, p }) {
  const value = axis === "cost" ? (z) => costFromSkew(z, p) : (z) => z;
  const skewOf = axis === "cost" ? (c) => 1 / (1 + ((1 - c) * p) / (c * (1 - p))) : (z) => z;
  const [first, last] = [low, high].map(value);
  const narrow = last - first < NARROW || last < NEAR || first > 1 - NEAR;
  const byOdds = wide === "asked" && narrow;
  if (!byOdds) return { axis, value, skewOf, byOdds, domain: wide === "all" ? [0, 1] : around(first, last) };
  return { axis, value, skewOf, byOdds, domain: [logit(first) - AROUND, logit(last) + AROUND] };
}

function around(first, last) {
  const room = 0.12 * (last - first);
  return [Math.max(first - room, 0), Math.min(last + room, 1)];
}

function horizontal({ value, skewOf, byOdds, domain }, width) {
  const scale = scaleLinear(domain, [0, width]);
  const [low, high] = domain;
  const plain = byOdds ? logit : (x) => x;
  const back = byOdds ? expit : (x) => x;
  return {
    scale,
    at: (z) => scale(Math.min(Math.max(plain(value(z)), low), high)),
    invert: (pixel) => skewOf(back(scale.invert(pixel))),
    values: byOdds ? TICKS.map(logit).filter((u) => u >= low && u <= high) : undefined,
    text: byOdds ? (u) => shortThreshold(expit(u)) : undefined,
  };
}

function drawSpace(frame, report, space, currency) {
  const { stake, invert } = space;
  const pixels = Array.from({ length: Math.floor(frame.width / PIXELS) + 1 }, (_, k) => k * PIXELS);
  const skews = pixels.map(invert);
  const curves = report.models.map((model, i) => ({
    i,
    text: model.name,
    money: skews.map((z) => stake * lossAt(z, cornerAt(model.hull, z))),
  }));
  const trivial = skews.map((z) => stake * Math.min(z, 1 - z));
  const top = Math.max(...trivial, ...curves.flatMap(({ i, money }) => (stands(i) ? money : []))) * 1.12;
  const y = scaleLinear([0, top || 1], [frame.height, 0]).nice(5);
  space.y = y;
  const narrow = frame.narrow();
  drawAxes(
    frame,
    { ...space, label: narrow ? AXES[space.view.axis].split(":")[0] : AXES[space.view.axis] },
    { scale: y, label: `Cost per 1,000 cases${currency ? ` (${currency})` : ""}` },
  );
  for (const layer of [frame.plot, frame.over]) layer.selectAll("*").remove();
  drawRange(frame, space);
  const path = line(
    (_, k) => pixels[k],
    (amount) => y(amount),
  );
  const nobody = path(skews.map((z) => stake * (1 - z)));
  const everybody = path(skews.map((z) => stake * z));
  for (const d of [nobody, everybody]) frame.plot.append("path").attr("class", "reference").attr("d", d);
  for (const { i, money } of [...curves].sort((a, b) => Number(stands(a.i)) - Number(stands(b.i)))) {
    frame.plot
      .append("path")
      .attr("class", `curve ${colourClass(i)}`)
      .attr("stroke-dasharray", stands(i) ? dashes(i) : null)
      .attr("d", path(money));
  }
  if (space.chosen) {
    frame.plot
      .append("path")
      .attr("class", "chosen-line")
      .attr("d", path(skews.map((z) => stake * lossAt(z, space.chosen))));
  }
  nameLines(frame, y, { pixels, skews, curves, space });
}

function drawRange(frame, { at, ends, deciles }) {
  const [low, high] = ends.map(at);
  frame.plot
    .append("rect")
    .attr("class", "range-asked")
    .attr("x", low)
    .attr("width", Math.max(high - low, 1))
    .attr("height", frame.height);
  if (high - low < 4) return;
  for (const decile of deciles) {
    frame.plot
      .append("line")
      .attr("class", "decile")
      .attr("x1", at(decile))
      .attr("x2", at(decile))
      .attr("y1", frame.height - 7)
      .attr("y2", frame.height);
  }
}

function nameLines(frame, y, { pixels, skews, curves, space }) {
  const { stake, chosen } = space;
  const others = curves.filter(({ i }) => !stands(i));
  const points = (money) => pixels.map((x, k) => [x, y(money[k])]);
  const straight = (loss) => points(skews.map((z) => stake * loss(z)));
  const lines = [
    ...curves
      .filter(({ i }) => stands(i))
      .map(({ i, text, money }) => ({ name: colourClass(i), text, points: points(money) })),
    ...(chosen
      ? [{ name: "chosen-name", text: "recommended rule, held out", points: straight((z) => lossAt(z, chosen)) }]
      : []),
    { name: "reference-name", text: "flag nobody", points: straight((z) => 1 - z) },
    { name: "reference-name", text: "flag everybody", points: straight((z) => z) },
    ...others.map(({ money }, k) => ({
      name: "others",
      text: k === 0 ? `${others.length} others` : null,
      points: points(money),
    })),
  ];
  for (const { line: own, text, x, y: base } of placeNames(lines, frame)) {
    labelled(frame.over, text, x, base)
      .attr("class", `line-name ${own.name}`)
      .attr("text-anchor", "start");
  }
}

/** The condition looked at, each model there, and the line of what is pointed at in ROC space. */
function drawLooked(frame, report, space, { skew, point }, currency) {
  const { at, y, stake, mean, view } = space;
  const z = skew ?? mean;
  const found = report.models
    .map((model, i) => ({ i, name: model.name, ...cornerAt(model.hull, z) }))
    .map((one) => ({ ...one, money: stake * lossAt(z, one) }));
  frame.over.selectAll(".looked").remove();
  const layer = frame.over.append("g").attr("class", "looked");
  layer
    .append("line")
    .attr("class", "condition")
    .attr("x1", at(z))
    .attr("x2", at(z))
    .attr("y2", frame.height);
  for (const { i, money } of found) {
    if (!stands(i) || money > y.domain()[1]) continue;
    const { d, transform, class: name } = marker(i, at(z), y(money), 64);
    layer.append("path").attr("class", name).attr("d", d).attr("transform", transform);
  }
  if (point !== null) {
    const pixels = Array.from({ length: 101 }, (_, k) => (k * frame.width) / 100);
    const amount = (pixel) => Math.min(stake * lossAt(space.invert(pixel), point), 2 * y.domain()[1]);
    layer
      .append("path")
      .attr("class", `cost-line ${colourClass(point.i)}`)
      .attr("clip-path", frame.plot.attr("clip-path"))
      .attr("d", line((pixel) => pixel, (pixel) => y(amount(pixel)))(pixels));
  }
  return { shown: inWords(found, z, view, skew === null, currency) };
}

function inWords(found, z, { axis, value }, isMean, currency) {
  const amounts = found
    .filter(({ i }) => stands(i))
    .sort((a, b) => a.money - b.money)
    .map(({ name, money }) => `${name} ${priced(plainly(money), currency)}`);
  const name = axis === "cost" ? "cost proportion" : "skew";
  return `At ${isMean ? "the mean, " : ""}${name} ${shortThreshold(value(z))}: ${listed(amounts)}.`;
}

function summaryOf(report, { stake, mean, ends }, currency) {
  const amounts = report.models
    .map((model, i) => ({ i, name: model.name, money: stake * lossAt(mean, cornerAt(model.hull, mean)) }))
    .filter(({ i }) => stands(i))
    .map(({ name, money }) => `${name} ${priced(plainly(money), currency)}`);
  return (
    "Cost per 1,000 cases of each model over the skew, thresholds set to it, with flagging nobody and " +
    `everybody for reference. Asked about: skews from ${ends.map((z) => shortThreshold(z)).join(" to ")}. ` +
    `At their mean, ${shortThreshold(mean)}: ${listed(amounts)}.`
  );
}

function exported(report, { stake, ends }) {
  const [low, high] = ends;
  return {
    head: ["model", "skew", "cost_per_1000", "threshold"],
    rows: report.models.flatMap(({ name, hull }) => {
      const inner = [...hull.breaks].filter((z) => z > low && z < high);
      return [...new Set([low, ...inner, high])].map((z) => {
        const corner = cornerAt(hull, z);
        const t = corner.threshold;
        return [name, z, stake * lossAt(z, corner), Number.isFinite(t) ? t : t > 0 ? "flags nobody" : "flags everybody"];
      });
    }),
  };
}
