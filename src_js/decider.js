// Answers questions about the page's data, in a worker made of the engine that the page holds.
import { byId } from "./dom.js";

const STOPPED = "This browser does not run the engine of this page: open it in another one.";

/**
 * What answers questions. `answer` gives `{decision}`, or what is wrong as `{error}`; `details`
 * what a page shows of that decision when it is asked why.
 */
export function openDecider(contents) {
  if (contents.fixed !== null) return fixedDecider(contents);
  const waiting = new Map();
  let put = 0;
  let worker = null;
  const settle = (id, value) => {
    waiting.get(id)?.(value);
    waiting.delete(id);
  };
  const ask = (kind, value) => {
    worker ??= begun(contents, settle, () => {
      for (const id of waiting.keys()) settle(id, { error: STOPPED });
    });
    put += 1;
    const id = put;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      worker.postMessage({ id, kind, value });
    });
  };
  return { answer: (question) => ask("answer", question), details: (question) => ask("details", question) };
}

function begun(contents, settle, stopped) {
  const text = byId("engine").textContent;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.onmessage = ({ data }) => settle(data.id, data.value);
  worker.onerror = stopped;
  worker.postMessage({ id: 0, kind: "open", value: { rows: contents.rows, level: contents.level } });
  return worker;
}

/** Of a page that answers one question only: all is in its decision. */
function fixedDecider({ decision, fixed }) {
  return {
    answer: () => Promise.resolve({ error: fixed }),
    details: () => Promise.resolve(decision),
  };
}
