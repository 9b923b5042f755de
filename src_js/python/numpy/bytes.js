// An array of truth values or numbers as a key.
import { NDArray } from "./array.js";
import { named } from "./named.js";

export class Bytes {
  constructor(array) {
    this.array = array;
  }

  $key() {
    const { kind, shape, data } = this.array;
    return `\u0001${kind}${shape}:${data.join(",")}`;
  }
}

/** The array, flat, that bytes were made of, which is of the type that is asked for. */
export function frombuffer(...args) {
  const { buffer } = named(args, ["buffer", "dtype"]);
  const { data, kind } = buffer.array;
  return new NDArray(data.slice(), [data.length], kind);
}
