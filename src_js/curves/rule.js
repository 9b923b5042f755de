// Rules as the library writes them: cuts, what is done between them, and, where chance decides, the
// other rule and how likely this one is.

/** The score above which a rule flags, without the other; null if it does more than that. */
export function thresholdOf({ by, cuts, actions }) {
  const [low, high] = actions;
  if (cuts.length === 0) return low === "flag" ? -Infinity : low === "pass" ? Infinity : null;
  return by === "score" && cuts.length === 1 && low === "pass" && high === "flag" ? cuts[0] : null;
}
