// Why the answer is what it is: filled when it is first opened, and for print.
import { showCalibration } from "./calibration.js";
import { showCost } from "./cost.js";
import { byId, el } from "../dom.js";
import { linkOf } from "./linked.js";
import { showMetrics } from "./metrics.js";
import { showNotes } from "./notes.js";
import { showRoc } from "./roc.js";
import { followColours } from "../drawing/style.js";
import { beforePrint, openOnPaper } from "../turns.js";

export function showWhy(report, contents, state) {
  followColours(report, state);
  const why = byId("why");
  let filled = false;
  const fill = () => {
    if (filled) return;
    filled = true;
    const link = linkOf();
    const [cost, roc] = ["cost", "roc"].map((id) => el("div", { id }));
    const section = (title, id) => el("section", {}, el("h3", {}, title), el("div", { id }));
    why.append(
      el("div", { class: "pair-of-charts" }, cost, roc),
      section("Calibration", "calibration"),
      section("Metrics", "metrics"),
      section("Notes", "notes"),
    );
    showCost(cost, report, state, link);
    showRoc(roc, report, state, link);
    showCalibration(byId("calibration"), report, state);
    showMetrics(contents);
    showNotes(contents, state);
  };
  why.addEventListener("toggle", () => why.open && fill());
  beforePrint(fill);
  openOnPaper(() => why);
}
