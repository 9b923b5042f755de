/* In search, guides come first, then concepts, the reference, and last records of how it is built.
   Within each Sphinx's own score decides; its numbers stand below, since this object replaces them. */
var Scorer = {
  score: ([page, , , , score]) => {
    const last = ["concepts/", "reference/", "extending/", "decisions/"];
    return score - 1000 * (1 + last.findIndex((folder) => page.startsWith(folder)));
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
