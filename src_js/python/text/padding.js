// Texts filled up to a width, counted in code points as Python counts.

export const size = (s) => {
  let n = 0;
  for (const _ of s) n++;
  return n;
};

export const rjust = (s, width, fill = " ") => filling(s, width, fill) + s;

/** By a format's alignment. */
export function aligned(s, align, width, fill) {
  if (align === "<") return s + filling(s, width, fill);
  if (align === ">") return rjust(s, width, fill);
  const missing = Math.max(width - size(s), 0);
  return around(s, Math.floor(missing / 2), missing, fill);
}

const filling = (s, width, fill) => fill.repeat(Math.max(width - size(s), 0));

const around = (s, left, missing, fill) => fill.repeat(left) + s + fill.repeat(missing - left);
