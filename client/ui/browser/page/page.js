// The live page: it shows the views that the program sends (view.js, table.js), and reports clicks, values and texts. It knows no game.
"use strict";

const KEYS = {
  Enter: "enter", Escape: "escape", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown", Backspace: "backspace", Delete: "delete",
};
const RETRY_MS = 1000;
const GIVE_UP_MS = 30_000; // Linux keeps the port for a minute from the last connection that our program has closed
const QUIET_MS = 500;
const COUNTED_MS = 900; // from the last card of a deal until its count

const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
const version = meta("version");

words = JSON.parse(meta("words"));
let seen = 0; // the number of the last view
let spoken = 0; // how often this connection has sent the line being typed; an older view says nothing of a newer line
let socket = null;

// What is sent.

function send(message) {
  const open = socket !== null && socket.readyState === WebSocket.OPEN;
  if (open) socket.send(JSON.stringify(message));
  return open;
}

function click(id) {
  send({ click: id, seen });
}

// Drawings are fetched once a kind and language: the letters in their corners are those of the reader.

let drawings = new Map(); // by kind: a promise

function fetchDrawings(kind) {
  const known = drawings;
  if (known.has(kind)) return;
  known.set(kind, fetch(`art/${kind}.svg`).then(async (answer) => {
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
  while (waiting.length) {
    const next = waiting.shift(), { table } = next.set?.view ?? {}, before = now.view?.table;
    const far = next.set?.view?.player && !flies(next.set.view.player, now.view?.player);
    const goes = table && before && !far && moves() && waiting.length < BEHIND && !table.ending === !before.ending && next.set.look?.motion !== "none";
    if (!goes) showNow(next);
    else if (next.set.view.sheet?.count && !now.view.sheet) {
      const { sheet: _later, ...without } = next.set.view; // first the last cards are seen to go
      await moveTo(table, before, () => showNow({ ...next, set: { ...next.set, view: { ...without, table: { ...table, actions: [] } } } }));
      await rest(COUNTED_MS);
      showNow(next);
    } else await moveTo(table, before, () => showNow(next));
  }
  acting = hurried = false;
}

// As the program has last said; so a page that comes again is dark at once.
function setLook(look) {
  Object.assign(document.documentElement.dataset, look);
  localStorage.setItem("look", JSON.stringify(look));
}

setLook(JSON.parse(localStorage.getItem("look") ?? "{}"));

function showNow(message) {
  const before = now, fields = message.set ?? {};
  if (seen === 0) quietSince = performance.now();
  lostSince = 0;
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
  if ("announce" in fields) announce(before.announce ?? [], fields.announce);
  if (view.table && before.view?.table) sounds(view.table, before.view.table);
  if (message.bell) callBack();
}

// A page of another site can bring ours up while its reader types or clicks there, also below a window that it closes
// then. What comes before it has been quiet for a moment was not meant for ours. A new address is opened from the
// terminal: no other page knows one.

let meant = false, quietSince = 0;

for (const kind of ["keydown", "pointerdown", "click"]) window.addEventListener(kind, (event) => {
  if (meant) return;
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
  const typing = event.target.matches("input, select, textarea");
  const key = KEYS[event.key] ?? (/^F\d+$/.test(event.key) ? event.key.toLowerCase() : event.key);
  if (typing && key === "enter" && event.target.dataset.field) {
    event.target.blur(); // its value is set, and nothing else is done
    return;
  }
  if (typing ? !["escape", "enter"].includes(key) : key === "enter" && event.target.closest("button, summary")) return;
  if (press(key) || (at.view.querySelector(".sheet") === null && playerKey(event))) event.preventDefault();
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
  if (wanted !== null && wanted !== step) goTo(wanted);
  else wanted = null;
}

// The way in: a token in the address is exchanged for a cookie and a pass; a browser that has them needs no token, and uses it up.

function tell(sentence) {
  at.lost.textContent = sentence;
  document.body.classList.toggle("away", sentence !== "");
}

async function enter() {
  if (!token) return false;
  const answer = await fetch("enter", { method: "POST", body: token });
  if (!answer.ok) return false;
  const { pass, seal } = await answer.json();
  localStorage.setItem("pass", pass);
  localStorage.setItem("seal", seal);
  meant = true;
  return true;
}

let token = location.hash.slice(1); // empty once we are in: another program would take it for the seal that it chooses
history.replaceState(null, "", location.pathname); // used or not; a browser's list of visits keeps an address that was typed

let lostSince = 0; // 0 while views come

// After a while another program may have the port: it is not to be asked again and again with our cookies.
async function begin() {
  if (lostSince && performance.now() - lostSince > GIVE_UP_MS) {
    tell(words.lost);
    return;
  }
  try {
    const inside = localStorage.getItem("pass") !== null && (await fetch("session", { method: "POST", body: token })).ok;
    if (inside || (await enter())) {
      token = "";
      connect();
    } else tell(seen ? words.out : words.refused);
  } catch {
    tell(words.lost);
    lostSince ||= performance.now();
    setTimeout(begin, RETRY_MS);
  }
}

// Another program may have the port by now: ours says the seal first.
function connect() {
  let known = false, strange = false, seal = null;
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    now = {};
    spoken = 0;
    seal = localStorage.getItem("seal");
    send({ pass: localStorage.getItem("pass") });
  });
  socket.addEventListener("message", ({ data }) => {
    if (strange) return;
    const message = JSON.parse(data);
    strange = !known && message.set?.seal !== seal;
    if (strange) {
      tell(words.lost);
      socket.close();
      return;
    }
    if (!known) tell("");
    known = true;
    show(message);
  });
  socket.addEventListener("close", ({ code }) => {
    socket = null;
    if (strange) return;
    lostSince ||= performance.now();
    if (code === 4403) localStorage.removeItem("pass");
    if (code === 1013) tell(words.many);
    else setTimeout(begin, RETRY_MS / 4);
  });
}

window.addEventListener("hashchange", () => location.reload()); // a new address typed into this window
begin();
