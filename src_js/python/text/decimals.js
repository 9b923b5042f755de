// Decimal digits of doubles, exactly rounded to even as Python's: JavaScript rounds ties up.

const view = new DataView(new ArrayBuffer(8));

/** A positive finite double as [m, e], which is m * 2^e. */
function parts(x) {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, exponent - 1075];
}

/** x * 10^places as a whole number, rounded half to even, of a finite x >= 0. */
function scaled(x, places) {
  const [m, e] = parts(x);
  const power = 10n ** BigInt(Math.abs(places));
  const top = (places >= 0 ? m * power : m) << BigInt(Math.max(e, 0));
  const bottom = (places >= 0 ? 1n : power) << BigInt(Math.max(-e, 0));
  const whole = top / bottom;
  const twice = 2n * (top - whole * bottom);
  return twice > bottom || (twice === bottom && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Digits of a finite x >= 0 with so many after the point. */
export function fixed(x, places) {
  const twice = 2 * x * 10 ** places;
  // Exact, and much quicker, where x is no tie.
  if (places <= 15 && twice < 2 ** 52 && !Number.isInteger(twice)) return x.toFixed(places);
  const digits = String(scaled(x, places)).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return places ? `${whole}.${digits.slice(-places)}` : whole;
}

/** So many significant digits of a finite x >= 0, and the power of ten of the first. */
export function significant(x, count) {
  if (x === 0) return ["0".repeat(count), 0];
  const [near, at] = shortest(x);
  // The shortest text may be that of a power of ten just above.
  let power = near === "1" ? at - 1 : at;
  for (;;) {
    const digits = String(scaled(x, count - 1 - power));
    if (digits.length === count) return [digits, power];
    power++;
  }
}

/** The fewest digits that are read back as a finite x >= 0, and the power of ten of the first. */
export function shortest(x) {
  const [digits, power] = x.toExponential().split("e");
  return [digits.replace(".", ""), Number(power)];
}

/** Digits, the first of which is of a power of ten, as "1.5e+16". */
export function exponential(digits, power, marker = "e") {
  const point = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  const size = String(Math.abs(power)).padStart(2, "0");
  return `${point}${marker}${power < 0 ? "-" : "+"}${size}`;
}

/** Digits, the first of which is of a power of ten, as "0.0015" or "1500". */
export function positional(digits, power) {
  if (power < 0) return `0.${"0".repeat(-power - 1)}${digits}`;
  if (digits.length <= power + 1) return digits.padEnd(power + 1, "0");
  return `${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`;
}
