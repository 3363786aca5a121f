// Draws a view of client/ui/view, which says what is there and what it means. The style sheets lay it out. It knows no game.
"use strict";

const FIRST = 2; // tables that a phone shows at once; a larger window shows one more
const SETTLED_MS = 400; // until the program has answered a change

// A new element: `tag.class.class`, its attributes, and what is inside. Names come from outside: they are text, never markup.
function h(name, attributes, ...inside) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...inside.flat(3).filter((part) => part !== undefined && part !== false && part !== ""));
  return node;
}

function drawn(id, name) {
  const svg = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  svg.setAttribute("class", name);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

const icon = (name) => (name ? drawn(`i-${name}`, "icon") : "");

function card({ kind, face = null }) {
  const id = symbol(kind, face);
  if (!document.getElementById(id)) wantDrawings(kind);
  return drawn(id, `card ${kind}`);
}

const cards = (item) => (item.cards ?? []).map(card);

// Text in which backticks name commands, and brackets keys.
const coded = (text) => text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));
const prose = (text) => text.split(KEYED).flatMap((part, place) => (place % 2 ? h("span.keys", {}, coded(part)) : coded(part)));

// What is clicked names itself; `key` is the key that does the same.
const named_ = ({ id, key, click }) => ({ type: "button", "data-click": click && id, "data-press": key, "data-id": id });

// Buttons.

const sentence = (label) => label.charAt(0).toLocaleUpperCase() + label.slice(1);

function labelled(label) {
  if (typeof label === "string") return sentence(label);
  const [first, ...rest] = label;
  return text([typeof first === "string" ? sentence(first) : first, ...rest]);
}

function action(one, about = "") {
  if (one.ask) {
    const button = h(`button.btn.${one.role}`, { ...named_(one), "data-press": undefined }, sentence(one.label));
    return h("details.ask", { "data-id": `ask:${one.id}` },
      h("summary", { "data-press": one.key }, icon(one.icon), h("span", {}, sentence(one.label)), one.detail && h("small", {}, one.detail)), h("div.sure", {}, h("p", {}, one.ask), button));
  }
  if (one.role === "me") return h("button.me-chip", { ...named_(one), "aria-label": one.label },
    h("span.disc", { "aria-hidden": "true" }, h("span", {}, [...one.label][0].toUpperCase())), h("span", {}, one.label));
  const named = { ...named_(one), "aria-label": about ? `${one.label}: ${about}` : undefined };
  if (one.role === "tool") return h("button.icon-btn", { ...named, disabled: Boolean(one.off), "aria-label": sentence(one.label), title: sentence(one.label) }, icon(one.icon));
  return h(`button.btn${one.role ? `.${one.role}` : ""}`, { ...named, disabled: Boolean(one.off) }, icon(one.icon), h("span", {}, labelled(one.label)), one.detail && h("small", {}, text(one.detail)));
}

// Things in lists.

// Days are written in the program's words: not every browser knows the months of all its languages.
const dated = (form, written) => {
  const [year, month, day] = written.split("-").map(Number);
  return form.replace("{year}", year).replace("{month}", words.months.split(" ")[month - 1]).replace("{day}", day);
};

// Today, yesterday, or the month of a day: the heading under which it stands.
function period(written) {
  const ago = Math.round((new Date().setHours(12, 0, 0, 0) - new Date(`${written}T12:00`)) / 864e5);
  return [words.today, words.yesterday][Math.max(0, ago)] ?? dated(words.month, written);
}

const swatch = (item) => item.game && h("span.swatch.weave", { "data-game": item.game, "aria-hidden": "true" }, cards(item));

function seats([taken, all], note) {
  const chairs = Array.from({ length: all }, (_none, place) => h(place < taken ? "i" : "i.no"));
  return h("p.chairs", { role: "img", "aria-label": note }, chairs, h("small", {}, note));
}

// Who sits there, or that nobody does yet.
const sitter = ({ title, opened }, number) => h(`span.disc${opened ? ".free" : ""}`, { "aria-hidden": "true", "data-n": number }, opened ? "" : h("span", {}, [...title][0].toUpperCase()));

const badge = ({ mark }) => mark && h(`span.badge.${mark[1] || "plain"}`, {}, mark[0]);

const row = (item, looks, sign) => h(`button${looks}`, named_(item), sign, h("span", {}, h("b", {}, item.title), (item.lines ?? []).map((line) => h("small", {}, text(line)))));

