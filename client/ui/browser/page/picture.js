// Places what a picture of client/ui/drawing/picture.py says: the live page and the replay page share it. It knows no game.
"use strict";

const HELD_MS = 500, AGAIN_MS = 120;
const READ = 32; // pixels that a card is wide, at least, if its worth is to be read in its corner
const TABLE = 14, LEAST = 11, MONO = 0.61; // pixels of the text of a table, at most and at least; and the width of a letter, in heights

const pieces = new Map(); // by id: {data, node}

function spans(line) {
  return line.flatMap(({ text, style }) => (style ? make("span", style, ...withKeys(text)) : withKeys(text)));
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
    wantDrawings(data.kind);
    side.append(data.face === null ? "" : data.name);
    side.classList.add(data.face === null ? "hidden-side" : "open-side");
  }
  piece.body.replaceChildren(side, ...(data.worth ? [make("span", "worth", data.worth)] : []));
}

// Pieces.

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
  piece.node.classList.toggle("small", data.width < READ);
  style.width = `${data.width}px`;
  style.fontSize = `${Math.max(11, data.width * 0.21)}px`;
  style.height = `${data.height}px`;
  style.transform = transform(data);
  style.zIndex = String(data.z);
}

function dropPiece(id) {
  pieces.get(id)?.node.remove();
  pieces.delete(id);
}

// Texts, panels, controls.

// A button that is held does the same again and again, as a held key does.
function repeats(node) {
  let waiting = 0, repeated = false;
  const repeat = () => {
    if (!node.isConnected) return; // the page has changed, and no event says that it is held no more
    repeated = true;
    node.click();
    waiting = setTimeout(repeat, AGAIN_MS);
  };
  node.addEventListener("pointerdown", (event) => {
    clearTimeout(waiting); // of another finger
    if (event.button === 0) waiting = setTimeout(repeat, HELD_MS);
  });
  node.addEventListener("pointerup", () => clearTimeout(waiting));
  for (const end of ["pointerleave", "pointercancel"]) node.addEventListener(end, () => {
    clearTimeout(waiting);
    repeated = false;
  });
  node.addEventListener("click", (event) => {
    if (event.isTrusted && repeated) event.stopImmediatePropagation(); // the end of a held one
    if (event.isTrusted) repeated = false;
  }, true);
}

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
      repeats(node);
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
    // A row that is clicked stays under the pointer.
    if (!item.matches(":hover")) requestAnimationFrame(() => item.scrollIntoView({ block: "nearest" }));
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
  box.inner.addEventListener("scroll", () => mark(box));
  box.addEventListener("click", ({ target }) => {
    if (target === box) readOn(box); // on the ▾
  });
  return box;
}
makePanel.kind = (panel) => String(panel.modal);

function readOn(box) {
  box.inner.scrollBy({ top: box.inner.clientHeight * 0.8 });
}

// Whether there is more below what is to be seen.
function mark(box) {
  const { scrollTop, scrollHeight, clientHeight } = box.inner;
  box.classList.toggle("more", clientHeight > 60 && scrollTop + clientHeight < scrollHeight - 4);
}

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
  const text = JSON.stringify(panel.lines);
  if (panel.modal && !panel.rows.length && box.text !== text) box.inner.scrollTop = 0; // another page
  box.text = text;
  box.lines_.replaceChildren(...panel.lines.map((line) => make("p", "line", ...spans(line))));
  const fits = panel.columns ? (panel.area.width - 20) / panel.columns / MONO : TABLE;
  box.lines_.style.fontSize = panel.columns ? `${Math.max(LEAST, Math.min(TABLE, fits))}px` : "";
  box.lines_.hidden = !panel.lines.length;
  fill(box.rows_, panel.rows, makeRow, setRow);
  box.rows_.hidden = !panel.rows.length;
  requestAnimationFrame(() => {
    const { scrollHeight, clientHeight } = box.inner;
    if (scrollHeight > clientHeight && !box.inner.querySelector("button")) box.inner.tabIndex = 0; // so that the keyboard scrolls it
    else box.inner.removeAttribute("tabindex");
    if (panel.kind === "log") showLatest(box.inner);
    mark(box);
  });
}

// The latest lines of a log, none of them cut.
function showLatest(inner) {
  inner.style.marginTop = "";
  if (inner.scrollHeight > inner.clientHeight) inner.style.marginTop = `${inner.clientHeight % parseFloat(getComputedStyle(inner).lineHeight)}px`;
  inner.scrollTop = inner.scrollHeight;
}

// The table of a picture: `fields` that are new, `pieces` that are new or differ, `gone` those that went.
function setTable(fields, { pieces: changed = [], gone = [] }) {
  const has = (name) => name in fields;
  if (has("heading")) at.heading.replaceChildren(...spans(fields.heading));
  if (has("score")) at.score.replaceChildren(...spans(fields.score));
  if (has("head")) {
    at.head.style.height = `${fields.head}px`;
    at.head.classList.toggle("two", fields.head > 50);
  }
  for (const id of gone) dropPiece(id);
  for (const data of changed) setPiece(data);
  if (has("texts")) fill(at.texts, fields.texts, makeText, setText);
  if (has("call")) {
    const fresh = fields.call && (at.call.hidden || at.call.textContent !== fields.call.text);
    at.call.hidden = !fields.call;
    if (fields.call) {
      at.call.textContent = fields.call.text;
      at.call.className = fields.call.style;
      at.call.style.left = `${fields.call.x}px`;
      at.call.style.top = `${fields.call.y}px`;
      at.call.style.maxWidth = `${fields.call.width}px`;
      if (fresh && moves()) at.call.animate([{ scale: 0.4, opacity: 0 }, { scale: 1, opacity: 1 }], GLIDE_MS);
    }
  }
}
