// Of d3-interpolate what scales of numbers take: colours, dates and texts are most of it.
export const interpolate = (a, b) => (t) => a * (1 - t) + b * t;
export const interpolateNumber = interpolate;
// Scales that the page has none of.
export const interpolateRound = null;
export const piecewise = null;
