// The live page: it shows the pictures that the program sends (picture.js), and reports clicks, keys and texts. It knows no game.
"use strict";

const KEYS = {
  Enter: "enter", Escape: "escape", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown", Backspace: "backspace", Delete: "delete",
};
const RETRY_MS = 1000, GIVE_UP_MS = 60_000;
const DOUBLE_MS = 400; // a second click that comes sooner is one half of a double click: it confirms nothing
const QUIET_MS = 500;
const COUNTED_MS = 900; // from the last card of a deal until its count
const LARGE = [1280, 800], MOST_ZOOM = 2; // pixels of a window from which on everything is drawn larger, and how much at most

const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
const version = meta("version");

words = JSON.parse(meta("words"));
let seen = 0; // the number of the last picture
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

// A larger window shows a larger picture, not only more of the table.
function sendSize() {
  const size = [document.documentElement.clientWidth, window.innerHeight];
  const zoom = Math.max(1, Math.min(MOST_ZOOM, ...size.map((pixels, place) => pixels / LARGE[place])));
  if (!picture.view) document.body.style.zoom = String(zoom);
  send({ size: size.map((pixels) => Math.min(8000, Math.max(200, Math.floor(pixels / zoom)))) });
}

function button(id, name, ...inside) {
  const node = make("button", name, ...inside);
  node.type = "button";
  node.addEventListener("click", () => click(id));
  return node;
}

// Drawings are fetched once a kind and language: the letters in their corners are those of the reader.

let drawings = new Map(); // by kind: a promise

