// Linear equations, by elimination with the largest pivot first.
import { NDArray } from "./array.js";
import { ValueError_ } from "../errors.js";
import { eye } from "./splitting.js";
import { operand } from "./storage.js";
import { sqrt } from "./elementwise.js";
import { multiply } from "./arithmetic.js";
import { sum } from "./reducing.js";

class LinAlgError extends ValueError_ {
  static $name = "LinAlgError";
}

/** Rows reduced to a triangle, with the right sides; returns the determinant. */
function eliminate(a, n, b, m) {
  let found = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let row = k + 1; row < n; row++) {
      if (Math.abs(a[row * n + k]) > Math.abs(a[pivot * n + k])) pivot = row;
    }
    if (pivot !== k) {
      swap(a, k, pivot, n);
      swap(b, k, pivot, m);
      found = -found;
    }
    const head = a[k * n + k];
    found *= head;
    if (head === 0) return 0;
    for (let row = k + 1; row < n; row++) {
      const factor = a[row * n + k] / head;
      for (let column = k; column < n; column++) a[row * n + column] -= factor * a[k * n + column];
      for (let column = 0; column < m; column++) b[row * m + column] -= factor * b[k * m + column];
    }
  }
  return found;
}

function swap(a, one, two, n) {
  for (let k = 0; k < n; k++) {
    const kept = a[one * n + k];
    a[one * n + k] = a[two * n + k];
    a[two * n + k] = kept;
  }
}

function square(a) {
  const x = operand(a);
  if (x.ndim !== 2 || x.shape[0] !== x.shape[1]) {
    throw new LinAlgError("Last 2 dimensions of the array must be square");
  }
  return Float64Array.from(x.data);
}

function det(a) {
  const n = operand(a).shape[0];
  return eliminate(square(a), n, new Float64Array(0), 0);
}

function solve(a, b) {
  const left = square(a);
  const right = operand(b);
  const n = operand(a).shape[0];
  const m = right.size / n;
  const x = Float64Array.from(right.data);
  if (eliminate(left, n, x, m) === 0) throw new LinAlgError("Singular matrix");
  for (let k = n - 1; k >= 0; k--) {
    for (let column = 0; column < m; column++) {
      let value = x[k * m + column];
      for (let j = k + 1; j < n; j++) value -= left[k * n + j] * x[j * m + column];
      x[k * m + column] = value / left[k * n + k];
    }
  }
  return new NDArray(x, right.shape.slice(), "f");
}

const inv = (a) => solve(a, eye(operand(a).shape[0]));
const norm = (a) => sqrt(sum(multiply(operand(a), operand(a))));

export const linalg = { det, solve, inv, norm, LinAlgError };
