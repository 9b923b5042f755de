// What is drawn, as the text of paths: lines, areas, and the markers of models.

const shortened = (x) => Math.round(1000 * x) / 1000;
const joined = (points) => points.map((point) => point.map(shortened).join()).join("L");

/** The line through points [x, y], in pixels. */
export const lineThrough = (points) => (points.length === 0 ? null : `M${joined(points)}`);

/** The area within points. */
export const areaWithin = (points) => `M${joined(points)}Z`;

const square = (size) => [[-1, -1], [1, -1], [1, 1], [-1, 1]].map((one) => one.map((x) => (x * Math.sqrt(size)) / 2));

function triangle(size) {
  const y = Math.sqrt(size / Math.sqrt(27));
  return [[0, -2 * y], [Math.sqrt(3) * y, y], [-Math.sqrt(3) * y, y]];
}

function diamond(size) {
  const x = Math.sqrt(size / Math.sqrt(12));
  return [[0, -Math.sqrt(3) * x], [x, 0], [0, Math.sqrt(3) * x], [-x, 0]];
}

function cross(size) {
  const [a, b] = [Math.sqrt(size / 20), 3 * Math.sqrt(size / 20)];
  const arm = [[-b, -a], [-a, -a], [-a, -b], [a, -b], [a, -a], [b, -a]];
  return [...arm, ...arm.map(([x, y]) => [-x, -y])];
}

/** A circle of so many square pixels around [0, 0]. */
export function circle(size) {
  const r = shortened(Math.sqrt(size / Math.PI));
  return `M${r},0A${r},${r},0,1,1,${-r},0A${r},${r},0,1,1,${r},0Z`;
}

const within = (corners) => (size) => areaWithin(corners(size));

/** Markers around [0, 0], by their size in square pixels. */
export const [squareOf, triangleOf, diamondOf, crossOf] = [square, triangle, diamond, cross].map(within);
