// Python's way to pass arguments, by place and then by name.
import { Kw } from "../kw.js";

/** The arguments by their names, of those in `args` that were given. */
export function named(args, names) {
  const found = {};
  let count = args.length;
  const last = count ? args[count - 1] : null;
  if (last instanceof Kw) count -= 1;
  for (let k = 0; k < count; k++) found[names[k]] = args[k];
  return last instanceof Kw ? Object.assign(found, last) : found;
}
