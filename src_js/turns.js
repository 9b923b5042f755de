// When what is not seen first is drawn.

// Safari has no idle turns.
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work));
// How long, in milliseconds, a turn may be put off: a page that is never idle is drawn too.
const LATEST = 500;
const beforePaper = [];

addEventListener("beforeprint", () => {
  // What these draw may add to them.
  for (const draw of beforePaper) draw();
});

/** Calls back when the page is about to be printed, after those that asked before. */
export function beforePrint(draw) {
  beforePaper.push(draw);
}

/** Opens something folded for print, if it is there, and folds it again. */
export function openOnPaper(find) {
  let opened = null;
  beforePrint(() => {
    const details = find();
    opened = details?.open === false ? details : null;
    if (opened) opened.open = true;
  });
  addEventListener("afterprint", () => {
    if (opened) opened.open = false;
  });
}

/** Calls functions in order, each in an idle turn of its own, or all at once before printing. */
export function inTurns(functions) {
  const left = [...functions];
  const turn = () => {
    if (left.length === 0) return;
    idle(turn, { timeout: LATEST });
    left.shift()();
  };
  idle(turn, { timeout: LATEST });
  beforePrint(() => {
    while (left.length > 0) left.shift()();
  });
}
