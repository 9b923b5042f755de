// The answer in one line at the foot of a small screen, while the answer itself is out of sight.
import { instructionOf, statedIn } from "./decided.js";
import { byId, el } from "../dom.js";
import { estimated } from "../words/figures.js";

export function showPeek(state) {
  const line = el("a", { class: "peek", href: "#answer", hidden: true });
  line.addEventListener("click", (event) => {
    // The address holds what was asked.
    event.preventDefault();
    byId("answer").scrollIntoView();
    byId("answer").focus({ preventScroll: true });
  });
  document.body.append(line);
  let seen = true;
  const update = () => {
    const { decision, currency } = state.values;
    line.hidden = seen || decision === null;
    if (line.hidden) return;
    const { cost_per_1000: value = null, low, high } = statedIn(decision) ?? {};
    const cost = value === null ? "" : estimated({ value, low: low ?? value, high: high ?? value }, currency).value;
    line.replaceChildren(
      el("b", {}, ...instructionOf(decision).parts),
      value === null ? "" : ` \u00b7 ${cost} per 1,000 cases`,
    );
  };
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    update();
  }).observe(byId("answer"));
  state.watch(["decision", "currency"], update);
}
