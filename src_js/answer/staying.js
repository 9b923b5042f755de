// Break-even: between which costs of a miss what is recommended stays the best.
import { FLAGGING } from "./decided.js";
import { plainly, priced } from "../words/figures.js";

// An end so many times beyond what was asked about is none that anybody comes to.
const FAR = 1000;

/** A sentence or two, empty while it is not known, or where at exactly the mean costs another is best. */
export function stayingBest({ staying, recommendation }, { question, currency }) {
  const own = ({ model, choice }) => model === recommendation.model && (model !== null || choice === recommendation.choice);
  if (!staying || question === null || !own(staying.best)) return "";
  const { mean, least, most } = staying;
  const low = least > mean / FAR ? least : null;
  const high = most !== null && most < mean * FAR ? most : null;
  const start = `Break-even: ${named(recommendation)} stays best`;
  const basis = "Each threshold is set to the costs, on held-out rows.";
  if (low === null && high === null) return `${start} whatever a miss costs. ${basis}`;
  const unit = falseAlarm(question, currency);
  const cost = unit === null ? (times) => `${plainly(times)} false alarms` : (times) => priced(plainly(times * unit), currency);
  const from = unit === null ? plainly : cost;
  const ends =
    low === null ? `under ${cost(high)}` : high === null ? `over ${cost(low)}` : `between ${from(low)} and ${cost(high)}`;
  const [first, last] = question.fn_cost;
  const asked = `asked: ${cost(mean)}${first < last ? " on average" : ""}`;
  const beyond = [
    ...(low === null ? [] : [`below it is ${named(staying.below)}`]),
    ...(high === null ? [] : [`above it is ${named(staying.above)}`]),
  ];
  return `${start} while a miss costs ${ends} (${asked}); ${beyond.join(", ")}. ${basis}`;
}

const named = ({ model, choice }) => model ?? FLAGGING[choice];

/** What a false alarm costs, if that is one amount of money and right decisions cost nothing; else null. */
function falseAlarm({ fp_cost: [low, high], tp_cost, tn_cost }, currency) {
  const plain = low === high && [...tp_cost, ...tn_cost].every((cost) => cost === 0);
  return plain && (low !== 1 || currency !== "") ? low : null;
}
