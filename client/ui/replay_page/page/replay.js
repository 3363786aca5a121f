// The replay page: it unpacks the steps of a match, and shows the one that is asked for (picture.js places it).

const STEP_MS = 1600, CALL_MS = 1500, LEAST_SCALE = 0.92;
const SPEEDS = [0.5, 1, 2, 4];
const ICONS = {
  "deal-back": "M3 3h3v18H3zM13 3v18L6 12zM21 3v18L14 12z", back: "M17 3v18L5 12z", on: "M7 3v18l12-9z",
  "deal-on": "M18 3h3v18h-3zM11 3v18l7-9zM3 3v18l7-9z", play: "M5 2v20l16-10z", pause: "M5 3h5v18H5zM14 3h5v18h-5z",
  more: "M12 1a11 11 0 1 0 0 22a11 11 0 1 0 0-22zM12 3.2a8.8 8.8 0 1 1 0 17.6a8.8 8.8 0 1 1 0-17.6zM10.7 10h2.6v7.5h-2.6zM10.7 6.2h2.6v2.6h-2.6z",
};

let data = null; // all that the page shows
let tongue = 0; // the number of the language
let layout = null; // the pictures of one size
let step = 0;
let clock = 0;
let calling = 0;
let labels = {};
const spoken = [new Map()]; // by language: the parts of pictures whose texts have been filled in

// Take a part of the page's data out, and unpack it.
async function unpack(id) {
  const bytes = Uint8Array.from(atob(at[id].textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

// A part in the language of the page: where languages differ stands an object with the number of a row of texts.
function inTongue(part) {
  if (part === null || typeof part !== "object") return part;
  const known = spoken[tongue].get(part);
  if (known !== undefined) return known;
  let found;
  if (Array.isArray(part)) found = part.map(inTongue);
  else if ("#" in part) found = data.texts[part["#"]][tongue];
  else found = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, inTongue(value)]));
  spoken[tongue].set(part, found);
  return found;
}

// The pictures of a layout after each step: what has not changed is the same object.
function unfold({ width, height, steps }) {
  let fields = {}, table = new Map();
  const pictures = steps.map(({ set = {}, pieces: changed = [], gone = [] }) => {
    fields = { ...fields, ...set };
    if (changed.length || gone.length) {
      table = new Map(table);
      for (const id of gone) table.delete(id);
      for (const piece of changed) table.set(piece.id, piece);
    }
    return { fields, table };
  });
  return { width, height, pictures };
}

let shown = null; // {fields, table, tongue, layout} as they were shown last

function draw() {
  const now = layout.pictures[step], before = shown ?? { fields: {}, table: new Map() };
  const same = before.tongue === tongue && before.layout === layout;
  const fields = {};
  for (const [name, value] of Object.entries(now.fields))
    if (!same || before.fields[name] !== value) fields[name] = inTongue(value);
  const changed = [...now.table.values()].filter((piece) => !same || before.table.get(piece.id) !== piece).map(inTongue);
  const gone = [...before.table.keys()].filter((id) => !now.table.has(id));
  still = before.layout !== layout;
  picture = { ...picture, ...fields };
  setTable(fields, { pieces: changed, gone });
  if ("panels" in fields) fill(at.panels, fields.panels, makePanel, setPanel);
  shown = { ...now, tongue, layout };
  clearTimeout(calling);
  if (picture.call) calling = setTimeout(() => { at.call.hidden = true; }, CALL_MS);
}

function go(to, { say = true } = {}) {
  const last = layout.pictures.length - 1;
  step = Math.max(0, Math.min(last, to));
  draw();
  const where = labels.of.replace("{step}", step + 1).replace("{steps}", last + 1);
  at.where.textContent = where;
  at.scrub.value = step;
  at.scrub.setAttribute("aria-valuetext", where);
  at.deal.value = String(data.deals.findLastIndex((deal) => deal.step <= step));
  for (const id of ["back", "deal-back"]) at[id].disabled = step === 0;
  for (const id of ["on", "deal-on"]) at[id].disabled = step === last;
  if (say) at.announce.replaceChildren(...inTongue(data.said[step]).map((line) => make("p", "", line)));
  if (step === last) stop();
}

function goDeal(by) {
  const starts = data.deals.map((deal) => deal.step);
  const to = by < 0 ? starts.findLast((start) => start < step) : starts.find((start) => start > step);
  go(to ?? (by < 0 ? 0 : layout.pictures.length - 1));
}

function icon(id, name, label) {
  const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  at[id].replaceChildren(svg);
  at[id].setAttribute("aria-label", label);
  at[id].title = label;
}

function stop() {
  clearTimeout(clock);
  clock = 0;
  icon("play", "play", labels.play);
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
  if (step === layout.pictures.length - 1) go(0);
  icon("play", "pause", labels.pause);
  tick();
}

