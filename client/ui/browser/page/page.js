// The live page: it shows the views that the program sends (view.js, table.js), and reports clicks, values and texts. It
// knows no game, and not how it came in: loopback.js or phone.js follows.
"use strict";

const RETRY_MS = 1000;
const QUIET_MS = 500;
const UNSURE_MS = 10_000; // from a click until its player has given it up
const COUNTED_MS = 900; // from the last card of a deal until its count

const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
const version = meta("version");

words = JSON.parse(meta("words"));
let seen = 0; // the number of the last view
let announced = []; // the lines that were read aloud last, also over an earlier connection
let unsure = null; // the last click or value, with the view that it was meant for: it may not have arrived
let saving = false; // the page of a match was asked for, and has not come
let spoken = 0; // how often this connection has sent the line being typed; an older view says nothing of a newer line

// The way in (loopback.js, phone.js) makes the connection. By it come the views, for `show`, and by this a text goes; it
// returns whether it went.
let deliver = () => false;

// A new connection: the program sends everything anew.
function begun() {
  now = {};
  spoken = 0;
  stayAtBack();
}

// The back button does what Escape does, and nothing where that means nothing.
const here = () => location.pathname + location.search;
let leaves = () => false;

function stayAtBack() {
  if (history.state !== "in") history.pushState("in", "", here());
}

window.addEventListener("popstate", () => {
  if (location.hash) return; // another address was typed, or another code scanned
  if (press("escape") || !leaves()) stayAtBack();
  else history.back();
});

// What stands above all else while nothing can be shown.
function tell(...inside) {
  at.lost.replaceChildren(...inside.filter(Boolean));
  at.view.inert = at.lost.hasChildNodes();
  document.body.classList.toggle("away", at.view.inert);
}

// What is sent.

function send(message) {
  if ("seen" in message) unsure = { message, view: now.view ?? unsure?.view, since: performance.now() };
  return deliver(JSON.stringify(message));
}

function part(of, id) {
  if (!of || typeof of !== "object") return;
  if (of.id === id) return of;
  for (const inside of Object.values(of)) {
    const found = part(inside, id);
    if (found) return found;
  }
}

// What a click or a value means in a view: the thing itself, the sheet that lies there, and all that has happened so far.
function meaning({ click: clicked, field: set }, view) {
  return JSON.stringify([view?.page, view?.sheet?.id, view?.sheet?.title, view?.table?.log, part(view, clicked ?? set)]);
}

// A new connection shows whether the last click has done anything. If it has not, it goes once more, unless that is long ago.
function sendAgain(view) {
  const { message, view: before, since } = unsure;
  if (performance.now() - since < UNSURE_MS && meaning(message, before) === meaning(message, view)) send({ ...message, seen });
}

function click(id) {
  saving ||= id === "share";
  send({ click: id, seen });
}

// Drawings are fetched once a kind and language: the letters in their corners are those of the reader.

let drawings = new Map(); // by kind: a promise

function fetchDrawings(kind) {
  const known = drawings;
  if (known.has(kind)) return;
  known.set(kind, fetch(`art/${document.documentElement.lang}/${kind}.svg`).then(async (answer) => {
    if (!answer.ok) return;
    const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    if (known === drawings) at.art.append(document.importNode(parsed.documentElement, true)); // else it is in another language
  }, () => known.delete(kind)));
}

function setLanguage(lang) {
  if (lang === document.documentElement.lang) return;
  document.documentElement.lang = lang;
  const kinds = [...drawings.keys()];
  drawings = new Map();
  at.art.replaceChildren();
  kinds.forEach(fetchDrawings);
}

wantDrawings = fetchDrawings;

// A view.

// What the program sends is shown in its order. While cards move it waits, but not long.
const waiting = [];
let acting = false;
const BEHIND = 4; // tables that wait, from which on no card moves

async function show(message) {
  waiting.push(message);
  if (acting) return;
  acting = true;
  try {
    while (waiting.length) await showNext(waiting.shift());
  } finally {
    acting = hurried = false;
  }
}

