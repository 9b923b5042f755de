// Operating conditions, in the very arithmetic of the library: ties fall on the same side.

// In this form it is monotone in spite of rounding.
const share = (part, rest) => 1 / (1 + rest / part);

export const skewFromCost = (c, p) => share(c * (1 - p), (1 - c) * p);
export const costFromSkew = (z, p) => share(z * p, (1 - z) * (1 - p));
export const costProportion = (fpCost, fnCost) => 1 / (1 + fnCost / fpCost);

export const logit = (x) => Math.log(x / (1 - x));
export const expit = (u) => 1 / (1 + Math.exp(-u));

// What a logit scale, which has no place for 0 and 1, shows of them.
export const LOGIT_LIMITS = [1e-4, 1 - 1e-4];

/** Loss at a cost proportion; at a skew, if the prevalence is 1/2. */
export const lossOf = (c, p, fpr, fnr) => 2 * (c * (1 - p) * fpr + (1 - c) * p * fnr);

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

/** How many of ascending numbers are below x. */
export function countBelow(values, x) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
