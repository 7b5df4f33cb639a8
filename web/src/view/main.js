import { App } from "./app.js";
import { h } from "../dom.js";

const app = new App();
window.pkmView = app;
app.start().then(() => (document.documentElement.dataset.ready = "yes"), (error) => {
  const place = document.querySelector(".fault") ?? document.getElementById("view").appendChild(h("div", { class: "fault" }));
  place.hidden = false;
  place.textContent = `The page cannot start: ${error.message}`;
  document.documentElement.dataset.ready = "no";
  console.error(error);
});
