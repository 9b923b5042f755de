// What the page is asked and answers, and who wants to know when that changes.
import { same } from "./question.js";

// How long, in milliseconds, an answer stands before more is asked about it: those who type come first.
const STEADY = 300;
// How long before that is asked which is not next to the answer.
const PATIENCE = 2000;

/**
 * The state of the page; `set` changes some of it and tells those who watch that.
 *
 * `question` is what `decision` answers, and `details` what is found of that later; `asked` is the
 * last question put, which may have no answer yet, or none at all: `error` says why.
 */
export function stateOf(contents, decider) {
  const values = {
    ...begun(contents),
    threshold: null,
    // Fields that cannot be read.
    wrong: [],
    volume: contents.initial.cases,
    currency: contents.initial.currency,
    // Answers to compare with: {text, decision}, the text as in an address; what a link has pinned is not answered yet.
    pins: [],
  };
  values.rankedModels = ranked(contents, values.decision);
  const watchers = [];
  const tell = (changes) => {
    Object.assign(values, changes);
    const changed = new Set(Object.keys(changes));
    for (const [names, update] of watchers) {
      if (names.some((name) => changed.has(name))) update(changed);
    }
  };
  const learn = learning(values, tell, decider);
  const ask = asking(values, tell, { contents, decider, learn });
  learn(values.question);
  return {
    values,
    watch(names, update) {
      watchers.push([names, update]);
    },
    /** The answer to another question, which leaves the page's own as it is: {decision} or {error}. */
    async answer(question) {
      let found;
      do found = await answerTo(question, contents, decider);
      while (found.dropped);
      return found;
    },
    set({ question, ...others }) {
      const isNew = question !== undefined && !same(question, values.asked);
      tell(isNew ? { ...others, asked: question, busy: true } : others);
      if (isNew) ask();
    },
  };
}

/** Asks what is to be asked, one at a time: of those put meanwhile only the last. */
function asking(values, tell, { contents, decider, learn }) {
  let running = false;
  return async () => {
    // Details of the answer before, too, which nobody asks for any more.
    decider.overtaken();
    if (running) return;
    running = true;
    let question;
    let found;
    do {
      question = values.asked;
      found = await answerTo(question, contents, decider);
    } while (found.dropped || !same(question, values.asked));
    running = false;
    if (found.error !== undefined) {
      tell({ busy: false, error: found.error });
      // The details of the answer that still stands may have been put off.
      learn(values.question);
      return;
    }
    const { decision } = found;
    const rankedModels = ranked(contents, decision);
    tell({ busy: false, error: null, question, decision, threshold: null, rankedModels });
    learn(question);
  };
}

/** Asks for what comes after an answer, once that stands: how limits are kept, then the rest. */
function learning(values, tell, decider) {
  let latest = 0;
  return async (question) => {
    latest += 1;
    const own = latest;
    const stands = () => own === latest && same(question, values.question) && !values.busy;
    const learn = (details) => tell({ decision: { ...values.decision, ...details }, details });
    await pause(STEADY);
    if (question === null || !stands()) return;
    const details = {};
    const wanted = pause(PATIENCE);
    for (let place = 0; ; place += 1) {
      const inSight = place === 0 && Object.keys(question.limits).length > 0;
      if (!inSight) await wanted;
      if (!stands()) return;
      const part = await detailOf(question, place, decider);
      if (!stands()) return;
      if (part === null) break;
      if (part.error !== undefined) return learn({ failed: part.error });
      Object.assign(details, part);
      if (inSight) learn(details);
    }
    if (Object.keys(details).length > 0) learn(details);
  };
}

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

function begun({ question = null, decision = null }) {
  return { question, asked: question, decision, error: null, busy: false };
}

/** The answer to a question; known for no question and for the one that the page opens with. */
async function answerTo(asked, contents, decider) {
  const { question, decision } = begun(contents);
  if (same(asked, question)) return { decision };
  try {
    return await decider.answer(asked);
  } catch (failure) {
    return { error: String(failure.message ?? failure) };
  }
}

async function detailOf(question, place, decider) {
  try {
    return await decider.detail(question, place);
  } catch (failure) {
    return { error: String(failure.message ?? failure) };
  }
}

/** Indices of models: the recommended one, then by ascending cost. */
function ranked({ models }, decision) {
  const least = ({ name }) =>
    Math.min(
      ...(decision?.strategies ?? [])
        .filter(({ model, cost_per_1000: cost }) => model === name && cost !== null)
        .map(({ cost_per_1000: cost }) => cost),
    );
  const costs = models.map((model) =>
    model.name === decision?.recommendation.model ? -Infinity : least(model),
  );
  return models.map((_, i) => i).sort((a, b) => (costs[a] === costs[b] ? a - b : costs[a] - costs[b]));
}
