// Arrays taken apart.
import { axisOf } from "./along.js";
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { getitem } from "./indexing.js";
import { named } from "./named.js";
import { alongAxis, Slice } from "./slices.js";
import { fresh, operand } from "./storage.js";

export function split(a, ...args) {
  const { indices_or_sections: sections, axis = 0 } = named(args, ["indices_or_sections", "axis"]);
  const n = operand(a).shape[axisOf(axis, operand(a).ndim)];
  if (typeof sections === "number" && n % sections !== 0) {
    throw valueError("array split does not result in an equal division");
  }
  return array_split(a, sections, axis);
}

export function array_split(a, ...args) {
  const { indices_or_sections: sections, axis = 0 } = named(args, ["indices_or_sections", "axis"]);
  const x = operand(a);
  const at = axisOf(axis, x.ndim);
  const n = x.shape[at];
  const even = typeof sections === "number";
  const ends = even ? evenly(n, sections) : Array.from(operand(sections).data);
  const bounds = [0, ...ends, n];
  return bounds.slice(1).map((end, k) => {
    const part = new Slice(bounds[k], k < ends.length ? end : null);
    return getitem(x, alongAxis(at, part));
  });
}

function evenly(n, sections) {
  if (!(sections > 0)) throw valueError("number sections must be larger than 0.");
  const [least, more] = [Math.floor(n / sections), n % sections];
  const ends = [];
  let end = 0;
  for (let k = 0; k < sections - 1; k++) {
    end += least + (k < more ? 1 : 0);
    ends.push(end);
  }
  return ends;
}

/** Of a matrix its diagonal, of a vector the matrix. */
export function diag(a, ...args) {
  const { k = 0 } = named(args, ["k"]);
  const x = operand(a);
  if (x.ndim === 1) {
    const n = x.size + Math.abs(k);
    const found = fresh(x.kind, [n, n]);
    for (let i = 0; i < x.size; i++) {
      found.data[(i + Math.max(-k, 0)) * n + i + Math.max(k, 0)] = x.data[i];
    }
    return found;
  }
  const [rows, columns] = x.shape;
  const many = Math.max(0, Math.min(rows - Math.max(-k, 0), columns - Math.max(k, 0)));
  const found = fresh(x.kind, [many]);
  for (let i = 0; i < many; i++) {
    found.data[i] = x.data[(i + Math.max(-k, 0)) * columns + i + Math.max(k, 0)];
  }
  return found;
}

export const diagonal = (a) => diag(a);

function triangle(a, args, keeps) {
  const { k = 0 } = named(args, ["k"]);
  const x = operand(a).copy();
  const rows = x.shape[x.ndim - 2];
  const columns = x.shape[x.ndim - 1];
  for (let n = 0; n < x.size; n++) {
    const column = n % columns;
    const row = Math.floor(n / columns) % rows;
    if (!keeps(column - row, k)) x.data[n] = 0;
  }
  return x;
}

export const tril = (a, ...args) => triangle(a, args, (away, k) => away <= k);
export const triu = (a, ...args) => triangle(a, args, (away, k) => away >= k);

export function eye(n, ...args) {
  const { M = null, k = 0 } = named(args, ["M", "k"]);
  const columns = M ?? n;
  const found = fresh("f", [n, columns]);
  for (let i = 0; i < n; i++) {
    if (i + k >= 0 && i + k < columns) found.data[i * columns + i + k] = 1;
  }
  return found;
}

export const identity = (n) => eye(n);
export const isscalar = (x) => !(x instanceof NDArray) && !Array.isArray(x);
