// An array of truth values or numbers as a key.
import { NDArray } from "./array.js";

export class Bytes {
  constructor(array) {
    this.array = array;
  }

  $key() {
    const { kind, shape, data } = this.array;
    return `\u0001${kind}${shape}:${data.join(",")}`;
  }
}

/** The array, flat, that bytes were made of. */
export function frombuffer(bytes) {
  const { data, kind } = bytes.array;
  return new NDArray(data.slice(), [data.length], kind);
}
