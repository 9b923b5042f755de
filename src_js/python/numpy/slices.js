// What an index can hold besides numbers, arrays and null.

export class Slice {
  constructor(start = null, stop = null, step = null) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  /** Where it starts among n, its step, and how many it takes. */
  over(n) {
    const step = this.step ?? 1;
    const [low, high] = step > 0 ? [0, n] : [-1, n - 1];
    const bounded = (x) => Math.min(Math.max(x < 0 ? x + n : x, low), high);
    const start = this.start === null ? (step > 0 ? low : high) : bounded(Number(this.start));
    const stop = this.stop === null ? (step > 0 ? high : low) : bounded(Number(this.stop));
    return { start, step, count: Math.max(0, Math.ceil((stop - start) / step)) };
  }
}

/** A tuple between the brackets. */
export class Index {
  constructor(parts) {
    this.parts = parts;
  }
}

/** What takes a part along one axis, and all along those before it. */
export function alongAxis(axis, part) {
  return new Index([...new Array(axis).fill(new Slice()), part]);
}

export const Ellipsis = /* @__PURE__ */ Symbol("Ellipsis");
