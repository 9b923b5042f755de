// What is known of costs and prevalence, as cs.Deployment means it: each a value, or between two
// bounds, costs uniform in their logarithms and the prevalence in its log-odds, independently.

import { costProportion, expit, logit } from "./conditions.js";

// Ranges this narrow, in logarithms, are a value.
const NARROW = 1e-9;

// Gauss and Legendre's rules on [-1, 1], by how many nodes they have.
const rules = new Map();

function gauss(count) {
  if (!rules.has(count)) rules.set(count, gaussRule(count));
  return rules.get(count);
}

function gaussRule(count) {
  const nodes = new Float64Array(count);
  const weights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let step = 0; step < 50; step++) {
      let [before, value] = [1, x];
      for (let n = 2; n <= count; n++) {
        [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n];
      }
      slope = (count * (x * value - before)) / (x * x - 1);
      const change = value / slope;
      x -= change;
      if (Math.abs(change) < 1e-15) break;
    }
    nodes[i] = x;
    weights[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** Integral of f between ascending places, by panels no wider than `widest`. */
export function integrate(f, places, count = 12, widest = 2) {
  const { nodes, weights } = gauss(count);
  let total = 0;
  for (let i = 0; i + 1 < places.length; i++) {
    const width = places[i + 1] - places[i];
    if (!(width > 0)) continue;
    const panels = Math.ceil(width / widest);
    const half = width / panels / 2;
    for (let j = 0; j < panels; j++) {
      const middle = places[i] + (2 * j + 1) * half;
      for (let k = 0; k < count; k++) total += half * weights[k] * f(middle + half * nodes[k]);
    }
  }
  return total;
}

/** Ascending places between two ends, which are among them. */
export function between(places, low, high) {
  const inside = places.filter((x) => x > low && x < high);
  return [low, ...new Set(inside.sort((a, b) => a - b)), high];
}

// Differences over less lose digits.
const WIDE = 2;

/** Integral of the share expit(sign w) from x to y. */
function shareBetween(sign, x, y) {
  if (!(y - x > WIDE)) return integrate((w) => expit(sign * w), [x, y]);
  return sign * (softplus(sign * y) - softplus(sign * x));
}

const softplus = (u) => Math.max(u, 0) + Math.log1p(Math.exp(-Math.abs(u)));

/** E[exp(X); X - Y < u] of X and Y uniform between bounds, or values. */
function exposed([x0, x1], [y0, y1], u) {
  const xs = x1 - x0;
  const ys = y1 - y0;
  if (xs === 0 && ys === 0) return x0 - y0 < u ? Math.exp(x0) : 0;
  const clipped = (x) => Math.min(Math.max(x, x0), x1);
  if (ys === 0) return (Math.exp(x0) * Math.expm1(clipped(u + y0) - x0)) / xs;
  if (xs === 0) return Math.exp(x0) * Math.min(Math.max((y1 - x0 + u) / ys, 0), 1);
  const low = clipped(u + y0);
  const high = clipped(u + y1);
  const sure = Math.exp(x0) * Math.expm1(low - x0);
  if (high - low <= 2) {
    return (sure + integrate((x) => (Math.exp(x) * (u + y1 - x)) / ys, [low, high])) / xs;
  }
  const k = u + y1 + 1;
  return (sure + (Math.exp(high) * (k - high) - Math.exp(low) * (k - low)) / ys) / xs;
}

// Chebyshev's polynomials up to this degree, each at the zeros of the one that comes next.
const DEGREE = 8;
const ANGLES = Array.from({ length: DEGREE }, (_, k) => (Math.PI * (k + 0.5)) / DEGREE);
const COSINES = Array.from({ length: DEGREE }, (_, j) => ANGLES.map((angle) => Math.cos(j * angle)));

/** A function by Chebyshev polynomials on panels between its kinks. */
class Panels {
  constructor(f, kinks, widest = 0.5) {
    const edges = [];
    for (let i = 0; i + 1 < kinks.length; i++) {
      const count = Math.ceil((kinks[i + 1] - kinks[i]) / widest);
      for (let j = 0; j < count; j++) {
        edges.push(kinks[i] + ((kinks[i + 1] - kinks[i]) * j) / count);
      }
    }
    edges.push(kinks[kinks.length - 1]);
    this.edges = Float64Array.from(edges);
    this.coefficients = new Float64Array((edges.length - 1) * DEGREE);
    for (let i = 0; i + 1 < edges.length; i++) this.fit(f, i);
    this.panel = 0;
  }

  fit(f, i) {
    const { edges, coefficients } = this;
    const half = (edges[i + 1] - edges[i]) / 2;
    const middle = (edges[i + 1] + edges[i]) / 2;
    for (let k = 0; k < DEGREE; k++) {
      const value = f(middle + half * COSINES[1][k]);
      for (let j = 0; j < DEGREE; j++) {
        coefficients[i * DEGREE + j] += ((j === 0 ? 1 : 2) / DEGREE) * value * COSINES[j][k];
      }
    }
  }

  /** The value at x between the ends; fast where one x is near the one before. */
  at(x) {
    const { edges, coefficients } = this;
    let i = this.panel;
    while (i > 0 && x < edges[i]) i--;
    while (i < edges.length - 2 && x >= edges[i + 1]) i++;
    this.panel = i;
    const u = 2 * ((x - edges[i]) / (edges[i + 1] - edges[i])) - 1;
    let ahead = 0;
    let value = 0;
    for (let j = i * DEGREE + DEGREE - 1; j > i * DEGREE; j--) {
      const next = 2 * u * value - ahead + coefficients[j];
      ahead = value;
      value = next;
    }
    return coefficients[i * DEGREE] + u * value - ahead;
  }

  /** The integral of a function from the first edge on, as panels again. */
  static integralOf(f, kinks) {
    const density = new Panels(f, kinks);
    const { edges, coefficients } = density;
    let passed = 0;
    for (let i = 0; i + 1 < edges.length; i++) {
      const half = (edges[i + 1] - edges[i]) / 2;
      const c = [...coefficients.subarray(i * DEGREE, (i + 1) * DEGREE), 0, 0];
      const own = coefficients.subarray(i * DEGREE, (i + 1) * DEGREE);
      c[0] *= 2;
      let start = 0;
      for (let j = 1; j < DEGREE; j++) {
        own[j] = ((c[j - 1] - c[j + 1]) / (2 * j)) * half;
        start += j % 2 === 0 ? own[j] : -own[j];
      }
      own[0] = passed - start;
      let whole = 0;
      for (let j = 1; j < DEGREE; j += 2) whole += 2 * own[j];
      passed += whole;
    }
    density.total = passed;
    return density;
  }
}

export class Known {
  constructor({ fpCost, fnCost, prevalence }) {
    [this.a0, this.a1] = fpCost;
    [this.b0, this.b1] = fnCost;
    [this.p0, this.p1] = prevalence;
    this.logA = bounds(fpCost.map(Math.log));
    this.logB = bounds(fnCost.map(Math.log));
    this.odds = bounds(prevalence.map(logit));
    this.meanA = logUniformMean(this.a0, this.a1, this.logA);
    this.meanB = logUniformMean(this.b0, this.b1, this.logB);
    this.setPrevalence();
    this.made = {};
  }

  setPrevalence() {
    const { p0, p1 } = this;
    if (this.prevalenceIsKnown) {
      this.meanP = (p0 + p1) / 2;
      this.meanQ = 1 - this.meanP;
      this.meanPQ = this.meanP * this.meanQ;
      return;
    }
    const gap = p1 - p0;
    const width = apart(this.odds, gap / (p0 * (1 - p1)));
    this.meanP = Math.log1p(gap / (1 - p1)) / width;
    this.meanQ = Math.log1p(gap / p0) / width;
    this.meanPQ = gap / width;
  }

  get prevalenceIsKnown() {
    return this.odds[0] === this.odds[1];
  }

  get costsAreKnown() {
    return this.logA[0] === this.logA[1] && this.logB[0] === this.logB[1];
  }

  /** The one cost proportion of known costs. */
  get c() {
    return costProportion(this.meanA, this.meanB);
  }

  /** E[a; ln(a/b) < u]. */
  massA(u) {
    return exposed(this.logA, this.logB, u);
  }

  /** E[b; ln(a/b) >= u]. */
  massB(u) {
    return exposed(this.logB, this.logA, -u);
  }

  /** Where the law of ln(a/b) bends. */
  get bends() {
    const [a0, a1] = this.logA;
    const [b0, b1] = this.logB;
    return [...new Set([a0 - b1, a0 - b0, a1 - b1, a1 - b0])].sort((x, y) => x - y);
  }

  /** A mass by its table, where there is one. */
  tabled(table, mass, u) {
    const { low, high } = this.byCost;
    return table !== null && u > low && u < high ? table.at(u) : mass.call(this, u);
  }

  make(name, f) {
    if (!(name in this.made)) this.made[name] = f();
    return this.made[name];
  }

  /** What a score risks by the log-odds of the cost proportion up to which it is flagged. */
  get byCost() {
    return this.make("byCost", () => {
      const bends = this.bends;
      return {
        low: bends[0],
        high: bends[bends.length - 1],
        negative: this.costsAreKnown ? null : new Panels((u) => this.massA(u), bends),
        positive: this.costsAreKnown ? null : new Panels((u) => this.massB(u), bends),
        allNegative: this.meanA,
        allPositive: this.meanB,
      };
    });
  }

  /** The same by the log-odds of the skew, with the classes' shares in it. */
  get bySkew() {
    return this.make("bySkew", () => {
      const { bends, odds } = this;
      const shifted = bends.flatMap((u) => odds.map((w) => u - w)).sort((x, y) => x - y);
      const places = [...new Set(shifted)];
      const [least, most] = odds;
      const { low, high, negative, positive } = this.byCost;
      const within = (w) => Math.min(Math.max(w, least), most);
      // Of a class, whose share is expit(sign w); its mass is all or nothing beyond the ends.
      const mean = (t, sign, mass, [before, after]) => {
        if (least === most) return expit(sign * least) * mass(t + least);
        const [start, end] = [within(low - t), within(high - t)];
        const kinks = between(bends.map((u) => u - t), start, end);
        const total =
          before * shareBetween(sign, least, start) +
          integrate((w) => expit(sign * w) * mass(t + w), kinks) +
          after * shareBetween(sign, end, most);
        return total / (most - least);
      };
      const massA = (u) => this.tabled(negative, this.massA, u);
      const massB = (u) => this.tabled(positive, this.massB, u);
      const ofNegatives = (t) => mean(t, -1, massA, [0, this.meanA]);
      const ofPositives = (t) => mean(t, 1, massB, [this.meanB, 0]);
      return {
        low: places[0],
        high: places[places.length - 1],
        negative: places.length > 1 ? new Panels(ofNegatives, places) : null,
        positive: places.length > 1 ? new Panels(ofPositives, places) : null,
        allNegative: this.meanQ * this.meanA,
        allPositive: this.meanP * this.meanB,
      };
    });
  }

  /** Integrals of E[a; C < c] and of E[b; C >= c] over the cost proportion c, between its ends. */
  get overCosts() {
    return this.make("overCosts", () => {
      const { bends } = this;
      const low = expit(bends[0]);
      const high = expit(bends[bends.length - 1]);
      const weighted = (f) => (u) => f(u) * expit(u) * expit(-u);
      const a = Panels.integralOf(weighted((u) => this.massA(u)), bends);
      const b = Panels.integralOf(weighted((u) => this.massB(u)), bends);
      return { low, high, a, b };
    });
  }
}

function bounds([low, high]) {
  return high - low <= NARROW ? [(low + high) / 2, (low + high) / 2] : [low, high];
}

function logUniformMean(low, high, logs) {
  if (logs[0] === logs[1]) return (low + high) / 2;
  return (high - low) / apart(logs, (high - low) / low);
}

/** How far apart bounds are, by how much the ratio is above 1 of which that is the logarithm. */
function apart([low, high], excess) {
  // The difference of close bounds has few digits; the ratio of distant ones may be infinite.
  return excess < 1 ? Math.log1p(excess) : high - low;
}
