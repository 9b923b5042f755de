// Break-even: between which costs of a miss what is recommended stays the best.
import { FLAGGING } from "./decided.js";
import { plainly } from "../words/figures.js";

// An end so many times beyond what was asked about is none that anybody comes to.
const FAR = 1000;

/** One sentence, empty while it is not known, or where at exactly the mean costs another is best. */
export function stayingBest({ staying, recommendation }) {
  const own = ({ model, choice }) => model === recommendation.model && (model !== null || choice === recommendation.choice);
  if (!staying || !own(staying.best)) return "";
  const { mean, least, most } = staying;
  const low = least > mean / FAR ? least : null;
  const high = most !== null && most < mean * FAR ? most : null;
  const of = (end) => `${plainly(end)} (${factor(end / mean)} what was asked)`;
  const what = recommendation.model ?? FLAGGING[recommendation.choice];
  const start = `With each threshold set to the costs, ${what} stays best on held-out rows`;
  if (low === null && high === null) return `${start} whatever a miss costs.`;
  const where =
    low === null
      ? `a miss costs under ${of(high)} false alarms`
      : high === null
        ? `a miss costs over ${of(low)} false alarms`
        : `a miss costs between ${of(low)} and ${of(high)} false alarms`;
  const rivals = [...new Set([low && staying.below, high && staying.above].filter(Boolean).map(named))];
  return `${start} while ${where}; beyond, it is ${rivals.join(" or ")}.`;
}

const named = ({ model, choice }) => model ?? FLAGGING[choice];

const factor = (x) => (x >= 1 ? `${plainly(x)} times` : `${plainly(100 * x)}\u00a0% of`);
