// Products of vectors and matrices.
import { multiply } from "./arithmetic.js";
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { ravel, reshape, transpose } from "./shapes.js";
import { count, lone, operand, promote } from "./storage.js";
import { broadcast, positions } from "./ufunc.js";
import { sum } from "./reducing.js";

export function dot(a, b) {
  const [x, y] = [operand(a), operand(b)];
  if (x.ndim === 0 || y.ndim === 0) return multiply(x, y);
  if (y.ndim > 2) throw valueError("dot of more than two axes on the right is not supported");
  return matmul(x, y);
}

export const inner = (a, b) => {
  const [x, y] = [operand(a), operand(b)];
  return x.ndim === 0 || y.ndim === 0 ? multiply(x, y) : dot(x, y.ndim > 1 ? transpose(y) : y);
};

export const vdot = (a, b) => dot(ravel(a), ravel(b));

export function matmul(a, b) {
  let [x, y] = [operand(a), operand(b)];
  if (x.ndim === 0 || y.ndim === 0) throw valueError("matmul: operand has no axis");
  const kind = promote(x.kind, y.kind);
  const [row, column] = [x.ndim === 1, y.ndim === 1];
  if (row) x = reshape(x, [1, x.size]);
  if (column) y = reshape(y, [y.size, 1]);
  const [n, m] = x.shape.slice(-2);
  const [m2, p] = y.shape.slice(-2);
  if (m !== m2) {
    throw valueError(`matmul: Input operand 1 has a mismatch in its core dimension: ${m2}, ${m}`);
  }
  const [ahead, behind] = [x.shape.slice(0, -2), y.shape.slice(0, -2)];
  const shape = broadcast(ahead, behind);
  const many = count(shape);
  const firsts = positions(new NDArray(new Uint8Array(count(ahead)), ahead, "b"), shape);
  const seconds = positions(new NDArray(new Uint8Array(count(behind)), behind, "b"), shape);
  const found = new Float64Array(many * n * p);
  for (let k = 0; k < many; k++) {
    product(found, k * n * p, x.data, firsts[k] * n * m, y.data, seconds[k] * m * p, n, m, p);
  }
  const kept = [...(row ? [] : [n]), ...(column ? [] : [p])];
  return lone(new NDArray(found, [...shape, ...kept], kind === "b" ? "i" : kind));
}

function product(out, o, a, i, b, j, n, m, p) {
  for (let row = 0; row < n; row++) {
    for (let k = 0; k < m; k++) {
      const factor = a[i + row * m + k];
      const to = o + row * p;
      const from = j + k * p;
      for (let column = 0; column < p; column++) out[to + column] += factor * b[from + column];
    }
  }
}

export function outer(a, b) {
  const [x, y] = [ravel(a), ravel(b)];
  return multiply(reshape(x, [x.size, 1]), y);
}

/** Sums of products by letters: each operand is laid out by all of them, and those left summed. */
export function einsum(letters, ...given) {
  const [left, right] = letters.replace(/\s/g, "").split("->");
  const terms = left.split(",");
  const once = (letter) => left.split(letter).length === 2;
  const result = right ?? [...new Set(left.replace(/,/g, ""))].filter(once).sort().join("");
  const all = [...new Set(result + left.replace(/,/g, ""))];
  const parts = terms.map((term, k) => laidOut(operand(given[k]), [...term], all));
  const whole = operand(parts.reduce((x, y) => multiply(x, y)));
  const axes = all.map((_, k) => k).slice(result.length);
  return axes.length ? sum(whole, axes) : lone(whole);
}

function laidOut(a, term, all) {
  if (new Set(term).size < term.length) throw valueError("a letter twice in one operand");
  const order = term.map((_, k) => k).sort((p, q) => all.indexOf(term[p]) - all.indexOf(term[q]));
  const shape = all.map((letter) => (term.includes(letter) ? a.shape[term.indexOf(letter)] : 1));
  return reshape(transpose(a, order), shape);
}
