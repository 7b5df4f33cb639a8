// The overview of a folder of studies: every published number beside ours.
import { h, section, table } from "./dom.js";
import { block } from "./data.js";
import { plural, sentence } from "./words.js";
import { publishedRows } from "./run.js";
import { publishedOf, readStudy } from "./study.js";
import { page } from "./frame.js";

const link = (entry, text) => (entry.has_report ? h("a", { href: `${encodeURIComponent(entry.folder)}/report.html` }, text) : text);

function counts(studies) {
  const published = studies.flatMap((s) => s.published);
  const compared = published.filter((p) => p.computed !== null && !p.chosen);
  const met = compared.filter((p) => p.met).length;
  return { published: published.length, compared: compared.length, met, explained: compared.filter((p) => !p.met && p.note).length };
}

function studySection(entry) {
  const { study, published } = entry;
  const head = h("p", { class: "note" }, [sentence(study.about.source || study.about.description), " ",
    `${study.about.robot}, motion ${study.about.motion}, ${plural(study.cases.length, "case")}. `, entry.has_report ? link(entry, "Report of the study") : ""]);
  return section(entry.folder.replace(/[^\w-]/g, "-"), [entry.folder, ""], head,
    published.length ? table(["Quantity", "Published", "Ours", "Unit", "Difference", "", ""], publishedRows(published), "lrrlrll") : h("p", { class: "note" }, "No published numbers."));
}

export function overviewReport() {
  const studies = block("overview").map((entry) => {
    const study = readStudy(entry.study);
    return { ...entry, study, published: publishedOf(study) };
  });
  const all = counts(studies);
  const rows = studies.map((s) => {
    const c = counts([s]);
    const failed = s.study.cases.filter((x) => x.state === "failed").length;
    return [link(s, s.folder), s.study.about.robot, sentence(s.study.about.description), String(s.study.cases.length) + (failed ? ` (${failed} failed)` : ""),
      c.compared ? `${c.met} of ${c.compared}` : "–"];
  });
  const figure = (title, value, of, sub) => h("div", {}, h("dt", {}, title), h("dd", {}, String(value), of ? h("small", {}, of) : null, h("span", { class: "sub" }, sub)));
  page({
    title: "The papers redone", eyebrow: plural(studies.length, "study").replace("studys", "studies"),
    lead: "Every number that the papers print beside ours, with agreement or the reason for the difference.", manifest: { version: studies[0]?.study.about.version },
    figures: [figure("Published numbers", all.published, "", "in all studies"), figure("Compared with ours", all.compared, "", "the others are only quoted"),
      figure("Met", all.met, `of ${all.compared}`, "within their tolerance"), figure("Differ with a reason", all.explained, `of ${all.compared - all.met}`, "stated beside the number")],
    stage: null,
    sections: [section("studies", "Studies", table(["Study", "Robot", "What", "Cases", "Published met"], rows, "lllrr")), ...studies.map(studySection)],
  });
}
