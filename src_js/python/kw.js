// What a translated call passes besides plain values: arguments by name.

/** Arguments by name; a call has one such object at most, as its last argument. */
export class Kw {
  constructor(named) {
    Object.assign(this, named);
  }
}
