// Roots of ascending smooth functions by Halley's method.

// The method is of third order, so that a step this small is the last that changes anything.
const LAST = 1e-6;
const MOST = 200;

/**
 * A place near the root and the last step from there, so that places of which x is a logarithm
 * lose no digits by the size of x. `at(x)` gives Newton's step back, f / f', and the curvature
 * f'' / f'. The bounds close in by the sign of f; a step that leaves them is replaced by half of
 * the way.
 */
export function solved(start, at, low = -Infinity, high = Infinity) {
  let x = start;
  for (let i = 0; i < MOST; i++) {
    const [newton, curvature] = at(x);
    if (newton > 0) high = x;
    else low = x;
    const damping = 1 - (newton * curvature) / 2;
    // Far from the root, Halley's steps are short where the function flattens.
    const step = -newton / (damping > 1.5 ? 1 : Math.max(damping, 0.5));
    if (!(Math.abs(newton) > LAST)) return [x, step];
    x = x + step > low && x + step < high ? x + step : (low + high) / 2;
  }
  return [x, 0];
}
