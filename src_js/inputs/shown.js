// How fields show the amounts that they are filled with.
export const plain = (x) => String(Number(x.toPrecision(6)));
export const asPercent = (x) => `${Number((100 * x).toPrecision(3))}\u00a0%`;