// The window: the first layout whose letters have 11 pixels at least (the smallest have 12), as large as it fits.
function fit() {
  const { clientWidth: width, clientHeight: height } = at.main;
  const scale = (one) => Math.min(width / one.width, height / one.height);
  const largest = Math.max(...data.layouts.map(scale));
  const best = data.layouts.find((one) => scale(one) >= Math.min(LEAST_SCALE, largest));
  layout = best.unfolded ??= unfold(best);
  const by = scale(layout);
  at.stage.style.width = `${layout.width}px`;
  at.stage.style.height = `${layout.height}px`;
  at.stage.style.transform = `scale(${by})`;
  at.fit.style.left = `${Math.max(0, (width - layout.width * by) / 2)}px`;
  at.fit.style.top = `${Math.max(0, (height - layout.height * by) / 2)}px`;
}

function options(select, names, label) {
  const { value } = select;
  select.replaceChildren(...names.map((name, place) => Object.assign(make("option", "", name), { value: String(place) })));
  select.setAttribute("aria-label", label);
  if (value) select.value = value;
}

function speak(number) {
  stop();
  tongue = number;
  spoken[tongue] ??= new Map();
  labels = inTongue(data.labels);
  document.documentElement.lang = data.languages[tongue].code;
  document.title = `${labels.title} · Sobremesa`;
  const drawn = new DOMParser().parseFromString(inTongue(data.art), "image/svg+xml");
  at.art.replaceChildren(document.importNode(drawn.documentElement, true));
  for (const [id, name] of [["deal-back", "deal back"], ["back", "back"], ["on", "on"], ["deal-on", "deal on"], ["more", "about"]])
    icon(id, id, labels[name]);
  options(at.deal, data.deals.map((deal) => inTongue(deal.name)), labels.deal);
  options(at.tongue, data.languages.map(({ name }) => name), labels.tongue);
  at.tongue.value = String(tongue);
  at.speed.setAttribute("aria-label", labels.speed);
  at.scrub.setAttribute("aria-label", labels.step);
  at.keys.setAttribute("aria-label", labels.keys);
  at.close.textContent = labels.close;
  at["about-title"].textContent = labels.title;
  at["about-text"].replaceChildren(...inTongue(data.about).map(paragraph));
  at["start-title"].textContent = labels.title;
  at["start-text"].replaceChildren(...inTongue(data.opening).map(paragraph));
  at.watch.textContent = `▶ ${labels.start}`;
  at.bad.textContent = labels.bad;
}

function paragraph({ text, kind, step: place }) {
  if (place === undefined) return make(kind === "code" ? "code" : "p", kind, text);
  const moment = make("button", kind, text);
  moment.addEventListener("click", () => { at.start.close(); at.about.close(); stop(); go(place); });
  return moment;
}

function showAbout() {
  at.about.showModal();
  at["about-title"].focus();
}

document.addEventListener("keydown", (event) => {
  if (data === null || event.ctrlKey || event.altKey || event.metaKey || at.about.open || at.start.open) return;
  const { target, key } = event;
  const own = target.closest("button, select");
  if (own && (key === " " || key === "Enter")) return;
  if (target.closest("select") || (target.classList.contains("inner") && /^(Arrow(Up|Down)|Page|Home|End)/.test(key))) return;
  const does = {
    ArrowLeft: () => go(step - 1), ArrowUp: () => go(step - 1), ArrowRight: () => go(step + 1), ArrowDown: () => go(step + 1),
    Home: () => go(0), End: () => go(layout.pictures.length - 1), PageUp: () => goDeal(-1), PageDown: () => goDeal(1),
    " ": playOrPause,
  }[key];
  if (does === undefined) return;
  event.preventDefault();
  if (key !== " ") stop();
  does();
});

async function begin() {
  data = JSON.parse(await unpack("data"));
  const wanted = navigator.languages.map((name) => name.split("-")[0]);
  const codes = data.languages.map(({ code }) => code);
  const first = wanted.find((code) => codes.includes(code)) ?? "en";
  at.speed.replaceChildren(...SPEEDS.map((speed) => Object.assign(make("option", "", `${speed}×`), { value: String(speed) })));
  at.speed.value = "1";
  at.scrub.max = String(data.said.length - 1);
  at.bad.hidden = !data.bad;
  document.body.classList.toggle("bad-log", data.bad);
  speak(codes.indexOf(first));
  fit();
  go(data.deals[0]?.step ?? 0);
  at.start.showModal();
  document.body.classList.add("ready");
  performance.mark("shown");
  const bound = {
    back: () => go(step - 1), on: () => go(step + 1), "deal-back": () => goDeal(-1), "deal-on": () => goDeal(1),
    more: showAbout, close: () => at.about.close(),
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
  new ResizeObserver(() => { fit(); go(step, { say: false }); }).observe(at.main);
}

begin();
