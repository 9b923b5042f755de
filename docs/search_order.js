/* In search, guides come first, then concepts, the reference, and last records of how it is built; a
   page whose title has what is searched for comes before those of one folder more, not of two. What
   is no word but a name, as plot_watch or ScoreTable, finds its own page first. Within each Sphinx's
   own score decides; its numbers stand below, since this object replaces them. */
var Scorer = {
  score: ([page, title, anchor, , score]) => {
    const last = ["concepts/", "reference/", "extending/", "decisions/"];
    const asked = (new URLSearchParams(location.search).get("q") ?? "").trim();
    const titled = !anchor && title.toLowerCase().includes(asked.toLowerCase());
    const named = titled && title === asked && /_|[a-z][A-Z]/.test(asked);
    const folder = 1 + last.findIndex((folder) => page.startsWith(folder));
    return score + 1000 * (1.5 * titled + 3 * named - folder);
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
