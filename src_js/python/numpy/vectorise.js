// How a function of up to three numbers goes over arrays.
import { NDArray } from "./array.js";
import { scratch, spend } from "./spare.js";
import { converted, fresh, lone, operand, sameShape, storage } from "./storage.js";
import { broadcast } from "./ufunc.js";
import { stretching, walk } from "./views.js";

/** A function of numbers as one of arrays, lists and numbers, broadcast, that gives floats. */
export function vectorised(f) {
  return (...args) => {
    if (args.length === 1) return ofOne(f, operand(args[0]));
    const operands = args.map(operand);
    const shape = operands.map((a) => a.shape).reduce(broadcast);
    const found = fresh("f", shape);
    const [x, y, z] = operands.map((a) => numbers(a, shape, found.size));
    const out = found.data;
    const [i, j, k] = [x, y, z].map((data) => (data?.length === 1 ? 0 : 1));
    if (z) for (let n = 0; n < out.length; n++) out[n] = f(x[i * n], y[j * n], z[k * n]);
    else if (y) for (let n = 0; n < out.length; n++) out[n] = f(x[i * n], y[j * n]);
    else for (let n = 0; n < out.length; n++) out[n] = f(x[n]);
    return lone(found);
  };
}

function ofOne(f, a) {
  const { data } = a.kind === "O" || a.kind === "U" ? floats(a) : a;
  const found = scratch(data.length);
  for (let k = 0; k < found.length; k++) found[k] = f(data[k]);
  if (a.spare) spend(a);
  return lone(new NDArray(found, a.shape, "f"));
}

/** An operand's numbers: a lone one, or as many as the result has. */
function numbers(a, shape, size) {
  const { data } = a.kind === "O" || a.kind === "U" ? floats(a) : a;
  if (data.length === 1 || sameShape(a.shape, shape) || data.length === size) return data;
  const stretched = storage("f", size);
  walk(0, shape, stretching(a, shape), (at, step, k, n) => {
    for (let end = k + n; k < end; k++, at += step) stretched[k] = data[at];
  });
  return stretched;
}

const floats = (a) => ({ data: Float64Array.from(a.data, (x) => converted(x, "f")) });
