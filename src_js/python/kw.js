// What a translated call passes besides plain values: arguments by name, and Python's types.

/** Arguments by name; a call has one such object at most, as its last argument. */
export class Kw {
  constructor(named) {
    Object.assign(this, named);
  }
}

export const pyfloat = { kind: "f" };
export const pyint = { kind: "i" };
export const pybool = { kind: "b" };
export const pystr = { kind: "U" };
export const pyobject = { kind: "O" };
