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
  const what = recommendation.model ?? FLAGGING[recommendation.choice];
  const start = `With each threshold set to the costs, ${what} stays best on held-out rows`;
  if (low === null && high === null) return `${start} whatever a miss costs.`;
  const [ends, times] = [plainly, (end) => plainly(end / mean)].map((shown) =>
    low === null ? `under ${shown(high)}` : high === null ? `over ${shown(low)}` : `between ${shown(low)} and ${shown(high)}`,
  );
  const rivals = [...new Set([low && staying.below, high && staying.above].filter(Boolean).map(named))];
  return `${start} while a miss costs ${ends} false alarms (${times} times what was asked); beyond, it is ${rivals.join(" or ")}.`;
}

const named = ({ model, choice }) => model ?? FLAGGING[choice];
