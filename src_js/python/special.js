// scipy.special for translated code: functions of numbers or of arrays, broadcast.

import * as beta from "./special/beta.js";
import * as elementary from "./special/elementary.js";
import * as gamma from "./special/gamma.js";
import * as normal from "./special/normal.js";
import * as student from "./special/student.js";
import { vectorised } from "./numpy/vectorise.js";

const isNumber = (x) => typeof x === "number" || typeof x === "boolean";

/** A function of numbers as one of numbers or arrays: a number where all are numbers. */
function lifted(scalar) {
  const overArrays = vectorised(scalar);
  return (...args) => (args.every(isNumber) ? scalar(...args.map(Number)) : overArrays(...args));
}

export const betainc = lifted(beta.betainc);
export const betaincc = lifted(beta.betaincc);
export const betaincinv = lifted(beta.betaincinv);
export const betaln = lifted(gamma.betaln);
export const expit = lifted(elementary.expit);
export const log_expit = lifted(elementary.logExpit);
export const log_ndtr = lifted(normal.logNdtr);
export const logit = lifted(elementary.logit);
export const ndtr = lifted(normal.ndtr);
export const ndtri = lifted(normal.ndtri);
export const stdtr = lifted(student.stdtr);
export const stdtrit = lifted(student.stdtrit);
export const xlog1py = lifted(elementary.xlog1py);
export const xlogy = lifted(elementary.xlogy);