const ITEMS = {
  tile: (item) => h("button.tile", { ...named_(item), "data-game": item.game },
    h("span.tile-top", {}, h("span.tile-fan", { "aria-hidden": "true" }, cards(item))),
    h("span.tile-words", {}, h("b", {}, item.title), h("span", {}, item.lines ?? []), item.note && h("small", {}, icon(item.icon), item.note))),
  card: (item) => h("article.paper.list-card", { "data-game": item.game }, swatch(item) || h("span"),
    h("div", {}, h("h3", {}, item.title), (item.lines ?? []).map((line) => h("p.small.dim", {}, line)), item.seats && seats(item.seats, item.note)),
    h("div.row", {}, (item.actions ?? []).map((one) => action(one, item.title)))),
  way: (item, place) => row(item, item.opened ? ".way.here" : ".way", item.icon ? icon(item.icon) : sitter({ title: item.title }, place)),
  match: (item) => h(`article.paper.match${item.opened ? ".opened" : ""}`, {},
    h("button.list-card", { ...named_(item), "aria-expanded": String(Boolean(item.opened)) }, swatch(item) || h("span"),
      h("span", {}, h("b", {}, item.title), h("small.dim", {}, [...(item.lines ?? []), item.score && item.score.map(([who, points]) => h("span", {}, who, " ", h("b", {}, points), " ")), item.day && dated(words.day, item.day).replaceAll(" ", "\u00a0")].filter(Boolean).map((part) => [h("span", {}, part), " "]))),
      badge(item)),
    item.opened && h("div.more", {}, plot(item.svg), h("details", { "data-id": `about:${item.id}` }, h("summary", {}, words.proof), (item.about ?? []).map((line) => h("p", {}, prose(line)))),
      h("div.row", {}, (item.actions ?? []).map((one) => action(one)))),
    !item.opened && item.actions?.map((one) => action(one, item.title))),
  seat: (item, place) => h(`${item.click ? "button" : "div"}.sit${item.opened ? ".free" : ""}${sideOf(item)}`, item.click ? named_(item) : {},
    sitter(item, place), h("span", {}, h("b.name", {}, item.title), (item.lines ?? []).map((line) => h("small", {}, icon(item.icon), line))),
    badge(item)),
  place: (item, place) => h(`button.place-at${sideOf(item)}`, named_(item),
    sitter(item, place), h("b.name", {}, item.title), badge(item)),
  person: (item) => h("div.person", {}, h("b", {}, item.title),
    h("ul.words", { translate: "no" }, (item.lines ?? []).flatMap((line) => line.split(" ")).map((word) => h("li", {}, word))),
    h("div.row", {}, (item.actions ?? []).map((one) => action(one, item.title)))),
  entry: (item) => row(item, ".entry", icon(item.icon)),
};

// A drawing of the program's own.
function plot(svg) {
  return svg && h("div.plot", {}, document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true));
}

