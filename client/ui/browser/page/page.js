// The page places what a picture of client/ui/drawing/picture.py says, and reports clicks, keys and texts. It knows no game.
"use strict";

const KEYS = {
  Enter: "enter", Escape: "escape", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown", Backspace: "backspace", Delete: "delete",
};
const GLIDE_MS = 320, FLIP_MS = 260, RETRY_MS = 1000, LINES = 40;
const SVG = "http://www.w3.org/2000/svg";

const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
const at = Object.fromEntries([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
const version = meta("version");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let words = JSON.parse(meta("words"));
let picture = {}; // the fields of the last picture, without its pieces
const pieces = new Map(); // by id: {data, node}
let seen = 0; // the number of the last picture
let socket = null;

// What is sent.

function send(message) {
  if (socket !== null && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function click(id) {
  send({ click: id, seen });
}

function sendSize() {
  const side = (pixels) => Math.min(8000, Math.max(200, Math.round(pixels)));
  send({ size: [side(document.documentElement.clientWidth), side(window.innerHeight)] });
}

// Small parts.

function make(tag, name, ...inside) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...inside);
  return node;
}

function spans(line) {
  return line.map(({ text, style }) => (style ? make("span", style, text) : text));
}

function plain(line) {
  return line.map(({ text }) => text).join("");
}

function place(node, { x, y, width, height }) {
  node.style.left = `${x}px`;
  node.style.top = `${y}px`;
  node.style.width = `${width}px`;
  if (height !== undefined) node.style.height = `${height}px`;
}

// Make the children of a node those of a list, by id: those that stay keep the focus and their place in a scrolled box.
function fill(parent, items, create, update) {
  const old = new Map([...parent.children].map((node) => [node.dataset.id, node]));
  let before = parent.firstElementChild;
  for (const item of items) {
    let node = old.get(item.id);
    old.delete(item.id);
    const kind = create.kind?.(item);
    if (node === undefined || node.kind !== kind) {
      const fresh = Object.assign(create(item), { kind });
      fresh.dataset.id = item.id;
      if (node !== undefined) {
        if (before === node) before = node.nextElementSibling;
        node.remove();
      }
      node = fresh;
    }
    const data = JSON.stringify(item);
    if (node.known !== data) {
      node.known = data;
      update(node, item);
    }
    if (node === before) before = before.nextElementSibling;
    else parent.insertBefore(node, before);
  }
  for (const node of old.values()) node.remove();
}

function button(id, name, ...inside) {
  const node = make("button", name, ...inside);
  node.type = "button";
  node.addEventListener("click", () => click(id));
  return node;
}

// Drawings: the symbols are fetched once a kind, and put into the page.

const drawings = new Map(); // by kind: a promise

function symbol(kind, face) {
  return `${kind}-${face === null ? "back" : face === "*" ? "joker" : face}`;
}

function fetchDrawings(kind) {
  if (!drawings.has(kind)) {
    drawings.set(kind, fetch(`art/${kind}.svg`).then(async (answer) => {
      if (!answer.ok) return;
      const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
      at.art.append(document.importNode(parsed.documentElement, true));
      for (const piece of pieces.values()) if (piece.data.kind === kind) drawFace(piece, piece.data);
    }, () => drawings.delete(kind)));
  }
}

function drawFace(piece, data) {
  const id = symbol(data.kind, data.face);
  const side = make("span", "face");
  if (document.getElementById(id)) {
    const svg = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${id}`);
    svg.setAttribute("aria-hidden", "true");
    svg.append(use);
    side.append(svg);
  } else {
    fetchDrawings(data.kind);
    side.append(data.face ?? "");
    side.classList.add(data.face === null ? "hidden-side" : "open-side");
  }
  piece.body.replaceChildren(side);
}

// Pieces.

let still = true; // while the window gets another size

function moves() {
  return picture.motion !== false && !calm.matches && !still;
}

function transform(data) {
  return `translate(${data.x}px, ${data.y}px) rotate(${data.turn}deg)`;
}

function setPiece(data) {
  let piece = pieces.get(data.id);
  const before = piece?.data;
  if (piece === undefined) {
    piece = { node: make("div", "place"), data };
    pieces.set(data.id, piece);
    at.pieces.append(piece.node);
    if (picture.origin && moves()) {
      const [x, y] = picture.origin;
      piece.node.style.transform = transform({ ...data, x: x - data.width / 2, y: y - data.height / 2 });
      piece.node.getBoundingClientRect(); // so that it glides from there
    }
  }
  piece.data = data;
  if (before === undefined || before.click !== data.click) {
    const held = piece.body && piece.body === document.activeElement;
    piece.body = data.click ? button(data.id, "") : make("span", "");
    piece.node.replaceChildren(piece.body);
    if (held && data.click) piece.body.focus();
    drawFace(piece, data);
  } else if (before.face !== data.face || before.kind !== data.kind) {
    drawFace(piece, data);
    if (moves()) piece.body.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], FLIP_MS);
  }
  piece.body.className = `piece ${data.kind} ${data.state}`;
  if (data.click) {
    piece.body.setAttribute("aria-label", data.name || data.face || "");
    piece.body.setAttribute("aria-pressed", String(data.state.split(" ").includes("picked")));
  } else if (data.name) {
    piece.body.setAttribute("role", "img");
    piece.body.setAttribute("aria-label", data.name);
  } else {
    piece.body.setAttribute("aria-hidden", "true");
  }
  const { style } = piece.node;
  style.transitionDuration = moves() ? `${GLIDE_MS}ms` : "0s";
  style.width = `${data.width}px`;
  style.height = `${data.height}px`;
  style.transform = transform(data);
  style.zIndex = String(data.z);
}

function dropPiece(id) {
  pieces.get(id)?.node.remove();
  pieces.delete(id);
}

// Texts, panels, controls.

const makeText = () => make("p", "text");

function setText(node, text) {
  place(node, text);
  node.style.fontSize = `${text.size}px`;
  node.dataset.align = text.align;
  node.replaceChildren(...spans(text.words));
}

function makeRow(row) {
  const item = make("li", "row");
  item.main = row.click ? button(row.id, "item") : make("span", "item");
  item.append(item.main);
  if (row.steps) {
    const step = (end, sign, name) => {
      const node = button(row.id + end, "step", sign);
      node.setAttribute("aria-label", `${plain(row.words)}: ${name}`);
      return node;
    };
    item.append(step("<", "‹", words.less), step(">", "›", words.more));
  }
  return item;
}
makeRow.kind = (row) => `${row.click} ${row.steps}`;

function setRow(item, row) {
  item.main.replaceChildren(make("span", "words", ...spans(row.words)));
  if (row.about.length) item.main.append(" ", make("span", "about", ...spans(row.about)));
  item.classList.toggle("chosen", row.chosen);
  if (row.chosen) {
    item.main.setAttribute("aria-current", "true");
    requestAnimationFrame(() => item.scrollIntoView({ block: "nearest" }));
  } else item.main.removeAttribute("aria-current");
}

function makePanel(panel) {
  const box = make("section", "panel");
  box.title_ = make("h2", "title");
  box.title_.id = `title-${panel.id}`;
  box.svg_ = make("div", "drawing");
  box.lines_ = make("div", "lines");
  box.rows_ = make("ul", "rows");
  box.inner = make("div", "inner", box.svg_, box.lines_, box.rows_);
  box.append(box.title_, box.inner);
  return box;
}
makePanel.kind = (panel) => String(panel.modal);

function setPanel(box, panel) {
  place(box, panel.area);
  box.className = `panel ${panel.kind}${panel.columns ? " table" : ""}`;
  box.title_.hidden = !panel.title.length;
  box.title_.replaceChildren(...spans(panel.title));
  if (panel.title.length) box.setAttribute("aria-labelledby", box.title_.id);
  else box.removeAttribute("aria-labelledby");
  if (box.drawn !== panel.svg) {
    box.drawn = panel.svg;
    box.svg_.replaceChildren();
    if (panel.svg) {
      const parsed = new DOMParser().parseFromString(panel.svg, "image/svg+xml");
      box.svg_.append(document.importNode(parsed.documentElement, true));
    }
  }
  box.svg_.hidden = !panel.svg;
  box.lines_.replaceChildren(...panel.lines.map((line) => make("p", "line", ...spans(line))));
  box.lines_.hidden = !panel.lines.length;
  fill(box.rows_, panel.rows, makeRow, setRow);
  box.rows_.hidden = !panel.rows.length;
  requestAnimationFrame(() => {
    const { scrollHeight, clientHeight } = box.inner;
    if (scrollHeight > clientHeight && !panel.rows.length) box.inner.tabIndex = 0; // so that the keyboard scrolls it
    else box.inner.removeAttribute("tabindex");
    if (panel.kind === "log") box.inner.scrollTop = scrollHeight;
  });
}

const makeControl = (control) => button(control.id, "control");

function setControl(node, control) {
  node.disabled = !control.enabled;
  node.classList.toggle("main", control.key === "Enter");
  node.replaceChildren(...(control.label ? [make("span", "label", control.label), " "] : []), make("kbd", "", control.key));
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

// The line that is typed.

let written = null; // the text that we have sent last

function setEntry() {
  const { entry } = picture;
  if (!entry) {
    if (!at.entry.hidden) {
      at.entry.hidden = true;
      (at.above.hidden ? at.main : at.above).focus({ preventScroll: true });
    }
    written = null;
    return;
  }
  at.asked.textContent = entry.label;
  at.hint.textContent = entry.hint;
  at.entry.style.top = `${picture.height - picture.bar}px`;
  if (at.entry.hidden) {
    at.entry.hidden = false;
    at.typed.value = entry.text;
    at.typed.focus();
    if (entry.text.length > 1) at.typed.select();
  } else if (entry.text !== written && entry.text !== at.typed.value) {
    at.typed.value = entry.text;
  }
}

at.typed.addEventListener("input", () => {
  written = at.typed.value;
  send({ typed: written });
});
at.entry.addEventListener("submit", (event) => {
  event.preventDefault();
  send({ key: "enter" });
});

// What is said, and heard.

function announce(before, after) {
  let known = Math.min(before.length, after.length);
  while (known > 0 && before.slice(-known).some((line, place) => line !== after[place])) known -= 1;
  for (const line of after.slice(known)) at.announce.append(make("p", "", line));
  while (at.announce.childElementCount > LINES) at.announce.firstElementChild.remove();
}

let ears = null;

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
at.sound.setAttribute("aria-pressed", String(localStorage.getItem("sound") === "on"));

function ring() {
  if (localStorage.getItem("sound") !== "on" || ears === null) return;
  const tone = ears.createOscillator(), volume = ears.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.08, ears.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, ears.currentTime + 0.35);
  tone.connect(volume).connect(ears.destination);
  tone.start();
  tone.stop(ears.currentTime + 0.4);
}

// A picture.

function show(message) {
  const before = picture, fields = message.set ?? {};
  if (fields.version !== undefined && fields.version !== version) {
    location.reload();
    return;
  }
  picture = { ...before, ...fields };
  seen = message.number;
  const has = (name) => name in fields;
  still = has("width") || has("height");
  if (has("words")) words = fields.words;
  if (has("lang")) document.documentElement.lang = fields.lang;
  if (has("scheme")) document.documentElement.dataset.scheme = fields.scheme;
  if (has("page")) document.body.dataset.page = fields.page;
  if (has("title")) document.title = fields.title;
  if (has("heading")) at.heading.replaceChildren(...spans(fields.heading));
  if (has("score")) at.score.replaceChildren(...spans(fields.score));
  if (has("head")) at.head.style.height = `${fields.head}px`;
  if (has("bar")) at.foot.style.height = `${fields.bar}px`;
  if (has("width") || has("height")) {
    document.body.style.minWidth = `${picture.width}px`;
    document.body.style.minHeight = `${picture.height}px`;
  }
  for (const id of message.gone ?? []) dropPiece(id);
  for (const data of message.pieces ?? []) setPiece(data);
  if (has("texts")) fill(at.texts, fields.texts, makeText, setText);
  if (has("panels") || has("words")) setPanels();
  if (has("controls") || has("words")) {
    at.controls.setAttribute("aria-label", words.keys);
    fill(at.controls, picture.controls, makeControl, setControl);
  }
  if (has("notice")) at.notice.textContent = fields.notice;
  if (has("call")) {
    at.call.hidden = !fields.call;
    if (fields.call) {
      at.call.textContent = fields.call.text;
      at.call.className = fields.call.style;
      at.call.style.left = `${fields.call.x}px`;
      at.call.style.top = `${fields.call.y}px`;
      if (moves()) at.call.animate([{ scale: 0.4, opacity: 0 }, { scale: 1, opacity: 1 }], GLIDE_MS);
    }
  }
  if (has("announce")) announce(before.announce ?? [], fields.announce);
  if (has("entry") || has("bar")) setEntry();
  if (message.bell) ring();
  at.announce.setAttribute("aria-label", words.log);
  at.sound.setAttribute("aria-label", words.sound);
}

// The keyboard: the keys of the full screen. Tab moves the focus; a key on a button or in the line is the browser's.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const { target } = event;
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

document.addEventListener("pointerdown", () => {
  if (localStorage.getItem("sound") === "on") hear(true);
}, { once: true });

let sizing = 0;
window.addEventListener("resize", () => {
  cancelAnimationFrame(sizing);
  sizing = requestAnimationFrame(sendSize);
});

// The way in: a token in the address is exchanged for a cookie and a pass; a browser that has them needs no token.

function tell(sentence) {
  at.lost.textContent = sentence;
  document.body.classList.toggle("away", sentence !== "");
}

async function enter() {
  const token = location.hash.slice(1);
  if (!token) return false;
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("enter", { method: "POST", body: token });
  if (!answer.ok) return false;
  localStorage.setItem("pass", (await answer.json()).pass);
  return true;
}

async function begin() {
  try {
    const inside = localStorage.getItem("pass") !== null && (await fetch("session")).ok;
    if (inside || (await enter())) connect();
    else tell(words.refused);
  } catch {
    tell(words.lost);
    setTimeout(begin, RETRY_MS);
  }
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    tell("");
    for (const id of [...pieces.keys()]) dropPiece(id);
    picture = {};
    send({ pass: localStorage.getItem("pass") });
    sendSize();
  });
  socket.addEventListener("message", ({ data }) => show(JSON.parse(data)));
  socket.addEventListener("close", ({ code }) => {
    socket = null;
    if (code === 4403) localStorage.removeItem("pass");
    if (code === 1013) tell(words.many);
    else setTimeout(begin, RETRY_MS / 4);
  });
}

begin();
