// Products of vectors and matrices.
import { multiply } from "./arithmetic.js";
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { ravel, reshape } from "./shapes.js";
import { count, lone, operand, promote } from "./storage.js";
import { broadcast, positions } from "./ufunc.js";

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
