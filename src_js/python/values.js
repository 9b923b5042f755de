// Values that are made of parts: how they are made, compared, and told apart in mappings.

/** The base of every class: made by `$init`, which takes the place of Python's `__init__`. */
export class Value {
  constructor(...given) {
    this.$init(...given);
  }

  $init() {}

  __post_init__() {}

  __str__() {
    return this.__repr__();
  }

  __repr__() {
    const { $name, $fields, $repr } = this.constructor;
    if (!$fields || $repr === false) return `<${$name}>`;
    return `${$name}(${$fields.map((name) => `${name}=${written(this[name])}`).join(", ")})`;
  }

  get length() {
    return this.__len__();
  }

  [Symbol.iterator]() {
    return this.__iter__()[Symbol.iterator]();
  }
}

/** A tuple whose parts have names. */
export class Record extends Value {
  __len__() {
    return this.constructor.$fields.length;
  }

  __getitem__(at) {
    return [...this].slice(at)[0];
  }

  __iter__() {
    return this.constructor.$fields.map((name) => this[name]);
  }
}

let written = String;

/** Tells how parts are written, which a module says that itself needs values. */
export function writeBy(repr) {
  written = repr;
}

/** What a cached property is, found once. */
export function kept(value, name, find) {
  const found = find();
  setattr(value, name, found);
  return found;
}

/** Holds a part, also under the name of a property. */
export function setattr(value, name, part) {
  if (Object.prototype.hasOwnProperty.call(value, name)) {
    value[name] = part;
    return;
  }
  Object.defineProperty(value, name, {
    value: part,
    writable: true,
    configurable: true,
    enumerable: value.constructor.$fields?.includes(name) ?? true,
  });
}

/** What all values of a class have unless their own is set, found when it is asked for. */
export function shared(kind, name, find) {
  const put = (place, value) => Object.defineProperty(place, name, { value, configurable: true, writable: true });
  for (const place of [kind, kind.prototype]) {
    Object.defineProperty(place, name, {
      configurable: true,
      get() {
        const found = find();
        for (const each of [kind, kind.prototype]) put(each, found);
        return found;
      },
      set(value) {
        put(this, value);
      },
    });
  }
}

/** Another name of a method. */
export function alias(kind, name, other) {
  Object.defineProperty(
    kind.prototype,
    name,
    Object.getOwnPropertyDescriptor(kind.prototype, other),
  );
}

/** What a class has of others that it extends beside the first. */
export function mix(kind, ...others) {
  for (const other of others) {
    for (let from = other; from !== Value && from?.prototype; from = Object.getPrototypeOf(from)) {
      copied(from.prototype, kind.prototype);
      copied(from, kind);
      (Object.hasOwn(from, "$into") ? from.$into : (from.$into = [])).push(kind);
    }
  }
}

function copied(from, to) {
  for (const name of Reflect.ownKeys(from)) {
    if (name in to || name === "prototype" || name === "$into") continue;
    Object.defineProperty(to, name, Object.getOwnPropertyDescriptor(from, name));
  }
}

const numbers = new WeakMap();
let counted = 0;

/** What tells a value from others in a mapping: a string or a number as it is, others in words. */
export function keyOf(value) {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? value : `\u0001${typeof value}${String(value)}`;
  }
  if (Array.isArray(value)) return `\u0001[${value.map(keyOf).join("\u0002")}]`;
  if (value.$key) return value.$key();
  const { $eq, $fields, $name } = value.constructor;
  if ($eq) return `\u0001${$name}(${$fields.map((name) => keyOf(value[name])).join("\u0002")})`;
  if (!numbers.has(value)) numbers.set(value, ++counted);
  return `\u0001#${numbers.get(value)}`;
}

/** A constant, found when it is first asked for. */
export function lazy(find) {
  let found;
  let known = false;
  return () => {
    if (!known) [found, known] = [find(), true];
    return found;
  };
}

export const same = (value) => value;
export const cast = (_, value) => value;
export const nothing = () => null;
