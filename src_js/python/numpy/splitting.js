// Arrays taken apart.
import { axisOf } from "./along.js";
import { valueError } from "./errors.js";
import { getitem } from "./indexing.js";
import { named } from "./named.js";
import { alongAxis, Slice } from "./slices.js";
import { operand } from "./storage.js";

export function split(a, ...args) {
  const { indices_or_sections: sections, axis = 0 } = named(args, ["indices_or_sections", "axis"]);
  const n = operand(a).shape[axisOf(axis, operand(a).ndim)];
  if (typeof sections === "number" && n % sections !== 0) {
    throw valueError("array split does not result in an equal division");
  }
  return array_split(a, sections, axis);
}

export function array_split(a, ...args) {
  const { indices_or_sections: sections, axis = 0 } = named(args, ["indices_or_sections", "axis"]);
  const x = operand(a);
  const at = axisOf(axis, x.ndim);
  const n = x.shape[at];
  const even = typeof sections === "number";
  const ends = even ? evenly(n, sections) : Array.from(operand(sections).data);
  const bounds = [0, ...ends, n];
  return bounds.slice(1).map((end, k) => {
    const part = new Slice(bounds[k], k < ends.length ? end : null);
    return getitem(x, alongAxis(at, part));
  });
}

function evenly(n, sections) {
  if (!(sections > 0)) throw valueError("number sections must be larger than 0.");
  const [least, more] = [Math.floor(n / sections), n % sections];
  const ends = [];
  let end = 0;
  for (let k = 0; k < sections - 1; k++) {
    end += least + (k < more ? 1 : 0);
    ends.push(end);
  }
  return ends;
}
