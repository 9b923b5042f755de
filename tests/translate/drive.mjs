// Calls functions of a module: each by its name, with one list of arguments after another. JSON has
// no NaN nor infinities, which go as {"float": "nan"}.
const decode = (key, value) =>
  value !== null && typeof value === "object" && "float" in value
    ? { nan: NaN, inf: Infinity, "-inf": -Infinity, "-0.0": -0 }[value.float]
    : value;

const encode = (key, value) => {
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  const size = Math.abs(value) === Infinity ? "inf" : value === 0 ? "0.0" : "nan";
  return { float: value < 0 || Object.is(value, -0) ? `-${size}` : size };
};

export async function call(path, text) {
  const module = await import(path);
  const answers = JSON.parse(text, decode).map(([name, calls]) =>
    calls.map((args) => {
      try {
        const found = module[name](...args);
        return found?.tolist?.() ?? found;
      } catch (error) {
        return { error: error.message };
      }
    }),
  );
  return JSON.stringify(answers, encode);
}
