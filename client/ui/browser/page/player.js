// The bar below a match that is over: it goes from step to step, and plays by itself. The live page and the page of a match have it.
"use strict";

const STEP_MS = 1800, SPEEDS = [0.5, 1, 2, 4];
const FAST = 2; // from this speed on no card flies
const ENDS = { "deal-back": -1, "deal-on": 1 };

let bar = null, speed = 1, clock = 0;
let goTo = () => {}; // shows another step; the page sets it

const labelOf = (step, last) => words.of.replace("{step}", step + 1).replace("{steps}", last + 1);

// Only of the next step the cards are seen to go.
const flies = (now, before) => Boolean(before) && (now.step ?? 0) === (before.step ?? 0) + 1 && speed < FAST;

const options = (names, chosen) => names.map((name, place) => h("option", { value: String(place), selected: place === chosen }, name));

// Where a choice was costly, above the slider; the sheet of the analysis names the mark.
function costAt(place) {
  const mark = h("i.cost");
  mark.style.setProperty("--at", place);
  return mark;
}

function playerBar({ step = 0, last = 0, deals = [], marks = [], covered, more }) {
  const tool = (id, name, label, off) => h("button.icon-btn", { id, type: "button", "aria-label": label, title: label, disabled: off }, icon(name));
  const deal = Math.max(0, deals.findLastIndex((one) => (one.step ?? 0) <= step)), at_ = labelOf(step, last);
  return h("nav.player", { "data-id": "player", "aria-label": words.keys, inert: covered },
    h("span.track", { "data-id": "track" }, h("span", { "aria-hidden": "true" }, marks.map((one) => costAt(one / last))),
      h("input", { id: "scrub", type: "range", min: "0", max: String(last), step: "1", value: String(step), "aria-label": words.step, "aria-valuetext": at_ })),
    h("select.input", { id: "deal", "aria-label": words.deal }, options(deals.map(({ name }) => name), deal)),
    h("div.buttons", {}, tool("deal-back", "first", words["deal back"], step === 0), tool("back", "back", words.back, step === 0),
      h("button.btn.main", { id: "play", type: "button", "aria-label": clock ? words.pause : words.play }, icon(clock ? "pause" : "play")),
      tool("on", "on", words.on, step === last), tool("deal-on", "last", words["deal on"], step === last)),
    h("output", { id: "where" }, at_),
    h("select.input", { id: "speed", "aria-label": words.speed }, SPEEDS.map((one) => h("option", { value: String(one), selected: one === speed }, `${one}×`))),
    more?.());
}

// Native controls keep what was chosen: they are given the values of the step that is shown.
function setBar(now) {
  bar = now ?? null;
  if (bar === null) stop();
  for (const node of at.view.querySelectorAll(".player :is(input,select)")) {
    if (node.tagName === "SELECT") node.value = node.querySelector("[selected]")?.value ?? "";
    else node.value = node.getAttribute("value");
  }
}

function redrawBar() {
  const node = at.view.querySelector(".player");
  if (!node || !bar) return;
  morph(node, playerBar(bar));
  setBar(bar);
}

function go(step) {
  if (bar === null) return;
  const { step: before = 0, last = 0 } = bar, there = Math.max(0, Math.min(last, step));
  if (there !== before) goTo(there);
  if (there === last) stop();
}

function goDeal(by) {
  const { step = 0, last = 0, deals = [] } = bar, starts = deals.map((deal) => deal.step ?? 0);
  const to = by < 0 ? starts.findLast((start) => start < step) : starts.find((start) => start > step);
  go(to ?? (by < 0 ? 0 : last));
}

function stop() {
  if (!clock) return;
  clearTimeout(clock);
  clock = 0;
  redrawBar();
}

function tick() {
  clock = setTimeout(() => {
    go((bar?.step ?? 0) + 1);
    if (clock) tick();
  }, STEP_MS / speed);
}

function playOrPause() {
  if (clock) {
    stop();
    return;
  }
  if ((bar.step ?? 0) === bar.last) go(0);
  tick();
  redrawBar();
}

at.view.addEventListener("click", ({ target }) => {
  const id = target.closest(".player button")?.id, by = { back: -1, on: 1 }[id];
  if (id === "play") playOrPause();
  if (!by && !ENDS[id]) return;
  stop();
  if (by) go((bar.step ?? 0) + by);
  else goDeal(ENDS[id]);
});

at.view.addEventListener("input", ({ target }) => {
  if (target.id !== "scrub") return;
  stop();
  go(Number(target.value));
});

at.view.addEventListener("change", ({ target }) => {
  if (target.id === "speed") speed = Number(target.value);
  if (target.id !== "deal") return;
  stop();
  go(bar.deals[Number(target.value)].step ?? 0);
});

// Return whether a key means something to the bar.
function playerKey({ target, key }) {
  if (bar === null || (target.closest("button,select") && (key === " " || key === "Enter"))) return false;
  if (target.closest("select,[type=range]") && key !== " ") return false;
  const step = bar.step ?? 0;
  const does = {
    ArrowLeft: () => go(step - 1), ArrowUp: () => go(step - 1), ArrowRight: () => go(step + 1), ArrowDown: () => go(step + 1),
    Home: () => go(0), End: () => go(bar.last), PageUp: () => goDeal(-1), PageDown: () => goDeal(1), " ": playOrPause,
  }[key];
  if (does === undefined) return false;
  if (key !== " ") stop();
  does();
  return true;
}
