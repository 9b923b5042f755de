// What loops go over.

export class StopIteration extends Error {}

/** A value as JavaScript goes over it. */
export function iterated(values) {
  if (values === null || values === undefined) throw new Error("nothing to go over");
  if (values[Symbol.iterator]) return values;
  throw new Error(`${values.constructor?.$name ?? typeof values} is not gone over`);
}

/** What a function finds of each value. */
export function mapped(f, values) {
  return Array.from(iterated(values), (value) => f(value));
}

export function pairwise(values) {
  const list = [...iterated(values)];
  return list.slice(1).map((value, k) => [list[k], value]);
}

export function combinations(values, size) {
  const list = [...iterated(values)];
  const from = (start, rest) =>
    rest === 0
      ? [[]]
      : list
          .slice(start)
          .flatMap((value, k) => from(start + k + 1, rest - 1).map((one) => [value, ...one]));
  return from(0, size);
}

export function product(...many) {
  return many.reduce(
    (found, values) => found.flatMap((one) => [...iterated(values)].map((value) => [...one, value])),
    [[]],
  );
}
