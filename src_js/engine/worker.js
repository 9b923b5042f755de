// Answers questions in a worker, so that typing never waits: one decision at a time.
import { answer_dict, asked, detail } from "../decide.gen.js";
import { given, plain } from "./plain.js";
import { heldOutOf } from "./rows.js";

let heldOut = null;
let level = null;
// The last question, in words, and the decision that it asked for.
let last = [null, null];

const ANSWERS = {
  open(contents) {
    heldOut = heldOutOf(contents.rows);
    level = contents.level;
    return null;
  },
  answer: (question) => ({ decision: plain(answer_dict(decided(question))) }),
  // A warm-up, so that the browser compiles the code that answers.
  practise(question) {
    answer_dict(asked(heldOut, given(question), level));
    return null;
  },
  detail: ({ question, place }) => plain(detail(decided(question), place)),
};

function decided(question) {
  const words = JSON.stringify(question);
  if (last[0] !== words) last = [words, asked(heldOut, given(question), level)];
  return last[1];
}

/** What a message asks for, or what is wrong with it. */
function found({ kind, value }) {
  try {
    return ANSWERS[kind](value);
  } catch (failure) {
    return { error: failure.message };
  }
}

self.onmessage = ({ data }) => self.postMessage({ id: data.id, value: found(data) });