async function showNext(next) {
  const { table } = next.set?.view ?? {}, before = now.view?.table;
  const far = next.set?.view?.player && !flies(next.set.view.player, now.view?.player);
  const goes = table && before && !far && moves() && waiting.length < BEHIND && !table.ending && !before.ending && next.set.look?.motion !== "none";
  if (!goes) {
    showNow(next);
    return;
  }
  try {
    if (next.set.view.sheet?.count && !now.view.sheet) {
      const { sheet: _later, ...without } = next.set.view; // first the last cards are seen to go
      await moveTo(table, before, () => showNow({ ...next, set: { ...next.set, view: { ...without, table: { ...table, actions: [] } } } }));
      await rest(COUNTED_MS);
      showNow(next);
    } else await moveTo(table, before, () => showNow(next));
  } catch (wrong) { // cards that cannot be moved lie where they lie
    reportError(wrong);
    document.body.classList.remove("dealing");
    showNow(next);
  }
}

// As the program has last said; so a page that comes again is dark at once.
function setLook(look) {
  Object.assign(document.documentElement.dataset, look);
  localStorage.setItem("look", JSON.stringify(look));
}

try {
  setLook(JSON.parse(localStorage.getItem("look") ?? "{}"));
} catch {
  localStorage.removeItem("look"); // somebody else's page at this address, in another network, may have left anything
}

function showNow(message) {
  const before = now, fields = message.set ?? {};
  if (seen === 0) quietSince = performance.now();
  if (fields.version !== undefined && fields.version !== version) {
    location.reload();
    return;
  }
  now = { ...before, ...fields };
  seen = message.number;
  const { view } = now;
  words = now.words;
  setLanguage(now.lang);
  setLook(now.look);
  document.body.dataset.page = view.page;
  document.title = view.title;
  at.announce.setAttribute("aria-label", words.log);
  if ("view" in fields) setView(view, before.view);
  else if ("heard" in fields) setLine(view.sheet?.entry, view.sheet?.entry);
  if (fields.view?.player) arrived(fields.view.player);
  if ("announce" in fields) {
    announce(announced, fields.announce);
    announced = fields.announce;
  }
  if ("view" in fields) {
    if (before.view) unsure = null;
    else {
      if (saving) send({ save: true });
      if (unsure) sendAgain(view);
    }
  }
  if (view.table && before.view?.table) sounds(view.table, before.view.table);
  if (message.bell) callBack();
  if (message.save) save(message.save);
}

// A file that was asked for here. Its reader may pass it on.
function save({ name, page }) {
  saving = false;
  const href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), RETRY_MS);
}

// A page of another site can bring ours up while its reader types or clicks there, also below a window that it closes
// then. What comes before it has been quiet for a moment was not meant for ours. A new address is opened from the
// terminal: no other page knows one.

let meant = false, quietSince = 0;

for (const kind of ["keydown", "pointerdown", "click"]) window.addEventListener(kind, (event) => {
  if (meant || at.lost.contains(event.target)) return;
  const now = performance.now();
  meant = seen > 0 && now - quietSince >= QUIET_MS;
  if (meant) return;
  quietSince = now;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

window.addEventListener("focus", () => { quietSince = performance.now(); });

// A key presses the button that it stands for; all others are the browser's.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const typing = event.target.matches("input,select,textarea");
  const key = event.key.length > 1 ? event.key.toLowerCase().replace("arrow", "") : event.key;
  if (typing && key === "enter" && event.target.dataset.field) {
    event.target.blur(); // its value is set, and nothing else is done
    return;
  }
  if (typing ? !["escape", "enter"].includes(key) : key === "enter" && event.target.closest("button,summary")) return;
  if (press(key) || (at.view.querySelector(".sheet") === null && playerKey(event))) event.preventDefault();
});

// Where the browser refuses the clipboard, the text is selected, so that its reader can copy it.
at.view.addEventListener("click", async ({ target }) => {
  const copy = target.closest("[data-copies]");
  if (!copy) return;
  try {
    await navigator.clipboard.writeText(copy.dataset.copies);
    copy.firstChild.textContent = words.copied;
  } catch {
    const lines = [...copy.closest(".sheet").querySelectorAll("p")];
    getSelection().selectAllChildren(lines.find((line) => line.textContent === copy.dataset.copies));
  }
});

// Another step of a match that is over is asked for when the last one has come; so a slider may be drawn.
let wanted = null, askedAt = -RETRY_MS;

goTo = (step) => {
  wanted = step;
  if (performance.now() - askedAt < RETRY_MS) return;
  askedAt = performance.now();
  send({ field: "step", value: step, seen });
};

function arrived({ step = 0 }) {
  askedAt = -RETRY_MS;
  if ((wanted ?? step) !== step) goTo(wanted);
  else wanted = null;
}
