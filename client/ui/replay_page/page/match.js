// The player of a match that is over: it shows the view after each step (view.js and table.js make it), and knows no game.
"use strict";

const LOG = 40; // lines beside the table

let data = null, tongue = 0, labels = {}; // all that the page shows, the number of the language, its words
let steps = []; // the view after each step, in all languages
let step = 0, shown = null;
let seen = 0, spoken = 0, acting = false; // what view.js and motion.js ask of a page: nothing is sent from this one
const send = () => false, click = () => {};
const known = []; // by language: the parts whose texts have been filled in

// A value after a change (client/ui/replay_page/changes.py). What stays the same is the same object.
function changed(value, how) {
  if ("=" in how) return how["="];
  const found = Array.isArray(value) ? [...value] : { ...value };
  for (const name of how["-"] ?? []) delete found[name];
  for (const [name, part] of Object.entries(how["~"] ?? {})) found[name] = changed(found[name], part);
  return found;
}

// A part in the language of the page: where languages differ stands an object with the number of a row of texts.
function inTongue(part) {
  if (part === null || typeof part !== "object") return part;
  const before = known[tongue].get(part);
  if (before !== undefined) return before;
  let found;
  if (Array.isArray(part)) found = part.map(inTongue);
  else if ("#" in part) found = data.texts[part["#"]][tongue];
  else found = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, inTongue(value)]));
  known[tongue].set(part, found);
  return found;
}

function viewNow() {
  const view = inTongue(steps[step]), log = data.said.slice(Math.max(0, step - LOG), step + 1).flatMap(inTongue);
  return { ...view, table: { ...view.table, log }, player: stepNow() };
}

const stepNow = () => ({ step, last: steps.length - 1, deals: inTongue(data.deals), more });

// What only this page has in its bar.
function more() {
  return [h("select.input", { id: "tongue", "aria-label": labels.tongue }, options(data.languages.map(({ name }) => name), tongue)),
    h("button.icon-btn", { id: "more", type: "button", "aria-label": labels.about, title: labels.about }, icon("help"))];
}

// Show the step; of a step on, the cards are seen to go, unless it is fast.
let showing = false, again = false;

async function show() {
  again = showing;
  if (showing) return;
  showing = acting = true;
  do {
    again = false;
    const view = viewNow(), before = shown, apply = () => setView(view, before);
    shown = view;
    if (flies(view.player, before?.player) && moves() && !view.table.ending === !before.table.ending) await moveTo(view.table, before.table, apply);
    else apply();
  } while (again);
  showing = acting = hurried = false;
}

goTo = (to) => {
  step = to;
  bar = stepNow();
  if (!clock) at.announce.replaceChildren(...inTongue(data.said[step]).map((line) => h("p", {}, text(line))));
  show();
};

function speak(number) {
  tongue = number;
  known[tongue] ??= new Map();
  ({ labels, words } = inTongue({ labels: data.labels, words: data.words }));
  stop();
  document.documentElement.lang = data.languages[tongue].code;
  document.title = `${labels.title} · Sobremesa`;
  const drawings = new DOMParser().parseFromString(inTongue(data.art), "image/svg+xml");
  at.art.replaceChildren(document.importNode(drawings.documentElement, true));
  at.close.textContent = sentence(labels.close);
  at["about-title"].textContent = at["start-title"].textContent = labels.title;
  at["about-text"].replaceChildren(...inTongue(data.about).map(paragraph));
  at["start-text"].replaceChildren(...inTongue(data.opening).map(paragraph));
  at.watch.replaceChildren(icon("play"), labels.start);
  at.bad.textContent = labels.bad;
  show();
}

function paragraph({ text: said, kind, step: place }) {
  if (place === undefined) return h(kind === "code" ? "code" : "p", { class: kind }, said);
  const moment = h("button", { type: "button", class: `btn ${kind}` }, said);
  moment.addEventListener("click", () => { at.start.close(); at.about.close(); stop(); go(place); });
  return moment;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || at.about.open || at.start.open) return;
  if (playerKey(event)) event.preventDefault();
});

// Called with all that the page shows, which its first script has unpacked.
function begin(found) {
  data = found;
  let view = {};
  steps = data.steps.map((how) => (view = changed(view, how)));
  at.icons.innerHTML = data.icons;
  const wanted = navigator.languages.map((name) => name.split("-")[0]), codes = data.languages.map(({ code }) => code);
  at.bad.hidden = !data.bad;
  document.body.classList.toggle("bad-log", data.bad);
  step = data.deals[0]?.step ?? 0;
  speak(codes.indexOf(wanted.find((code) => codes.includes(code)) ?? "en"));
  at.start.showModal();
  document.body.classList.add("ready");
  performance.mark("shown");
  at.close.addEventListener("click", () => at.about.close());
  at.watch.addEventListener("click", () => {
    at.start.close();
    go(0);
    playOrPause();
  });
  at.view.addEventListener("click", ({ target }) => {
    if (!target.closest("#more")) return;
    stop();
    at.about.showModal();
    at["about-title"].focus();
  });
  at.view.addEventListener("change", ({ target }) => { if (target.id === "tongue") speak(Number(target.value)); });
}
