// Answers questions about the page's data, in a worker made of the engine that the page holds.
import { byId } from "./dom.js";
import { firstQuestion } from "./question.js";

const STOPPED = "This browser does not run the engine of this page: open it in another one.";
// Events of a reader who may ask next.
const SIGNS = ["pointermove", "pointerdown", "focusin", "keydown"];
// How long, in milliseconds, work goes on that nobody asks for any more: to begin anew takes as long.
const OVERTAKEN = 1000;
// Browsers compile what runs often: after so many answers one takes a third of the first dozen.
const PRACTICE = 12;

/**
 * Answers questions. `answer` gives `{decision}`, or what is wrong as `{error}`, or `{dropped}` where
 * another question has overtaken it, as `overtaken` says. `detail` gives the
 * part at a place of what a page shows under "why", and null after the last: a reader who types
 * waits for one part, or one answer of the warm-up, at most.
 */
export function openDecider(contents) {
  if (contents.fixed !== null) return fixedDecider(contents);
  const waiting = new Map();
  let [put, answers, since] = [0, 0, 0];
  let working = null;
  let broken = false;
  let ending;
  const settle = (id, value) => {
    waiting.get(id)?.(value);
    waiting.delete(id);
    since = performance.now();
    if (waiting.size === 0) clearTimeout(ending);
  };
  /** Leaves what is in work, and begins anew with the next question. */
  const drop = () => {
    working?.then((worker) => worker.terminate(), () => {});
    working = null;
    for (const id of [...waiting.keys()]) settle(id, { dropped: true });
  };
  const stopped = () => {
    broken = true;
    for (const id of waiting.keys()) settle(id, { error: STOPPED });
  };
  const ask = (kind, value) => {
    if (broken) return Promise.resolve({ error: STOPPED });
    working ??= begun(contents, settle, stopped);
    if (waiting.size === 0) since = performance.now();
    put += 1;
    const id = put;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      working.then((worker) => worker.postMessage({ id, kind, value }), stopped);
    });
  };
  atFirstSign(async () => {
    for (const question of practice(contents)) {
      // A question waits for no more than one of these.
      if (answers > 0 || broken) return;
      await ask("practise", question);
    }
  });
  return {
    answer(question) {
      answers += 1;
      return ask("answer", question);
    },
    detail: (question, place) => ask("detail", { question, place }),
    overtaken() {
      clearTimeout(ending);
      if (waiting.size > 0) ending = setTimeout(drop, since + OVERTAKEN - performance.now());
    },
  };
}

/** Questions near the one that the page opens with: a value and a range in turn. */
function practice(contents) {
  const start = contents.question ?? firstQuestion(contents, [10, 10]);
  return Array.from({ length: PRACTICE }, (_, k) => {
    const raised = start.fn_cost.map((cost) => cost * (1 + k / PRACTICE));
    return { ...start, fn_cost: k % 2 ? [raised[0], 2 * raised[1]] : [raised[0], raised[0]] };
  });
}

/** Acts once, when somebody begins to use the page. */
function atFirstSign(act) {
  const once = () => {
    for (const sign of SIGNS) removeEventListener(sign, once, true);
    act();
  };
  for (const sign of SIGNS) addEventListener(sign, once, { capture: true, passive: true });
}

// What the page holds of the engine and of the rows, unpacked once.
let parts = null;

async function begun({ level }, settle, stopped) {
  parts ??= Promise.all(["engine", "rows"].map(unpacked));
  const [engine, rows] = await parts;
  const address = URL.createObjectURL(new Blob([engine], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.onmessage = ({ data }) => settle(data.id, data.value);
  worker.onerror = stopped;
  worker.postMessage({ id: 0, kind: "open", value: { rows: JSON.parse(rows), level } });
  return worker;
}

/** The content of an element, unpacked: gzip in base64. */
function unpacked(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** For a page that answers one question only: all is in its decision. */
function fixedDecider({ decision, fixed }) {
  return {
    answer: () => Promise.resolve({ error: fixed }),
    // They are in its decision.
    detail: () => Promise.resolve(null),
    overtaken: () => {},
  };
}
