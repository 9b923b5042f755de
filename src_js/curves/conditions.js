// Operating conditions on their scales, and where a number stands among ascending ones.

/** The cost proportion of a skew at a prevalence. */
export const costFromSkew = (z, p) => 1 / (1 + ((1 - z) * (1 - p)) / (z * p));

export const logit = (x) => Math.log(x / (1 - x));
export const expit = (u) => 1 / (1 + Math.exp(-u));

/** How many of ascending numbers are at most x. */
export function countUpTo(values, x) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}