// With one head it is folded below that: few type.
function table({ heads, rows }) {
  const rest = rows && h("table", {}, heads[1] && h("thead", {}, h("tr", {}, h("td"), heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows.map(([label, ...figures]) => h("tr", {},
      h(label.startsWith(" ") ? "th.part" : "th", { scope: "row", colspan: figures.length ? undefined : heads.length + 1 }, label.trim()), figures.map((figure) => h("td", {}, text(figure)))))));
  return rest && !heads[1] ? h("details", { "data-id": "typed" }, h("summary", {}, heads[0]), rest) : rest;
}

const LISTS = { games: "ul.game-tiles", near: "ul.stack", matches: "ul.stack", waiting: "ul.stack", sheet: "ul.entries" };

function list(items = [], name) {
  let under = "";
  const begins = ({ day }) => name === "matches" && day && under !== (under = period(day)) && h("h2", { "data-id": under }, sentence(under));
  const lined = items.map((item, place) => h("li", { "data-id": item.id }, begins(item), ITEMS[item.kind](item, place)));
  if (items[0]?.kind === "place") return round(lined);
  if (items[0]?.kind === "seat") return round(lined, ".sits");
  return lined.length > 0 && h(LISTS[name] ?? "ul", { "data-id": "list" }, lined);
}

// Forms.

function control(one, named) {
  const known = { "data-field": one.id, "aria-describedby": one.about && `about-${one.id}` };
  if (one.kind === "text") return h("input.input", { ...known, id: named, type: "text", value: one.value ?? "", placeholder: one.hint, maxlength: one.limit, autocomplete: "off", spellcheck: "false" });
  if (one.kind === "number") return h("input.input.number", { ...known, id: named, type: "number", value: one.value, min: one.least ?? 0, max: one.limit, step: "1" });
  if (one.kind === "switch") return h("input.switch", { ...known, id: named, type: "checkbox", role: "switch", checked: one.on });
  const chosen = (value) => value === (one.value ?? "");
  if (one.kind === "game") return h("div.choose", { role: "radiogroup", "aria-labelledby": `label-${one.id}` }, one.choices.map(([value, words], place) =>
    h("label.pick", {}, h("input", { ...known, type: "radio", name: one.id, value, checked: chosen(value) }), h("span", {}, swatch({ game: value, cards: one.cards[place] }), h("b", {}, words)))));
  if (!inRow(one)) return h("select.input", { ...known, id: named, "data-value": one.value ?? "" },
    one.choices.map(([value, words]) => h("option", { value, selected: chosen(value) }, sentence(words))));
  const long = one.choices.some(([, words]) => words.length > 18) || one.choices.map(([, words]) => words).join("").length > 34; // in a narrow window they stand below each other
  return h(`div.seg${long ? one.choices.length > 3 ? ".many" : ".tall" : ""}`, { role: "radiogroup", "aria-labelledby": `label-${one.id}` }, one.choices.map(([value, words]) =>
    h("label", {}, h("input", { ...known, type: "radio", name: one.id, value, checked: chosen(value) }), h("span", {}, sentence(words)))));
}

// Choices that are few, or all short, stand side by side.
const inRow = ({ kind, choices = [] }) => kind === "game" || (kind === "choice" && (choices.length <= 9 || choices.every(([, words]) => words.length < 3)));

function field(one) {
  const named = `field-${one.id}`, choice = inRow(one);
  return h(`div.field-row${one.kind === "game" ? ".picks" : ""}`, { "data-id": `row:${one.id}` },
    h("div", {}, h(choice ? "b" : "label", { id: `label-${one.id}`, for: choice ? undefined : named }, one.label), one.about && h("small", { id: `about-${one.id}` }, one.about), one.kind === "number" && h("small", {}, `${one.least ?? 0}–${one.limit}`),
      one.kind === "switch" && one.cards && h("p.row.samples", { "aria-hidden": "true" }, one.cards.map((row) => h("span", {}, row.map(mini))))),
    control(one, named));
}

// Fields show the values of the program, but for a text that is being typed.
function setFields() {
  for (const node of at.view.querySelectorAll("[data-field]")) {
    if (["radio", "checkbox"].includes(node.type)) node.checked = node.hasAttribute("checked");
    else if (node.tagName === "SELECT") node.value = node.dataset.value;
    else if (node !== document.activeElement) node.value = node.getAttribute("value");
  }
}

at.view.addEventListener("change", ({ target }) => {
  const { field: name } = target.dataset;
  if (target.type === "number" && target.value) target.value = Math.min(Math.max(target.value, target.min), target.max);
  const value = target.type === "checkbox" ? target.checked : target.value;
  if (name && !target.validity.badInput) send({ field: name, value, seen });
});
at.view.addEventListener("focusout", () => setTimeout(setFields, SETTLED_MS));

// The page.

// A table seen from above, with its seats round it, the nearest one first.
function round(seats, also = "") {
  seats.forEach((one, place) => one.style.setProperty("--turn", `${90 - (place * 360) / seats.length}deg`));
  return h(`ul.plan.weave${also}`, {}, seats);
}

const plan = (part) => round(part.seats.map((seat) => h(`li${sideOf(seat)}`, { "aria-label": seat.name, title: seat.name },
  seat.free ? h("span.disc.free", { "aria-hidden": "true" }) : disc(seat), h("b.name", { "aria-hidden": "true" }, seat.name))));

// A line of a list begins with a dot; its subject, before the colon, is bold.
function said(line) {
  const [first, ...rest] = [line].flat();
  if (!String(first).startsWith("· ")) return text(line);
  const [about, ...more] = first.slice(2).split(/(?=: )/);
  return h("span.item", {}, more.length ? h("b", {}, about) : prose(about), prose(more.join("")), text(rest));
}

function section(part) {
  const titled = { "data-id": part.id, "aria-labelledby": part.title && `title-${part.id}` };
  if (part.folded) return h(`details.paper.form.${part.id}`, { "data-id": part.id }, h("summary", {}, h("h2", {}, part.title), part.fields && (part.lines ?? []).map((line) => h("small", {}, line))),
    part.fields ? part.fields.map(field) : part.lines.map((line) => h("p", {}, line)));
  const heading = part.title && h("h2", { id: `title-${part.id}` }, part.title);
  return h(`section.${part.id}${part.id === "near" ? ".stack" : ""}${part.fields || part.figures || part.id === "phones" ? ".paper.form" : ""}`, titled,
    part.id === "near" ? h("div.bar", {}, heading, part.items?.length > FIRST && h("details.all", { "data-id": "all" }, h("summary", {}, words.all.replace("{count}", part.items.length)))) : heading,
    part.cards && h("div.tile-top", {}, h("span.tile-fan", { "aria-hidden": "true" }, cards(part))),
    part.seats && plan(part),
    (part.lines ?? []).map((line) => h("p", { role: part.id === "foot" ? "status" : undefined }, said(line))),
    list(part.items, part.items?.[0]?.kind === "entry" ? "sheet" : part.id),
    part.id === "window" && ownSwitches(),
    (part.fields ?? []).map(field),
    part.figures && h("div.figures", {}, part.figures.map(([number, words]) => h("div", {}, h("b", {}, number), h("small", {}, words)))),
    plot(part.svg),
    part.actions && h("div.open-own", {}, part.actions.map((one) => action(one))));
}

function room(view) {
  return [
    h("header.top.room", { "data-id": "top", inert: Boolean(view.sheet) },
      view.back && action(view.back),
      view.back
        ? h("div.where", {}, h("h1", {}, view.heading), (view.lines ?? []).map((line) => h("small", {}, line)))
        : h("div.where", {}, h("span.brand", {}, "Sobremesa")),
      h("div.tools", {}, (view.tools ?? []).map((one) => action(one)))),
    h(`main.room.${view.page}`, { "data-game": view.game, "data-id": `main:${view.page}`, tabindex: "-1", inert: Boolean(view.sheet) },
      !view.back && h("section.hello", {}, h("h1", {}, view.heading)),
      (view.sections ?? []).map(section)),
  ];
}

// The headings of a long text, each of which leads there. A link would ask for another address, which lets nobody in.
const jumps = (sections) => h("nav.jumps", { "data-id": "jumps" }, sections.map(({ id, title }) => h(`button.btn.soft.${id}`, { type: "button", "data-id": `to:${id}`, "data-jump": `title-${id}` }, title)));

function entry({ hint = "", placeholder = "", wrong }) {
  return h("div.field", {},
    h("input.input", { id: "line", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "200", placeholder, "aria-describedby": "line-hint", "aria-invalid": wrong && "true" }),
    h("p.hint", { id: "line-hint", role: "status" }, text(hint)));
}

function sheet(part, game, seats) {
  const named = part.title ? { "aria-labelledby": "sheet-title" } : { "aria-label": part.entry?.label };
  return h("div.veil", { "data-id": "veil", "data-game": game }, h("section.sheet", { "data-id": part.id, role: "dialog", "aria-modal": "true", tabindex: "-1", ...named },
    h("div.head", {}, part.entry ? h("label", { for: "line" }, part.entry.label) : h("h2", { id: "sheet-title" }, part.title)),
    h("div.body", { tabindex: part.items || part.entry ? undefined : "0" }, part.entry && entry(part.entry), part.count && countSheet(part.count, seats), table(part), plot(part.svg), part.id === "rules" && jumps(part.sections), h("div.prose", {}, (part.lines ?? []).map((line) => h("p", {}, text(line))), (part.sections ?? []).map(section)), list(part.items, "sheet"), (part.fields ?? []).map(field)),
    h("footer", {}, (part.actions ?? []).map((one) => action(one)), part.id === "invite" && navigator.clipboard
      && h("button.btn.main", { type: "button", "data-id": "copy", "data-copies": part.lines.at(-1) }, h("span", {}, words.copy)))));
}

// Make a live node like a fresh one: whatever stays keeps its focus, its place in a scrolled box, and whether it is open.
function morph(live, fresh) {
  for (const { name } of [...live.attributes]) if (!fresh.hasAttribute(name) && name !== "open") live.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (live.getAttribute(name) === value) continue;
    if (name === "style") live.style.cssText = value; // the policy lets no attribute set it
    else live.setAttribute(name, value);
  }
  children(live, [...fresh.childNodes]);
}

