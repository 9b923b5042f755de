// Runs programs of NumPy's calls: of each the values that its names have in the end, or the error.
import { bool_, float_, int_, Kw } from "../../src_js/python/runtime.js";
import * as np from "../../src_js/python/numpy.js";

const { NDArray } = np;
const TYPES = { float: float_, int: int_, bool: bool_ };
const NUMBERS = { nan: NaN, inf: Infinity, "-inf": -Infinity, "-0": -0 };

const number = (x) => (typeof x === "string" && x in NUMBERS ? NUMBERS[x] : x);

function read(value, names) {
  if (value === null || typeof value !== "object") return number(value);
  if (Array.isArray(value)) return value.map((one) => read(one, names));
  const [[what, of]] = Object.entries(value);
  if (what === "name") return names[of];
  if (what === "text") return of;
  if (what === "type") return TYPES[of];
  if (what === "slice") return new np.Slice(...of);
  if (what === "index") return new np.Index(of.map((part) => read(part, names)));
  if (what === "ellipsis") return np.Ellipsis;
  const [kind, shape, data] = of;
  return array(kind, shape, data);
}

function array(kind, shape, data) {
  const made = np.array(kind === "U" ? data : data.map(number), new Kw({ dtype: kind }));
  return made.reshape(shape);
}

function write(value) {
  if (value instanceof NDArray) {
    if (value.kind === "q") return { array: ["q", value.shape, Array.from(value.data, String)] };
    return { array: [value.kind, value.shape, Array.from(value.data, write)] };
  }
  if (Array.isArray(value)) return value.map(write);
  if (value instanceof np.Index) return value.parts.map(write);
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return Object.is(value, -0) ? "-0" : String(value).replace("Infinity", "inf").toLowerCase();
}

function run(name, args, named) {
  const kw = Object.keys(named).length ? [new Kw(named)] : [];
  if (name.startsWith(".")) return args[0][name.slice(1)](...args.slice(1), ...kw);
  if (name === "inplace") return np.inplace(args[0], np[args[1]], args[2]);
  const found = name.split(".").reduce((of, part) => of[part], np);
  return found(...args, ...kw);
}

function outcome(program) {
  const names = {};
  try {
    for (const [target, name, args, named] of program) {
      const given = args.map((arg) => read(arg, names));
      const kw = Object.fromEntries(Object.entries(named).map(([k, v]) => [k, read(v, names)]));
      names[target] = run(name, given, kw);
    }
  } catch (error) {
    return { error: `${error.name}: ${error.message}`, stack: error.stack };
  }
  return Object.fromEntries(Object.entries(names).map(([k, v]) => [k, write(v ?? null)]));
}

export const answer = (text) => JSON.stringify(JSON.parse(text).map(outcome));
