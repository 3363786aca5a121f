// The player of a match that is over: it shows the view after each step (view.js and table.js make it), and knows no game.
"use strict";

const STEP_MS = 1800, SPEEDS = [0.5, 1, 2, 4];
const FAST = 2; // from this speed on no card flies
const LOG = 40; // lines beside the table

let data = null, tongue = 0, labels = {}; // all that the page shows, the number of the language, its words
let steps = []; // the view after each step, in all languages
let step = 0, shown = null, clock = 0;
let seen = 0, spoken = 0, acting = false; // what view.js and motion.js ask of a page: nothing is sent from this one
const send = () => false, click = () => {}, heard = () => false;
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
  return { ...view, table: { ...view.table, log } };
}

// Show the step; of a step on, the cards are seen to go, unless it is fast.
let showing = false, again = false;

async function show(goes) {
  again = showing;
  if (showing) return;
  showing = acting = true;
  do {
    again = false;
    const view = viewNow(), before = shown, apply = () => setView(view, before);
    shown = view;
    if (!goes) laid = { deal: 0, ids: [] }; // no gap where a card lay before
    if (goes && before && moves() && !view.table.ending === !before.table.ending) await moveTo(view.table, before.table, apply);
    else apply();
    goes = false;
  } while (again);
  showing = acting = hurried = false;
}

function go(to, { say = true } = {}) {
  const last = steps.length - 1, before = step;
  step = Math.max(0, Math.min(last, to));
  show(step === before + 1 && Number(at.speed.value) < FAST);
  const where = labels.of.replace("{step}", step + 1).replace("{steps}", last + 1);
  at.where.textContent = where;
  at.scrub.value = step;
  at.scrub.style.setProperty("--done", last ? step / last : 1);
  at.scrub.setAttribute("aria-valuetext", where);
  at.deal.value = String(Math.max(0, data.deals.findLastIndex((deal) => deal.step <= step)));
  for (const id of ["back", "deal-back"]) at[id].disabled = step === 0;
  for (const id of ["on", "deal-on"]) at[id].disabled = step === last;
  if (say) at.announce.replaceChildren(...inTongue(data.said[step]).map((line) => h("p", {}, text(line))));
  if (step === last) stop();
}

function goDeal(by) {
  const starts = data.deals.map((deal) => deal.step);
  const to = by < 0 ? starts.findLast((start) => start < step) : starts.find((start) => start > step);
  go(to ?? (by < 0 ? 0 : steps.length - 1));
}

function face(id, name, label) {
  at[id].replaceChildren(icon(name));
  at[id].setAttribute("aria-label", label);
  at[id].title = label;
}

const playing = () => face("play", clock ? "pause" : "play", clock ? labels.pause : labels.play);

function stop() {
  clearTimeout(clock);
  clock = 0;
  playing();
}

function tick() {
  clock = setTimeout(() => {
    go(step + 1, { say: false });
    if (clock) tick();
  }, STEP_MS / Number(at.speed.value));
}

function playOrPause() {
  if (clock) {
    stop();
    return;
  }
  if (step === steps.length - 1) go(0);
  tick();
  playing();
}

function options(select, names, label) {
  const { value } = select;
  select.replaceChildren(...names.map((name, place) => h("option", { value: String(place) }, name)));
  select.setAttribute("aria-label", label);
  select.value = value || "0";
}

function speak(number) {
  tongue = number;
  known[tongue] ??= new Map();
  ({ labels, words } = inTongue({ labels: data.labels, words: data.words }));
  stop();
  document.documentElement.lang = data.languages[tongue].code;
  document.title = `${labels.title} · Sobremesa`;
  const drawings = new DOMParser().parseFromString(inTongue(data.art), "image/svg+xml");
  at.art.replaceChildren(document.importNode(drawings.documentElement, true));
  for (const [id, name, label] of [["deal-back", "first", "deal back"], ["back", "back", "back"], ["on", "on", "on"], ["deal-on", "last", "deal on"], ["more", "help", "about"]])
    face(id, name, labels[label]);
  options(at.deal, data.deals.map((deal) => inTongue(deal.name)), labels.deal);
  options(at.tongue, data.languages.map(({ name }) => name), labels.tongue);
  at.tongue.value = String(tongue);
  at.speed.setAttribute("aria-label", labels.speed);
  at.scrub.setAttribute("aria-label", labels.step);
  at.keys.setAttribute("aria-label", labels.keys);
  at.close.textContent = sentence(labels.close);
  at["about-title"].textContent = at["start-title"].textContent = labels.title;
  at["about-text"].replaceChildren(...inTongue(data.about).map(paragraph));
  at["start-text"].replaceChildren(...inTongue(data.opening).map(paragraph));
  at.watch.replaceChildren(icon("play"), labels.start);
  at.bad.textContent = labels.bad;
}

function paragraph({ text: said, kind, step: place }) {
  if (place === undefined) return h(kind === "code" ? "code" : "p", { class: kind }, said);
  const moment = h("button", { type: "button", class: `btn ${kind}` }, said);
  moment.addEventListener("click", () => { at.start.close(); at.about.close(); stop(); go(place); });
  return moment;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || at.about.open || at.start.open) return;
  const { target, key } = event;
  if (target.closest("button, select") && (key === " " || key === "Enter")) return;
  if (target.closest("select, [type=range]") && key !== " ") return;
  const does = {
    ArrowLeft: () => go(step - 1), ArrowUp: () => go(step - 1), ArrowRight: () => go(step + 1), ArrowDown: () => go(step + 1),
    Home: () => go(0), End: () => go(steps.length - 1), PageUp: () => goDeal(-1), PageDown: () => goDeal(1), " ": playOrPause,
  }[key];
  if (does === undefined) return;
  event.preventDefault();
  if (key !== " ") stop();
  does();
});

// Called with all that the page shows, which its first script has unpacked.
function begin(found) {
  data = found;
  let view = {};
  steps = data.steps.map((how) => (view = changed(view, how)));
  at.icons.innerHTML = data.icons;
  const wanted = navigator.languages.map((name) => name.split("-")[0]), codes = data.languages.map(({ code }) => code);
  at.speed.replaceChildren(...SPEEDS.map((speed) => h("option", { value: String(speed) }, `${speed}×`)));
  at.speed.value = "1";
  at.scrub.max = String(steps.length - 1);
  at.bad.hidden = !data.bad;
  document.body.classList.toggle("bad-log", data.bad);
  speak(codes.indexOf(wanted.find((code) => codes.includes(code)) ?? "en"));
  go(data.deals[0]?.step ?? 0, { say: false });
  still = false;
  at.start.showModal();
  document.body.classList.add("ready");
  performance.mark("shown");
  const bound = {
    back: () => go(step - 1), on: () => go(step + 1), "deal-back": () => goDeal(-1), "deal-on": () => goDeal(1), close: () => at.about.close(),
    more: () => { at.about.showModal(); at["about-title"].focus(); },
  };
  for (const [id, does] of Object.entries(bound)) at[id].addEventListener("click", () => { stop(); does(); });
  at.play.addEventListener("click", playOrPause);
  at.watch.addEventListener("click", () => {
    at.start.close();
    go(0, { say: false });
    playOrPause();
  });
  at.scrub.addEventListener("input", () => { stop(); go(Number(at.scrub.value)); });
  at.deal.addEventListener("change", () => { stop(); go(data.deals[Number(at.deal.value)].step); });
  at.tongue.addEventListener("change", () => { speak(Number(at.tongue.value)); go(step); });
}
