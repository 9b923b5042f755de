// Texts filled up to a width, counted in code points as Python counts.

export const size = (s) => {
  let n = 0;
  for (const _ of s) n++;
  return n;
};

export const ljust = (s, width, fill = " ") => s + filling(s, width, fill);

export const rjust = (s, width, fill = " ") => filling(s, width, fill) + s;

/** The odd one out goes left where the width is odd, as str.center has it. */
export function center(s, width, fill = " ") {
  const missing = Math.max(width - size(s), 0);
  return around(s, Math.floor(missing / 2) + (missing & width & 1), missing, fill);
}

/** By a format's alignment. */
export function aligned(s, align, width, fill) {
  if (align === "<") return ljust(s, width, fill);
  if (align === ">") return rjust(s, width, fill);
  const missing = Math.max(width - size(s), 0);
  return around(s, Math.floor(missing / 2), missing, fill);
}

const filling = (s, width, fill) => fill.repeat(Math.max(width - size(s), 0));

const around = (s, left, missing, fill) => fill.repeat(left) + s + fill.repeat(missing - left);

/** A number's text with zeros between its sign and its digits. */
export function zfill(s, width) {
  const sign = /^[+-]/.test(s) ? s[0] : "";
  return sign + rjust(s.slice(sign.length), width - sign.length, "0");
}
