// Sums as NumPy rounds them: by halves, down to blocks that eight counters share.

const BLOCK = 128;

export function pairwise(a, from, n) {
  if (n < 8) {
    // From -0, which alone leaves every sum as it is.
    let sum = -0;
    for (let k = from; k < from + n; k++) sum += a[k];
    return n ? sum : 0;
  }
  if (n <= BLOCK) return block(a, from, n);
  let half = n >> 1;
  half -= half % 8;
  return pairwise(a, from, half) + pairwise(a, from + half, n - half);
}

function block(a, from, n) {
  let [r0, r1, r2, r3] = [a[from], a[from + 1], a[from + 2], a[from + 3]];
  let [r4, r5, r6, r7] = [a[from + 4], a[from + 5], a[from + 6], a[from + 7]];
  const end = from + n;
  let k = from + 8;
  for (const whole = from + n - (n % 8); k < whole; k += 8) {
    r0 += a[k];
    r1 += a[k + 1];
    r2 += a[k + 2];
    r3 += a[k + 3];
    r4 += a[k + 4];
    r5 += a[k + 5];
    r6 += a[k + 6];
    r7 += a[k + 7];
  }
  let sum = r0 + r1 + (r2 + r3) + (r4 + r5 + (r6 + r7));
  for (; k < end; k++) sum += a[k];
  return sum;
}