const alike = (one, other) => one.nodeName === other.nodeName && one.dataset?.id === other.dataset?.id;

function children(parent, fresh) {
  let next = parent.firstChild;
  for (const node of fresh) {
    let live = next;
    while (live !== null && !alike(live, node)) live = live.nextSibling;
    if (live === null) {
      parent.insertBefore(node, next);
      continue;
    }
    if (live === next) next = next.nextSibling;
    else parent.insertBefore(live, next);
    if (live.nodeType === Node.TEXT_NODE) live.data = node.data;
    else if (!live.isEqualNode(node)) morph(live, node);
  }
  while (next !== null) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

let returnTo = null; // what had the focus before a sheet came

function setView(view, before) {
  if (view.sheet && !before?.sheet) returnTo = document.activeElement;
  const notice = h("p.toast", { "data-id": "notice", role: "status", hidden: !view.notice || Boolean(view.table) }, text(view.notice));
  chairs = view.table?.seats.length ?? 8;
  nearest = view.table?.seats[0].number ?? 0;
  at.view.className = view.table ? `game ${FIELDS[view.table.game][0]}` : "";
  if (view.player && !flies(view.player, before?.player)) laid = { deal: 0, ids: [] }; // no gap where a card lay before
  if (view.table) at.view.dataset.game = view.table.game;
  else delete at.view.dataset.game;
  children(at.view, [...(view.table ? tableView : room)(view), notice, ...(view.sheet ? [sheet(view.sheet, view.game, view.table?.seats)] : [])]);
  setBar(view.player && { ...view.player, covered: Boolean(view.sheet) });
  lined = view.table;
  layLine();
  setFields();
  showMelds();
  redrawn();
  if (view.page !== before?.page) scrollTo(0, 0);
  setLine(view.sheet?.entry, before?.sheet?.entry);
  setFocus(view, before);
}

function setFocus(view, before) {
  const held = document.activeElement;
  const inside = held !== document.body && held.closest("[inert],[hidden]") === null;
  if (view.sheet && (view.sheet.id !== before?.sheet?.id || !inside)) {
    (at.view.querySelector("#line") ?? at.view.querySelector(".sheet")).focus({ preventScroll: true });
    if (view.sheet.end) at.view.querySelector(".sheet > .body").scrollTop = 1e6;
  } else if (!view.sheet && before?.sheet && returnTo?.isConnected && returnTo !== document.body) returnTo.focus({ preventScroll: true });
  else if (!view.sheet && !inside) at.view.querySelector("main").focus({ preventScroll: true });
}

// The line that is typed: the page's own text is the newest, unless no more fits or another window typed.
function setLine(line, before) {
  if (!line) return;
  const field = document.getElementById("line");
  if (!before) {
    field.value = line.text ?? "";
    if (line.marked) field.select();
  } else if ((now.heard ?? 0) === spoken && (line.text ?? "") !== field.value) field.value = line.text ?? "";
  const mistake = [...(line.text ?? "")].slice(0, line.caret ?? 0).join("").length;
  // Only a mistake moves the cursor, and only in the text that it was found in.
  if (before && line.hint !== before.hint && line.text === field.value && mistake < field.value.length) field.setSelectionRange(mistake, mistake);
}

at.view.addEventListener("input", ({ target }) => {
  if (target.id === "line" && send({ typed: target.value })) spoken += 1;
});

at.view.addEventListener("click", (event) => {
  const target = event.target.closest("[data-click]"), jump = event.target.closest("[data-jump]");
  if (jump) document.getElementById(jump.dataset.jump).scrollIntoView();
  if (target && event.detail < 2) click(tapped(target.dataset.click)); // the second half of a double click confirms nothing
  else if (event.target.classList.contains("veil")) press("escape");
});

// Press the button that a key stands for, on the sheet if there is one.
function press(key) {
  const target = [...at.view.querySelectorAll("[data-press]")].findLast((node) => node.dataset.press === key && node.closest("[inert]") === null);
  target?.click();
  return target !== undefined;
}
