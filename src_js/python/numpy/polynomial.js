// Polynomials.
import { add, multiply, subtract } from "./arithmetic.js";
import { NDArray } from "./array.js";
import { operand } from "./storage.js";
import { getitem } from "./indexing.js";
import { reshape } from "./shapes.js";

/** Nodes and weights of Gauss and Legendre, the nodes by Newton's steps. */
function leggauss(n) {
  const nodes = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let k = 0; k < (n + 1) >> 1; k++) {
    let x = Math.cos((Math.PI * (k + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let step = 0; step < 100; step++) {
      const [value, before] = legendre(n, x);
      slope = (n * (before - x * value)) / ((1 - x) * (1 + x));
      const next = x - value / slope;
      const done = Math.abs(next - x) <= 1e-16;
      x = next;
      if (done) break;
    }
    if (n % 2 && k === n >> 1) x = 0;
    const [value, before] = legendre(n, x);
    const width = (1 - x) * (1 + x);
    slope = (n * (before - x * value)) / width;
    nodes[k] = -x;
    nodes[n - 1 - k] = x;
    // Near the ends the weight changes much between the node and the float next to it.
    weights[k] = 2 / (slope * slope * (width - 2 * x * (value / slope)));
    weights[n - 1 - k] = weights[k];
  }
  if (n % 2) nodes[n >> 1] = 0;
  return [new NDArray(nodes, [n], "f"), new NDArray(weights, [n], "f")];
}

/** The polynomials of degree n and n - 1. */
function legendre(n, x) {
  let [before, value] = [1, x];
  for (let k = 2; k <= n; k++) {
    [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
  }
  return n === 0 ? [1, 0] : [value, before];
}

function chebval(x, coefficients) {
  const at = operand(x);
  let c = operand(coefficients);
  if (c.ndim > 1) c = reshape(c, [...c.shape, ...new Array(at.ndim).fill(1)]);
  const of = (k) => getitem(c, k);
  const n = c.shape[0];
  if (n === 1) return add(of(0), multiply(at, 0));
  let [low, high] = [of(n - 2), of(n - 1)];
  const double = multiply(at, 2);
  for (let k = 3; k <= n; k++) {
    [low, high] = [subtract(of(n - k), high), add(low, multiply(high, double))];
  }
  return add(low, multiply(high, at));
}

function chebder(coefficients) {
  const c = operand(coefficients).astype("f");
  const n = c.size - 1;
  if (n < 1) return new NDArray(new Float64Array(1), [1], "f");
  const found = new Float64Array(n);
  for (let j = n; j > 2; j--) {
    found[j - 1] = 2 * j * c.data[j];
    c.data[j - 2] += (j * c.data[j]) / (j - 2);
  }
  if (n > 1) found[1] = 4 * c.data[2];
  found[0] = c.data[1];
  return new NDArray(found, [n], "f");
}

export const polynomial = {
  legendre: { leggauss },
  chebyshev: { chebval, chebder },
};
