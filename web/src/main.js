// The page of pkm report: finds out what its data is and shows it.
import { h } from "./dom.js";
import { redraw } from "./plot.js";
import { overviewReport } from "./overview.js";
import { runReport } from "./run.js";
import { studyReport } from "./study.js";

const has = (name) => document.getElementById(`data-${name}`) !== null;

try {
  if (has("overview")) overviewReport();
  else if (has("study")) studyReport();
  else runReport();
  document.fonts.load('11px "Inter Variable"').then(redraw, () => {}).then(() => (document.documentElement.dataset.ready = "yes"));
} catch (error) {
  document.getElementById("report").replaceChildren(h("p", { class: "error" }, `This report cannot be shown: ${error.message}`));
  throw error;
}
