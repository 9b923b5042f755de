// Rules as the library writes them: cuts, what is done between them, and, where chance decides, the
// other rule and how likely this one is.

/** The rule that flags scores above a threshold, everybody or nobody if that is infinite. */
export function over(threshold) {
  if (threshold === -Infinity) return { by: "score", cuts: [], actions: ["flag"] };
  if (threshold === Infinity) return { by: "score", cuts: [], actions: ["pass"] };
  return { by: "score", cuts: [threshold], actions: ["pass", "flag"] };
}

/** The rule that applies a first with a probability, and else a second. */
export function drawn(first, second, chance) {
  if (chance === 1) return first;
  return chance === 0 ? second : { ...first, chance, otherwise: second };
}

/** The score above which a rule flags, without the other; null if it does more than that. */
export function thresholdOf({ by, cuts, actions }) {
  const [low, high] = actions;
  if (cuts.length === 0) return low === "flag" ? -Infinity : low === "pass" ? Infinity : null;
  return by === "score" && cuts.length === 1 && low === "pass" && high === "flag" ? cuts[0] : null;
}
