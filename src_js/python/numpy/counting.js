// Counts, and values that are close.
import { less_equal, logical_and, logical_or, equal } from "./comparing.js";
import { abs, isfinite, isnan } from "./elementwise.js";
import { add, multiply, subtract } from "./arithmetic.js";
import { NDArray } from "./array.js";
import { valueError } from "./errors.js";
import { named } from "./named.js";
import { all } from "./reducing.js";
import { operand } from "./storage.js";

export function bincount(a, ...args) {
  const { weights = null, minlength = 0 } = named(args, ["weights", "minlength"]);
  const { data, size: n } = operand(a);
  let most = minlength;
  for (let k = 0; k < n; k++) {
    if (data[k] < 0) throw valueError("'list' argument must have no negative elements");
    if (data[k] >= most) most = data[k] + 1;
  }
  const found = new Float64Array(most);
  if (weights === null) {
    for (let k = 0; k < n; k++) found[data[k]] += 1;
    return new NDArray(found, [most], "i");
  }
  const weight = operand(weights);
  if (weight.size !== n) throw valueError("The weights and list don't have the same length.");
  for (let k = 0; k < n; k++) found[data[k]] += weight.data[k];
  return new NDArray(found, [most], "f");
}

export function isclose(a, b, ...args) {
  const names = ["rtol", "atol", "equal_nan"];
  const { rtol = 1e-5, atol = 1e-8, equal_nan: nans = false } = named(args, names);
  const room = add(atol, multiply(rtol, abs(b)));
  const near = logical_and(less_equal(abs(subtract(a, b)), room), isfinite(b));
  const found = logical_or(near, equal(a, b));
  return nans ? logical_or(found, logical_and(isnan(a), isnan(b))) : found;
}

export const allclose = (...args) => all(isclose(...args));
