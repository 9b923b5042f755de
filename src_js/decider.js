// Answers questions about the page's data, in a worker made of the engine that the page holds.
import { byId } from "./dom.js";

const STOPPED = "This browser does not run the engine of this page: open it in another one.";
// What somebody does who may ask next: the engine takes longest for its first answer.
const SIGNS = ["pointermove", "pointerdown", "focusin", "keydown"];

/**
 * What answers questions. `answer` gives `{decision}`, or what is wrong as `{error}`; `details`
 * what a page shows of that decision when it is asked why.
 */
export function openDecider(contents) {
  if (contents.fixed !== null) return fixedDecider(contents);
  const waiting = new Map();
  let put = 0;
  let working = null;
  let broken = false;
  const settle = (id, value) => {
    waiting.get(id)?.(value);
    waiting.delete(id);
  };
  const stopped = () => {
    broken = true;
    for (const id of waiting.keys()) settle(id, { error: STOPPED });
  };
  const ask = (kind, value) => {
    if (broken) return Promise.resolve({ error: STOPPED });
    working ??= begun(contents, settle, stopped);
    put += 1;
    const id = put;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      working.then((worker) => worker.postMessage({ id, kind, value }), stopped);
    });
  };
  if (contents.question !== null) atFirstSign(() => working ?? ask("answer", contents.question));
  return {
    answer: (question) => ask("answer", question),
    details: (question) => ask("details", question),
  };
}

/** Acts once, when somebody begins to use the page. */
function atFirstSign(act) {
  const once = () => {
    for (const sign of SIGNS) removeEventListener(sign, once, true);
    act();
  };
  for (const sign of SIGNS) addEventListener(sign, once, { capture: true, passive: true });
}

async function begun({ level }, settle, stopped) {
  const [engine, rows] = await Promise.all(["engine", "rows"].map(unpacked));
  const address = URL.createObjectURL(new Blob([engine], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.onmessage = ({ data }) => settle(data.id, data.value);
  worker.onerror = stopped;
  worker.postMessage({ id: 0, kind: "open", value: { rows: JSON.parse(rows), level } });
  return worker;
}

/** What the page holds in an element, packed by gzip and in base64. */
function unpacked(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Of a page that answers one question only: all is in its decision. */
function fixedDecider({ decision, fixed }) {
  return {
    answer: () => Promise.resolve({ error: fixed }),
    details: () => Promise.resolve(decision),
  };
}
