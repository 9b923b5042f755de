// Polynomials on panels, without an array for each of their terms.
import { NDArray } from "./array.js";
import { searchsorted } from "./searching.js";
import { lone, operand } from "./storage.js";

/** The panel between edges that each place lies in, and where on it, from -1 to 1. */
export function located(edges, widths, x) {
  const given = operand(x);
  const [ends, sizes, n] = [edges.data, widths.data, given.size];
  const last = ends[ends.length - 1];
  const places = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const place = given.data[k];
    places[k] = place < 0 ? 0 : place > last ? last : place;
  }
  const inner = new NDArray(ends.subarray(1, ends.length - 1), [ends.length - 2], "f");
  const panel = searchsorted(inner, new NDArray(places, given.shape, "f"), "right");
  const of = operand(panel).data;
  for (let k = 0; k < n; k++) places[k] = 2 * ((places[k] - ends[of[k]]) / sizes[of[k]]) - 1;
  return [panel, lone(new NDArray(places, given.shape, "f"))];
}

/** Sums of Chebyshev polynomials, one sum for each panel, at places on some. */
export function sums_at(coefficients, panel, u) {
  const [of, given] = [operand(panel).data, operand(u)];
  const [terms, panels] = coefficients.shape;
  const c = coefficients.data;
  const found = new Float64Array(given.size);
  for (let k = 0; k < found.length; k++) {
    const place = given.data[k];
    let [ahead, value] = [0, 0];
    for (let at = (terms - 1) * panels + of[k]; at >= panels; at -= panels) {
      const before = value;
      value = 2 * place * value - ahead + c[at];
      ahead = before;
    }
    found[k] = c[of[k]] + place * value - ahead;
  }
  return lone(new NDArray(found, given.shape, "f"));
}