function fetchDrawings(kind) {
  const known = drawings;
  if (known.has(kind)) return;
  known.set(kind, fetch(`art/${kind}.svg`).then(async (answer) => {
    if (!answer.ok) return;
    const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    if (known !== drawings) return; // in another language
    at.art.append(document.importNode(parsed.documentElement, true));
    for (const piece of pieces.values()) if (piece.data.kind === kind) drawFace(piece, piece.data);
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

// Controls and what lies above.

function makeControl(control) {
  const node = button(control.id, "control");
  node.addEventListener("click", (event) => {
    const long = picture.controls.length === 1 && control.key === "Enter" && at.sheets.querySelector(".panel.more");
    if (long) readOn(long); // first it is read to its end
    if (long || event.timeStamp - node.confirms < DOUBLE_MS) event.stopImmediatePropagation();
  }, true);
  return node;
}

function setControl(node, control) {
  const main = control.key === "Enter";
  if (main && node.isConnected && !node.classList.contains("main")) node.confirms = performance.now();
  node.disabled = !control.enabled;
  node.classList.toggle("main", main);
  node.replaceChildren(...(control.label ? [make("span", "label", control.label), " "] : []), make("kbd", control.sign ? "sign" : "", control.key));
}

// A long notice lies over the table: at its place in the window, not in the foot.
function setAside() {
  const { aside } = picture;
  at.notice.classList.toggle("aside", Boolean(aside));
  at.notice.removeAttribute("style");
  if (aside) place(at.notice, { x: aside.x, y: aside.y - picture.height + picture.bar, width: aside.width });
}

let focused = null; // what had the focus before something modal came

function setPanels() {
  const above = picture.panels.filter((panel) => panel.modal);
  const opens = above.length > 0 && at.above.hidden;
  const closes = above.length === 0 && !at.above.hidden;
  fill(at.panels, picture.panels.filter((panel) => !panel.modal), makePanel, setPanel);
  if (opens) {
    focused = document.activeElement;
    at.above.hidden = false;
    at.above.append(at.foot);
  }
  fill(at.sheets, above, makePanel, setPanel);
  at.main.inert = above.length > 0;
  if (opens) {
    at.above.setAttribute("aria-labelledby", `title-${above[0].id}`);
    at.above.focus();
  }
  if (closes) {
    at.above.hidden = true;
    at.main.append(at.foot);
    if (focused !== null && focused.isConnected && focused !== document.body) focused.focus();
    else at.main.focus({ preventScroll: true });
  }
}

// A click beside a sheet puts it away, as its own button does; what has no such button is to be read.
let pressed = null;
at.above.addEventListener("pointerdown", ({ target }) => { pressed = target; });
at.above.addEventListener("click", ({ target }) => {
  if (target === at.above && pressed === at.above && picture.controls.some(({ id }) => id === "key:escape")) click("key:escape");
});

// The line that is typed.

let spoken = 0; // how often this connection has sent the line; an older picture says nothing of a newer line

function setEntry() {
  const { entry } = picture;
  if (!entry) {
    if (!at.entry.hidden) {
      at.entry.hidden = true;
      (at.above.hidden ? at.main : at.above).focus({ preventScroll: true });
    }
    return;
  }
  const mistyped = entry.hint !== "" && entry.hint !== at.hint.textContent;
  at.asked.textContent = entry.label;
  at.hint.replaceChildren(...withKeys(entry.hint));
  at.entry.style.top = `${picture.height - picture.bar}px`;
  if (at.entry.hidden) {
    at.entry.hidden = false;
    at.typed.value = entry.text;
    at.typed.focus();
    if (entry.text.length > 1) at.typed.select();
    return;
  }
  if ((picture.heard ?? 0) === spoken && entry.text !== at.typed.value) {
    at.typed.value = entry.text; // no more fits, or it was typed in another window
  }
  if (mistyped) {
    const caret = [...entry.text].slice(0, entry.caret).join("").length;
    at.typed.focus();
    at.typed.setSelectionRange(caret, caret);
  }
}

at.typed.addEventListener("input", () => {
  if (send({ typed: at.typed.value })) spoken += 1;
});
at.entry.addEventListener("submit", (event) => {
  event.preventDefault();
  send({ key: "enter" });
});

// What is said, and heard.

let ears = null;

const heard = () => localStorage.getItem("sound") === "on";

// Off by default. A browser lets a page sound only after it was clicked.
function hear(on) {
  localStorage.setItem("sound", on ? "on" : "off");
  at.sound.setAttribute("aria-pressed", String(on));
  if (on && ears === null) ears = new AudioContext();
}

at.sound.addEventListener("click", () => {
  hear(at.sound.getAttribute("aria-pressed") !== "true");
  ring();
});
at.sound.setAttribute("aria-pressed", String(heard()));

function ring() {
  if (!heard() || ears === null) return;
  const tone = ears.createOscillator(), volume = ears.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.08, ears.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, ears.currentTime + 0.35);
  tone.connect(volume).connect(ears.destination);
  tone.start();
  tone.stop(ears.currentTime + 0.4);
}

// A picture.

// What the program sends is shown in its order. While cards move it waits, but not long.
const waiting = [];
let acting = false;
const BEHIND = 4; // tables that wait, from which on no card moves

async function show(message) {
  waiting.push(message);
  if (acting) return;
  acting = true;
  while (waiting.length) {
    const next = waiting.shift(), { table } = next.set?.view ?? {}, before = picture.view?.table;
    const far = next.set?.view?.player && !flies(next.set.view.player, picture.view?.player);
    const goes = table && before && !far && moves() && waiting.length < BEHIND && !table.ending === !before.ending && next.set.motion !== false;
    if (!goes) showNow(next);
    else if (next.set.view.sheet?.count && !picture.view.sheet) {
      const { sheet: _later, ...without } = next.set.view; // first the last cards are seen to go
      await moveTo(table, before, () => showNow({ ...next, set: { ...next.set, view: { ...without, table: { ...table, actions: [] } } } }));
      await rest(COUNTED_MS);
      showNow(next);
    } else await moveTo(table, before, () => showNow(next));
  }
  acting = hurried = false;
}

// A page is a view or a picture, each with a style sheet of its own.
function showAs(view) {
  at.view.hidden = !view;
  at.picture.hidden = view;
  document.getElementById("pictured").sheet.disabled = view;
  document.getElementById("viewed").sheet.disabled = !view;
  if (view) Object.assign(document.body.style, { zoom: "", minWidth: "", minHeight: "" });
  else at.view.replaceChildren();
}

function showNow(message) {
  const before = picture, fields = message.set ?? {};
  if (seen === 0) quietSince = performance.now();
  lostSince = 0;
  if (fields.version !== undefined && fields.version !== version) {
    location.reload();
    return;
  }
  picture = { ...before, ...fields };
  seen = message.number;
  const has = (name) => name in fields;
  still = has("width") || has("height");
  if (has("words")) words = fields.words;
  if (has("lang")) setLanguage(fields.lang);
  if (has("scheme")) document.documentElement.dataset.scheme = fields.scheme;
  if (has("motion")) document.documentElement.dataset.motion = fields.motion ? "on" : "off";
  if (has("page")) document.body.dataset.page = fields.page;
  if (has("title")) document.title = fields.title;
  if (has("bar")) at.foot.style.height = `${fields.bar}px`;
  if (has("width") || has("height")) {
    document.body.style.minWidth = `${picture.width}px`;
    document.body.style.minHeight = `${picture.height}px`;
  }
  if (has("view")) {
    showAs(Boolean(fields.view));
    if (fields.view) setView(fields.view, before.view);
    if (fields.view?.player) arrived(fields.view.player);
    else if (before.view) sendSize(); // a picture may be zoomed
  } else if (has("heard") && picture.view) setLine(picture.view.sheet?.entry, picture.view.sheet?.entry);
  setTable(fields, message);
  if (picture.panels && (has("panels") || has("words"))) setPanels();
  if (picture.controls && (has("controls") || has("words"))) {
    at.controls.setAttribute("aria-label", words.keys);
    fill(at.controls, picture.controls, makeControl, setControl);
  }
  if (has("notice")) at.notice.replaceChildren(...withKeys(fields.notice));
  if (has("aside") || has("bar") || has("height")) setAside();
  if (has("announce")) announce(before.announce ?? [], fields.announce);
  if (has("entry") || has("heard") || has("bar") || has("height")) setEntry();
  if (message.bell) ring();
  at.announce.setAttribute("aria-label", words.log);
  at.sound.setAttribute("aria-label", words.sound);
  at.sound.title = words.sound;
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

// The keyboard: the keys of the full screen. Tab moves the focus; a key on a button or in the line is the browser's.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const { target } = event;
  if (picture.view) {
    pressKey(event);
    return;
  }
  const typing = target === at.typed;
  const named = KEYS[event.key] ?? (/^F([1-9]|1[0-2])$/.test(event.key) ? event.key.toLowerCase() : null);
  let key = named;
  if (typing && !["escape", "enter"].includes(named)) return;
  if (key === null && [...event.key].length === 1) key = event.key;
  if (key === null || ["f5", "f11", "f12"].includes(key)) return;
  if (!typing && (key === "enter" || key === " ") && target.closest("button")) return;
  if (["up", "down", "pageup", "pagedown", "home", "end"].includes(key) && target.classList.contains("inner")) return;
  event.preventDefault();
  send({ key });
});

// On a page that is a view a key presses the button that it stands for; all others are the browser's.
function pressKey(event) {
  const typing = event.target.matches("input, select, textarea");
  const key = KEYS[event.key] ?? (/^F\d+$/.test(event.key) ? event.key.toLowerCase() : event.key);
  if (typing && key === "enter" && event.target.dataset.field) {
    event.target.blur(); // its value is set, and nothing else is done
    return;
  }
  if (typing ? !["escape", "enter"].includes(key) : key === "enter" && event.target.closest("button, summary")) return;
  if (press(key) || (at.view.querySelector(".sheet") === null && playerKey(event))) event.preventDefault();
}

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

document.addEventListener("pointerdown", () => {
  if (heard()) hear(true);
}, { once: true });

let sizing = 0;
window.addEventListener("resize", () => {
  cancelAnimationFrame(sizing);
  sizing = requestAnimationFrame(sendSize);
});

// The way in: a token in the address is exchanged for a cookie and a pass; a browser that has them needs no token, and uses it up.

function tell(sentence) {
  at.lost.textContent = sentence;
  document.body.classList.toggle("away", sentence !== "");
}

async function enter() {
  if (!token) return false;
  const answer = await fetch("enter", { method: "POST", body: token });
  if (!answer.ok) return false;
  localStorage.setItem("pass", (await answer.json()).pass);
  meant = true;
  return true;
}

const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // used or not; a browser's list of visits keeps an address that was typed

let lostSince = 0; // 0 while pictures come

// After a while another program may have the port: it is not to be asked again and again with our cookies.
async function begin() {
  if (lostSince && performance.now() - lostSince > GIVE_UP_MS) {
    tell(words.lost);
    return;
  }
  try {
    const inside = localStorage.getItem("pass") !== null && (await fetch("session", { method: "POST", body: token })).ok;
    if (inside || (await enter())) connect();
    else tell(words.refused);
  } catch {
    tell(words.lost);
    lostSince ||= performance.now();
    setTimeout(begin, RETRY_MS);
  }
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    tell("");
    for (const id of [...pieces.keys()]) dropPiece(id);
    picture = {};
    spoken = 0;
    send({ pass: localStorage.getItem("pass") });
    sendSize();
  });
  socket.addEventListener("message", ({ data }) => show(JSON.parse(data)));
  socket.addEventListener("close", ({ code }) => {
    socket = null;
    lostSince ||= performance.now();
    if (code === 4403) localStorage.removeItem("pass");
    if (code === 1013) tell(words.many);
    else setTimeout(begin, RETRY_MS / 4);
  });
}

window.addEventListener("hashchange", () => location.reload()); // a new address typed into this window
begin();
